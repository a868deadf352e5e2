import { once } from 'node:events';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer, type Server, type Socket } from 'node:net';
import type { Credential } from '../trust/trust-framework.js';

/** First byte of a TLS connection (RFC 8446 s5.1: handshake). */
const tlsHandshake = 22;
const mostConnections = 200;
const firstByteMilliseconds = 10_000;

/**
 * Serves plain HTTP on a port of the loopback address, and HTTPS on the same port: once a browser trusts the sandbox's
 * authority, the bank's pages tell it to use HTTPS on every port of localhost (RFC 6797 s8.3), and the redirect from
 * the bank must still work.
 * @returns what stops it
 */
export async function listenOnBoth(options: {
  port: number;
  host: string;
  credential: Credential;
  handler: RequestListener;
}): Promise<() => Promise<void>> {
  const { port, host, credential, handler } = options;
  const limits = { headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 1_000 };
  const plain = createHttpServer(limits, handler);
  const key = credential.privateKey.export({ type: 'pkcs8', format: 'pem' });
  const secure = createHttpsServer({ ...limits, cert: credential.certificate, key, minVersion: 'TLSv1.2' }, handler);
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    socket.setTimeout(firstByteMilliseconds, () => socket.destroy());
    socket.once('data', (bytes: Buffer) => {
      socket.setTimeout(0);
      socket.removeAllListeners('timeout');
      socket.pause();
      socket.unshift(bytes);
      (bytes[0] === tlsHandshake ? secure : plain).emit('connection', socket);
      process.nextTick(() => socket.resume());
    });
  });
  server.maxConnections = mostConnections;
  server.listen(port, host);
  await once(server, 'listening');
  return () => close(server, sockets);
}

async function close(server: Server, sockets: ReadonlySet<Socket>): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  for (const socket of sockets) socket.destroy();
  await closed;
}
