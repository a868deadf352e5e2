import { createHmac } from 'node:crypto';

/**
 * The value that a session gets with its next step. Somebody who knew or set the present one cannot compute it (session
 * fixation); yet two clicks on one button come to the same value, so that it does not matter whose answer the browser keeps.
 * @param secret a key of this service
 * @returns 43 base64url characters
 */
export function createNextSessionValue({ secret, value }: { secret: Buffer; value: string }): string {
  // @cryptography HMAC-SHA-256 | SESSION_KEYS | the value of a session after its next step
  return createHmac('sha256', secret).update(`next-session-value:${value}`).digest('base64url');
}
