import type { FastifyInstance } from 'fastify';
import { isBelow } from '#libs/http-server';

/**
 * Forbids caching of answers about payments, and of refusals: a 404 or 405 is cacheable by default (RFC 9110 s15.1, RFC
 * 9111 s5.2.2.5).
 * @param pathPrefix path below which this applies
 */
export function forbidCaching(fastify: FastifyInstance, pathPrefix: string): void {
  fastify.addHook('onSend', (request, reply, payload, done) => {
    if (isBelow(request, pathPrefix)) void reply.header('cache-control', 'no-store');
    done(null, payload);
  });
}
