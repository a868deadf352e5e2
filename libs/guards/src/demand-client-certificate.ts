import type { FastifyInstance } from 'fastify';
import { BodilessError } from '#libs/error-envelope';
import { bearerChallenge } from '#libs/oauth';
import type { ClientCertificateReader } from './client-certificate-reader.js';

/**
 * Refuses requests without a verified client certificate before their body is read, so that strangers cannot make the
 * process hold a body. The route's guard checks revocation, which may take a while. Paths and methods that do
 * not exist get 404 and 405. Call this before the routes are created.
 * @param options.pathPrefixes of the routes; each means the path itself and everything below
 */
export function demandClientCertificate(
  fastify: FastifyInstance,
  options: { certificates: Pick<ClientCertificateReader, 'read'>; pathPrefixes: readonly string[] },
): void {
  const { certificates, pathPrefixes } = options;
  fastify.addHook('onRoute', (route) => {
    const isBelow = pathPrefixes.some((prefix) => route.url === prefix || route.url.startsWith(`${prefix}/`));
    if (!isBelow || route.config?.isMethodNotAllowed === true) return;
    route.onRequest = [
      ...[route.onRequest ?? []].flat(),
      (request, _reply, done) => {
        done(certificates.read(request) === undefined ? noClientCertificate() : undefined);
      },
    ];
  });
}

/** 401 without a body (FAPI 1.0 Advanced s5.2.2, RFC 9110 s15.5.2). */
export function noClientCertificate(): BodilessError {
  const headers = { 'www-authenticate': bearerChallenge, 'cache-control': 'no-store', pragma: 'no-cache' };
  return new BodilessError(401, 'no verified client certificate', headers, 'certificate-missing');
}
