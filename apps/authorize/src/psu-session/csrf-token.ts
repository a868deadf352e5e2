import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * The token that every form of a page carries (OWASP: HMAC based token). It is derived from the session's value, which only
 * the browser's cookie holds and which changes with every step; so is the token.
 */
export function createCsrfToken(sessionValue: string): string {
  // @cryptography HMAC-SHA-256 | the session's own value | the token in the pages' forms
  return createHmac('sha256', sessionValue).update('csrf-token').digest('base64url');
}

/** @returns whether the form came from a page of this session, in the step it is in */
export function isCsrfToken(token: string | undefined, sessionValue: string): boolean {
  const expected = Buffer.from(createCsrfToken(sessionValue));
  const given = Buffer.from(token ?? '');
  return given.length === expected.length && timingSafeEqual(given, expected);
}
