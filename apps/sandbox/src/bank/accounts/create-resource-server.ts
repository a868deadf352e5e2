import { randomUUID, X509Certificate } from 'node:crypto';
import { TLSSocket } from 'node:tls';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { certificateThumbprint, verifyCertificateChain } from '#libs/certificates';
import {
  BodilessError,
  interactionIdHeader,
  isInteractionId,
  type Refusal as RefusalReport,
  reportRefusal,
} from '#libs/http-server';
import { parseBearerAuthorization } from '#libs/oauth';
import type { HttpsServer } from '../../create-https-server.js';
import type { RevokedCertificates } from '../../trust/revoked-certificates.js';
import { accountResources, accountsBelow, accountsVersions } from './account-resources.js';
import { findAccounts, getAccount } from './bank-accounts.js';
import type { Introspection } from './introspection.js';
import { type AccountsVersion, errorBody, Refusal, Unauthorised } from './refusal.js';
import { type AccountAccess, verifyAccess, verifyPermission } from './verify-access.js';

const resource = /\/accounts(?:\/[^/?]+(?:\/balances)?)?(?:\?|$)/;
const type = 'application/json; charset=utf-8';

type AccountRequest = FastifyRequest<{ Params: { AccountId?: string } }>;

/**
 * The bank's own server for account information (GET /accounts and below, Read/Write API 3.1.11 and 4.0.1). It uses
 * only the introspection endpoint of the service. It has no port: the server that ends TLS passes requests to
 * `routing`, with their sockets.
 * @param options.pool the bank's own database
 * @param options.authority PEM of the authority of TPPs' certificates
 * @param options.revoked what that authority has revoked
 * @param options.baseUrl public address of the APIs
 */
// oxlint-disable-next-line max-lines-per-function -- a list of routes
export function createResourceServer(options: {
  pool: Pool;
  introspection: Pick<Introspection, 'ask'>;
  authority: string;
  revoked: Pick<RevokedCertificates, 'list'>;
  baseUrl: string;
  log: Logger;
}): HttpsServer {
  const { pool, introspection, revoked, baseUrl, log } = options;
  const trustAnchors = [new X509Certificate(options.authority)];
  const server = fastify({ https: {}, exposeHeadRoutes: false, routerOptions: { maxParamLength: 16_384 } });

  server.addHook('onRequest', async (request, reply) => {
    const given = request.headers[interactionIdHeader];
    request.interactionId = isInteractionId(given) ? given : randomUUID();
    reply.headers({
      [interactionIdHeader]: request.interactionId,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
    });
    const isThere = resource.test(request.url);
    if (!isThere) throw new BodilessError(404, 'no such resource');
    if (request.method !== 'GET') throw new BodilessError(405, 'the methods here are GET', { allow: 'GET' });
    if (!acceptsJson(request)) throw new BodilessError(406, 'the answer is application/json only');
    if (given !== undefined && !isInteractionId(given)) {
      throw new Refusal(400, 'Header.Invalid', `${interactionIdHeader} must be a UUID (RFC 4122).`, {
        rule: `header.${interactionIdHeader}`,
        expected: 'a UUID (RFC 4122)',
        got: String(given).slice(0, 60),
      });
    }
  });
  server.setErrorHandler((error, request, reply) => {
    reportRefusal({ request, ...reportOf(error) });
    if (error instanceof Unauthorised) return reply.code(401).header('www-authenticate', error.challenge).send();
    if (error instanceof BodilessError) return reply.code(error.status).headers(error.headers).send();
    const refusal = error instanceof Refusal ? error : unexpected;
    if (refusal === unexpected) log.error({ err: error, server: 'resource-server' }, 'The request failed.');
    return reply
      .code(refusal.status)
      .type(type)
      .send(errorBody(refusal, request.url.startsWith(accountsBelow('4.0')) ? '4.0' : '3.1'));
  });

  /** What the caller may read, by its token and by the certificate of this connection. */
  async function accessOf(request: FastifyRequest, version: AccountsVersion): Promise<AccountAccess> {
    const certificate = certificateOf(request, trustAnchors);
    if (certificate === undefined || (await isRevoked(certificate, revoked)))
      throw new Unauthorised('Bearer', 'certificate-missing');
    const thumbprint = certificateThumbprint(certificate);
    // RFC 6750 s2: only the header counts.
    const { authorization } = request.headers;
    if (authorization === undefined) throw new Unauthorised('Bearer', 'token-missing');
    const token = parseBearerAuthorization(authorization);
    if (token === undefined || 'access_token' in (request.query as object)) {
      throw new Unauthorised('Bearer error="invalid_token"', 'token-malformed');
    }
    return verifyAccess(await introspection.ask(token), { thumbprint, version });
  }

  for (const version of accountsVersions) {
    for (const { path, needed, write } of accountResources) {
      const url = `${accountsBelow(version)}${path}`;
      server.get(url, async (request: AccountRequest, reply) => {
        const access = await accessOf(request, version);
        verifyPermission(access, ...needed);
        const { AccountId } = request.params;
        const accounts =
          AccountId === undefined ? await findAccounts(pool, access) : [await getAccount(pool, access, AccountId)];
        const self = `${baseUrl}${url.replace(':AccountId', accounts[0]?.accountId ?? '')}`;
        return reply
          .type(type)
          .send(write({ accounts, hasDetail: hasDetail(access), now: new Date() }, { version, self }));
      });
    }
  }
  return server;
}

