import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { HttpsServer } from '../../create-https-server.js';
import { accountsBelow, accountsVersions } from './account-resources.js';

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
