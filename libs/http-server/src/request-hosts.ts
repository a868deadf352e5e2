import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isIP } from 'node:net';
import { TLSSocket } from 'node:tls';
import { BodilessError } from './bodiless-error.js';
import { isHealthCheck } from './health-check.js';

/**
 * Answers 421 to a request that is not for this listener (RFC 9110 s7.4, s15.5.20): its `Host` is not one of our hosts,
 * occurs twice, or differs from the address or from the server name of the TLS connection. So a connection to one
 * profile can never carry a request for another. Ports are not compared: an ingress may translate them. Health checks
 * use an IP address and are exempt.
 * @param options.hosts names, in lower case, without port
 * @param options.isServerNameOurs whether TLS ends here, so that the server name (SNI) is the client's own
 */
export function refuseOtherHosts(
  fastify: FastifyInstance,
  options: { hosts: ReadonlySet<string>; isServerNameOurs: boolean },
): void {
  const { hosts, isServerNameOurs } = options;
  fastify.addHook('onRequest', (request, _reply, done) => {
    const { headers, httpVersion } = request.raw;
    if (headers.host === undefined && httpVersion !== '1.0' && !isHealthCheck(request)) {
      // RFC 9112 s3.2: HTTP/1.1 requires it.
      done(new BodilessError(400, 'the request has no Host'));
      return;
    }
    const name = hostNameOf(request);
    const isOurs = name !== undefined && hosts.has(name) && (!isServerNameOurs || isForServerName(request, name));
    done(isOurs || isHealthCheck(request) ? undefined : new BodilessError(421, 'the request is for another host'));
  });
}

/**
 * @param address an absolute URL, or the value of a Host header
 * @returns the name alone, in lower case
 */
export function toHostName(address: string): string {
  const host = address.replace(/^https:\/\//, '').replace(/\/.*$/, '');
  return withoutPort(host);
}

function withoutPort(host: string): string {
  return host.replace(/\.?(?::\d*)?$/, '').toLowerCase();
}

/** @returns undefined if there is not exactly one, or the address names another */
function hostNameOf({ raw }: FastifyRequest): string | undefined {
  const { host } = raw.headers;
  if (host === undefined) return undefined;
  // Node keeps the first of several; a proxy in front may have used another one.
  const { rawHeaders } = raw;
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  const named = withoutPort(host);
  // An absolute address also names the host (RFC 9112 s3.2.2), which must be the same.
  const [, authority] = /^https?:\/\/([^/?#]*)/i.exec(raw.url ?? '') ?? [];
  return count === 1 && (authority === undefined || withoutPort(authority) === named) ? named : undefined;
}

/**
 * A client that connects to an IP address sends no server name, and a server name is never an IP address (RFC 6066 s3):
 * in both cases only the Host header is compared.
 */
function isForServerName({ raw }: FastifyRequest, name: string): boolean {
  if (isIP(name.replace(/^\[|\]$/g, '')) !== 0) return true;
  const { socket } = raw;
  const serverName: unknown = socket instanceof TLSSocket ? Reflect.get(socket, 'servername') : undefined;
  return typeof serverName !== 'string' || serverName === '' || withoutPort(serverName) === name;
}
