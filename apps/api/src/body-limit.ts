import type { RouteOptions } from 'fastify';
import { pispPath } from './resource-request.js';

/** Registration requests, and whatever needs no body at all. */
export const smallestBodyLimitBytes = 65_536;
/** Consents and file payments. */
const resourceBodyLimitBytes = 262_144;
/**
 * 150 payments with every member at its longest fit in any script (246 kB in ASCII, 653 kB with four octets a character), and 300 octets of
 * SupplementaryData with each. What a request costs goes by its octets: nothing may cost more than the longest file of the standard.
 */
export const fileBodyLimitBytes = 700_000;

/** Hook for every new route: the longest body that it reads into memory. */
export function limitBody(route: RouteOptions): void {
  if (![route.method].flat().includes('POST') || !route.url.startsWith(`/${pispPath}/`)) return;
  route.bodyLimit = route.url.endsWith('/file') ? fileBodyLimitBytes : resourceBodyLimitBytes;
}
