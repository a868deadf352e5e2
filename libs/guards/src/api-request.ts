import type { FastifyRequest } from 'fastify';
import type { DetachedJwsForm } from '#libs/jws';
import type { ClientCertificate } from '#libs/http-server';
import type { ActiveAccessToken } from './access-token-lookup.js';
import type { Quota } from './request-count.js';

/** What the guards have established about a request. Each guard sets its own member. */
declare module 'fastify' {
  interface FastifyRequest {
    clientCertificate?: ClientCertificate;
    accessToken?: ActiveAccessToken;
    idempotencyKey?: string;
    detachedJwsForm?: DetachedJwsForm;
    /** how many requests the limits still allow the caller */
    quotas?: (Quota & { readonly name: string })[];
  }
}

/** The raw body: every content type arrives as the bytes that were sent. */
export function rawBody(request: FastifyRequest): Buffer {
  return Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
}

/**
 * @param name lower-case name of a header that may be given once
 * @returns its value (undefined if absent), and whether it was sent more than once: the value is then incomplete
 */
export function singleHeader(request: FastifyRequest, name: string): { value?: string; isRepeated: boolean } {
  const value = request.headers[name];
  const isRepeated = Array.isArray(value) || countHeaderLines(request.raw.rawHeaders, name) > 1;
  return { ...(typeof value === 'string' ? { value } : {}), isRepeated };
}

/**
 * @param rawHeaders alternating names and values, as received
 * @param name lower-case name of a header
 * @returns how many lines of it there are: Node joins their values into one
 */
export function countHeaderLines(rawHeaders: readonly string[], name: string): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() === name) count += 1;
  }
  return count;
}
