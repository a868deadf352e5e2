import type { FastifyInstance } from 'fastify';
import { isBelow } from '#libs/http-server';
import './api-request.js';

/**
 * Tells a caller how much more it may ask (RateLimit-Policy and RateLimit, draft-ietf-httpapi-ratelimit-headers-10: q
 * and w are the quota and its window, r and t what is left and the seconds until all of it is there again), and which
 * client it is, once that is known.
 * @param pathPrefix path below which answers say so
 */
export function tellLimits(fastify: FastifyInstance, pathPrefix: string): void {
  fastify.addHook('onSend', (request, reply, payload, done) => {
    if (isBelow(request, pathPrefix)) {
      const { quotas = [], accessToken } = request;
      const join = (tell: (quota: (typeof quotas)[number]) => string): string => quotas.map(tell).join(', ');
      if (quotas.length > 0) {
        void reply.header(
          'ratelimit-policy',
          join(({ name, points, windowSeconds }) => `"${name}";q=${points};w=${windowSeconds}`),
        );
        void reply.header(
          'ratelimit',
          join(({ name, remaining, resetSeconds }) => `"${name}";r=${remaining};t=${resetSeconds}`),
        );
      }
      if (accessToken !== undefined) void reply.header('x-client-id', accessToken.clientId);
    }
    done(null, payload);
  });
}