/** The report for `why`, in the form of the service's own refusals. */
function reportOf(error: unknown): Pick<RefusalReport, 'status' | 'error'> {
  if (error instanceof Unauthorised) {
    return { status: 401, error: new BodilessError(401, `accounts: ${error.reason}`, {}, error.reason) };
  }
  const isKnown = error instanceof Refusal || error instanceof BodilessError;
  return { status: isKnown ? error.status : unexpected.status, error };
}

const unexpected = new Refusal(500, 'UnexpectedError', 'The request could not be processed.');

const hasDetail = ({ permissions }: AccountAccess): boolean => permissions.includes('ReadAccountsDetail');

function acceptsJson({ headers }: FastifyRequest): boolean {
  return new Negotiator({ headers }).mediaType(['application/json', 'application/json; charset=utf-8']) !== undefined;
}

/**
 * The certificate of the connection: one of a TPP, valid now. The listener requests a certificate without requiring
 * one, and trusts further authorities.
 */
function certificateOf(
  { raw: { socket } }: FastifyRequest,
  trustAnchors: readonly X509Certificate[],
): X509Certificate | undefined {
  if (!(socket instanceof TLSSocket) || !socket.authorized) return undefined;
  const certificate = socket.getPeerX509Certificate();
  if (certificate === undefined) return undefined;
  try {
    verifyCertificateChain({ certificate, intermediates: [], trustAnchors, now: new Date() });
  } catch {
    // A certificate of another authority, not valid, or not for this use, counts as no certificate.
    return undefined;
  }
  return certificate;
}

/** A certificate may be revoked after a token was issued over it. */
async function isRevoked(
  { serialNumber }: X509Certificate,
  revoked: Pick<RevokedCertificates, 'list'>,
): Promise<boolean> {
  const list = await revoked.list();
  return list.some((entry) => entry.serialNumber === serialNumber.toLowerCase());
}

/**
 * Acts as a bank's ingress: forwards /accounts and everything below it to the bank's own server. The request keeps its
 * connection, and with it the client certificate.
 * @param fastify of the api app, not listening yet
 * @param versions of the API that are served
 */
export async function routeToResourceServer(
  fastify: FastifyInstance,
  resourceServer: HttpsServer,
  versions: readonly string[],
): Promise<void> {
  await resourceServer.ready();
  // Before the body is read, because the other server reads it.
  const onRequest = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    request.raw.headers['x-fapi-interaction-id'] ??= request.interactionId;
    reply.hijack();
    resourceServer.routing(request.raw, reply.raw);
  };
  for (const version of accountsVersions.filter((known) => versions.includes(known))) {
    for (const url of [accountsBelow(version), `${accountsBelow(version)}/*`]) {
      fastify.all(url, { onRequest }, (_request, reply) => reply.code(404).send());
    }
  }
}
