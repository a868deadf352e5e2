import type { FastifyInstance } from 'fastify';
import { type Clock, type Config, serviceSigningKey } from '#libs/config';
import { isBelow } from '#libs/http-server';
import { createDetachedJws, type DetachedJwsForm } from '#libs/jws';
import './api-request.js';

/**
 * Signs every answer with a body below the given path, errors included, over the exact octets that are sent (Read/Write
 * profile, message signing). A POST is answered in the form that the request used, a GET in the configured one.
 * @param pathPrefix path below which answers are signed
 * @param form the only one there, if there is no other
 */
export function addResponseSignature(
  fastify: FastifyInstance,
  { config, clock, pathPrefix, form }: { config: Config; clock: Clock; pathPrefix: string; form?: DetachedJwsForm },
): void {
  const { signing } = config;
  const key = serviceSigningKey(config);
  fastify.addHook('onSend', async (request, reply, payload) => {
    if (!isBelow(request, pathPrefix) || (typeof payload !== 'string' && !Buffer.isBuffer(payload))) return payload;
    const body = typeof payload === 'string' ? Buffer.from(payload) : payload;
    if (body.length === 0) return payload;
    const detachedJws = await createDetachedJws({
      body,
      key,
      issuer: signing.organisationId,
      trustAnchor: signing.trustAnchor,
      form: form ?? request.detachedJwsForm ?? signing.responseForm,
      now: clock.now(),
    });
    void reply.header('x-jws-signature', detachedJws);
    return body;
  });
}
