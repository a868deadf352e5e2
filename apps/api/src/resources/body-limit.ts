import type { RouteOptions } from 'fastify';
import type { BodyLimit } from './resource.decorator.js';

/** Registration requests, and routes without a body. */
export const smallestBodyLimitBytes = 65_536;
/** Consents and file payments. */
export const resourceBodyLimitBytes = 262_144;

/** Hook for every new route: the maximum length of a body that it reads. */
export function limitBody(route: RouteOptions): void {
  const { longestBody } = (route.config ?? {}) as BodyLimit;
  if (longestBody !== undefined) route.bodyLimit = longestBody;
}
