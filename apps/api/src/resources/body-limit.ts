import type { RouteOptions } from 'fastify';
import type { BodyLimit } from './resource.decorator.js';

/** Registration requests, and whatever needs no body at all. */
export const smallestBodyLimitBytes = 65_536;
/** Consents and file payments. */
export const resourceBodyLimitBytes = 262_144;

/** Hook for every new route: the longest body that it reads into memory. */
export function limitBody(route: RouteOptions): void {
  const { longestBody } = (route.config ?? {}) as BodyLimit;
  if (longestBody !== undefined) route.bodyLimit = longestBody;
}
