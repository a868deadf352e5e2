import type { FastifyRequest } from 'fastify';

/**
 * The router resolves escaped letters and absolute addresses (RFC 9112 s3.2.2), so this compares the route; a request
 * without a route is compared by its address.
 * @param pathPrefix begins and ends with a slash
 * @returns whether the request is below the path
 */
export function isBelow(request: FastifyRequest, pathPrefix: string): boolean {
  return (request.routeOptions.url ?? request.url).startsWith(pathPrefix);
}
