import { createHmac } from 'node:crypto';

/**
 * The authorization code that a session can end with. It is derived, not drawn, so that each of several clicks on one button is answered with
 * the same code: the browser follows the answer to the last of them, and only a hash is stored. Whoever lacks the session's value, which is
 * random and lives in the browser's cookie alone, or the secret cannot compute it (RFC 6749 s10.10).
 * @param secret a key of this service
 * @param value of the session in its last stage
 * @returns 43 base64url characters
 */
export function createSessionCode({ secret, value }: { secret: Buffer; value: string }): string {
  // @cryptography HMAC-SHA-256 | SESSION_KEYS | the authorization code at the end of a session
  return createHmac('sha256', secret).update(`authorization-code:${value}`).digest('base64url');
}
