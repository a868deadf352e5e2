import { createHmac } from 'node:crypto';

/** A step that gives a session a new value. */
export interface SessionStep {
  /** the present value */
  readonly value: string;
  readonly oneTimeCode?: string | undefined;
}

/**
 * The value of a session after its next step. Nobody who knew or set the present one can compute it (session fixation),
 * but two clicks on one button yield the same value, so it does not matter which answer the browser keeps.
 * @param secret a key of this service
 * @param step `oneTimeCode`: the right code, where a code leads on. A click with another one gets nothing of that step.
 * @returns 43 base64url characters
 */
export function createNextSessionValue({ secret, ...step }: { secret: Buffer } & SessionStep): string {
  // @cryptography HMAC-SHA-256 | SESSION_KEYS | the value of a session after its next step
  return createHmac('sha256', secret)
    .update(`next-session-value:${textOf(step)}`)
    .digest('base64url');
}

/** During a key rotation, another process may have advanced the session with another key. */
export function nextSessionValues(keys: readonly { readonly key: Buffer }[], step: SessionStep): string[] {
  return keys.map(({ key }) => createNextSessionValue({ secret: key, ...step }));
}

const textOf = ({ value, oneTimeCode }: SessionStep): string =>
  oneTimeCode === undefined ? value : `${value}:${oneTimeCode}`;
