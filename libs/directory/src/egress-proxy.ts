import { request } from 'node:http';
import type { Socket } from 'node:net';

/**
 * @returns the header that authenticates to the proxy (RFC 9110 s11.7.2); none if its address has no user information
 */
export function proxyHeaders(proxy: URL): Record<string, string> {
  if (proxy.username === '') return {};
  const credentials = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` };
}

/**
 * Has the proxy connect to a server (RFC 9110 s9.3.6, CONNECT).
 * @param options.proxy http:// address
 * @param options.signal ends the attempt
 * @returns a connection that leads to the server
 * @throws Error if the proxy cannot be reached or refuses
 */
export function openTunnel(options: { proxy: URL; target: URL; signal: AbortSignal }): Promise<Socket> {
  const { proxy, target, signal } = options;
  const path = `${target.hostname}:${target.port || '443'}`;
  const headers = { host: path, ...proxyHeaders(proxy) };
  const { hostname, port } = proxy;
  return new Promise((resolve, reject) => {
    const outgoing = request({ method: 'CONNECT', hostname, port, path, headers, signal, agent: false });
    outgoing.on('connect', (response, socket: Socket) => {
      if (response.statusCode === 200) {
        resolve(socket);
        return;
      }
      socket.destroy();
      reject(new Error(`The egress proxy refuses the connection with status ${response.statusCode ?? 'unknown'}.`));
    });
    outgoing.on('response', (response) => {
      response.destroy();
      reject(new Error('The egress proxy does not support CONNECT.'));
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}
