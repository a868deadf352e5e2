import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import './request.js';

/** Name of the correlation header (Read/Write profile: RFC 4122 UID, played back on every response). */
export const interactionIdHeader = 'x-fapi-interaction-id';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** @returns whether the value has the form that RFC 4122 gives a UUID, in any case of letters */
export function isInteractionId(value: unknown): value is string {
  return typeof value === 'string' && uuid.test(value);
}

/**
 * Sets the interaction id in the outermost layer, before anything can refuse the request. A malformed value is not
 * played back: the answer gets an id of our own.
 */
export function addInteractionId(fastify: FastifyInstance): void {
  fastify.decorateRequest('interactionId', '');
  fastify.addHook('onRequest', (request, reply, done) => {
    const given = request.headers[interactionIdHeader];
    request.interactionId = isInteractionId(given) ? given : randomUUID();
    void reply.header(interactionIdHeader, request.interactionId);
    done();
  });
}
