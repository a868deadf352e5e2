import type { RouteOptions } from 'fastify';
import { mostOctets } from '#libs/file-payment';
import { pispPath } from './resource-request.js';

/** Registration requests, and whatever needs no body at all. */
export const smallestBodyLimitBytes = 65_536;
/** Consents and file payments. */
const resourceBodyLimitBytes = 262_144;

/** Hook for every new route: the longest body that it reads into memory. */
export function limitBody(route: RouteOptions): void {
  if (![route.method].flat().includes('POST') || !route.url.startsWith(`/${pispPath}/`)) return;
  route.bodyLimit = route.url.endsWith('/file') ? mostOctets : resourceBodyLimitBytes;
}
