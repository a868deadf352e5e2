import type { FastifyRequest } from 'fastify';

/**
 * The router also takes escaped letters and absolute addresses (RFC 9112 s3.2.2) for the path that they mean, so the route
 * counts; what met no route goes by its address.
 * @param pathPrefix begins and ends with a slash
 * @returns whether the request is for something below the path
 */
export function isBelow(request: FastifyRequest, pathPrefix: string): boolean {
  return (request.routeOptions.url ?? request.url).startsWith(pathPrefix);
}
