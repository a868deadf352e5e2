import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import './request.js';

/**
 * One line for each answer: what was asked of which route, and how it ended. The route's template stands for the path,
 * and neither query, headers nor body are logged: codes, tokens and files travel there.
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
