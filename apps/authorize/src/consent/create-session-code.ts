import { createHmac } from 'node:crypto';

/**
 * The authorization code of a session. Derived, not random, so that each of several clicks on one button gets the same
 * code, although only a hash is stored: the browser follows the last answer. Computing it requires the secret and the
 * session's value, which is random and only in the browser's cookie (RFC 6749 s10.10).
 * @param secret a key of this service
 * @param value of the session in its last stage
 * @returns 43 base64url characters
 */
export function createSessionCode({ secret, value }: { secret: Buffer; value: string }): string {
  // @cryptography HMAC-SHA-256 | SESSION_KEYS | the authorization code at the end of a session
  return createHmac('sha256', secret).update(`authorization-code:${value}`).digest('base64url');
}
