import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';
import './request.js';

/** Name of the correlation header (Read/Write profile: RFC 4122 UID, played back on every response). */
export const interactionIdHeader = 'x-fapi-interaction-id';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** @returns whether the value has the form that RFC 4122 gives a UUID, in any case of letters */
export function isInteractionId(value: unknown): value is string {
  return typeof value === 'string' && uuid.test(value);
}

/** @returns the id of a request; a new one if it has none or a malformed one, which is not echoed */
export function interactionIdOf(headers: IncomingHttpHeaders): string {
  const given = headers[interactionIdHeader];
  return isInteractionId(given) ? given : randomUUID();
}

/** Sets the interaction id first, before anything can refuse the request. */
export function addInteractionId(fastify: FastifyInstance): void {
  fastify.decorateRequest('interactionId', '');
  fastify.addHook('onRequest', (request, reply, done) => {
    request.interactionId = interactionIdOf(request.headers);
    void reply.header(interactionIdHeader, request.interactionId);
    done();
  });
}
