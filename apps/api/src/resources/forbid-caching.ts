import type { FastifyInstance } from 'fastify';
import { isBelow } from '#libs/http-server';

/**
 * Nothing on the way may keep an answer about somebody's payments, nor a refusal that may be none the next time: a 404 or
 * 405 can be kept by default (RFC 9110 s15.1, RFC 9111 s5.2.2.5).
 * @param pathPrefix path below which answers say so
 */
export function forbidCaching(fastify: FastifyInstance, pathPrefix: string): void {
  fastify.addHook('onSend', (request, reply, payload, done) => {
    if (isBelow(request, pathPrefix)) void reply.header('cache-control', 'no-store');
    done(null, payload);
  });
}
