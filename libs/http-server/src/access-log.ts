import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import './request.js';

/**
 * One line for each answer: method, route and result. It has the route's template instead of the path, and no query,
 * headers or body, which may contain codes, tokens and files.
 */
export function addAccessLog(fastify: FastifyInstance, logger: Logger): void {
  if (!logger.isLevelEnabled('info')) return;
  fastify.addHook('onResponse', (request, reply, done) => {
    logger.info({
      interactionId: request.interactionId,
      method: request.method,
      route: request.routeOptions.url ?? 'unknown',
      status: reply.statusCode,
      milliseconds: Math.round(reply.elapsedTime * 10) / 10,
    });
    done();
  });
}
