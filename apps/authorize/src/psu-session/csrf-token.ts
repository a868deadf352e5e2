import { createHmac } from 'node:crypto';
import { isSameSecret } from './page-value.js';

/**
 * The token of every form (OWASP: HMAC based token). Derived from the session's value, which is only in the browser's
 * cookie, and changes with every step, as that value does.
 */
export function createCsrfToken(sessionValue: string): string {
  // @cryptography HMAC-SHA-256 | the session's own value | the token in the pages' forms
  return createHmac('sha256', sessionValue).update('csrf-token').digest('base64url');
}

/** @returns whether the form came from a page of this session in its current step */
export function isCsrfToken(token: string | undefined, sessionValue: string): boolean {
  return isSameSecret(token, createCsrfToken(sessionValue));
}
