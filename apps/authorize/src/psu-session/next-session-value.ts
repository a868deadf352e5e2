import { createHmac } from 'node:crypto';

/**
 * The value of a session after its next step. Nobody who knew or set the present one can compute it (session fixation),
 * but two clicks on one button yield the same value, so it does not matter which answer the browser keeps.
 * @param secret a key of this service
 * @returns 43 base64url characters
 */
export function createNextSessionValue({ secret, value }: { secret: Buffer; value: string }): string {
  // @cryptography HMAC-SHA-256 | SESSION_KEYS | the value of a session after its next step
  return createHmac('sha256', secret).update(`next-session-value:${value}`).digest('base64url');
}

/** During a key rotation, another process may have advanced the session with another key. */
export function nextSessionValues(keys: readonly { readonly key: Buffer }[], value: string): string[] {
  return keys.map(({ key }) => createNextSessionValue({ secret: key, value }));
}
