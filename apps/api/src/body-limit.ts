import type { RouteOptions } from 'fastify';
import { pispPath } from './resource-request.js';

/** Registration requests, and whatever needs no body at all. */
export const smallestBodyLimitBytes = 65_536;
/** Consents and file payments. */
const resourceBodyLimitBytes = 262_144;
/**
 * 150 payments with every member at its longest fit: in any script unescaped (0.65 MB), in ASCII even with every character escaped (0.93 MB).
 * What a request costs goes by its octets, and twice as many would let it cost twice as much without letting in any file that a program writes.
 */
export const fileBodyLimitBytes = 1_048_576;

/** Hook for every new route: the longest body that it reads into memory. */
export function limitBody(route: RouteOptions): void {
  if (![route.method].flat().includes('POST') || !route.url.startsWith(`/${pispPath}/`)) return;
  route.bodyLimit = route.url.endsWith('/file') ? fileBodyLimitBytes : resourceBodyLimitBytes;
}
