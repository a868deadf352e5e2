import { METHODS } from 'node:http';
import { NotFoundException } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { BodilessError } from './bodiless-error.js';
import { reportRefusal } from './refusals.js';
import './request.js';

/**
 * Every method that Node parses, so that none makes a path look unknown. CONNECT has no path: see UnreadableRequests.
 */
const methods: readonly string[] = METHODS.filter((method) => method !== 'CONNECT');

/**
 * Fastify answers 404 to a known path with another method; the standards ask for 405 with `Allow` (RFC 9110 s15.5.6).
 * Both are answered before the body is read.
 * Call {@link watchRoutes} before any route is added and the returned function after the last one.
 */
export function watchRoutes(fastify: FastifyInstance): { addMethodNotAllowedRoutes: () => void } {
  const routes = new Map<string, Set<string>>();
  let isAdding = false;
  fastify.addHook('onRequest', (request, _reply, done) => {
    done(request.is404 ? new NotFoundException() : undefined);
  });
  fastify.addHook('onRoute', (route) => {
    if (isAdding) return;
    const known = routes.get(route.url) ?? new Set<string>();
    for (const method of [route.method].flat()) known.add(method);
    routes.set(route.url, known);
  });
  return {
    addMethodNotAllowedRoutes() {
      isAdding = true;
      for (const method of methods) if (!fastify.supportedMethods.includes(method)) fastify.addHttpMethod(method);
      for (const [url, known] of routes) {
        const others = methods.filter((method) => !known.has(method));
        if (others.length === 0 || url.includes('*')) continue;
        const allow = [...known].sort().join(', ');
        fastify.route({
          method: others,
          url,
          config: { isMethodNotAllowed: true },
          onRequest: (request: FastifyRequest, reply: FastifyReply) => answer(request, reply, allow),
          handler: (request: FastifyRequest, reply: FastifyReply) => answer(request, reply, allow),
        });
      }
    },
  };
}

async function answer(request: FastifyRequest, reply: FastifyReply, allow: string): Promise<FastifyReply> {
  // A path that ends where an id is expected is another, unknown path.
  if (Object.values(request.params as Record<string, string>).includes('')) throw new NotFoundException();
  const error = new BodilessError(405, `the methods here are ${allow}`, { allow });
  reportRefusal({ request, status: 405, error });
  return reply.status(405).header('allow', allow).send();
}
