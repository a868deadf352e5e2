import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * A reference on a page to something of the bank's. It is meaningful only in this session and reveals nothing.
 * @param sessionValue of the cookie, which nobody but the browser has
 * @returns 22 base64url characters
 */
export function createPageValue(sessionValue: string, kind: 'account' | 'challenge' | 'payees', text: string): string {
  // @cryptography HMAC-SHA-256 | the session's own value | references to accounts and challenges on pages
  return createHmac('sha256', sessionValue).update(`${kind}:${text}`).digest('base64url').slice(0, 22);
}

/** @returns whether a form belongs to this challenge; another tab may have started a newer one */
export function isOfChallenge(
  form: ReadonlyMap<string, string>,
  { sessionValue, challengeId }: { sessionValue: string; challengeId: string },
): boolean {
  return isSameSecret(form.get('challenge'), createPageValue(sessionValue, 'challenge', challengeId));
}

/** Compares in a time that tells nothing about the expected value. */
export function isSameSecret(given: string | undefined, expected: string): boolean {
  const [one, other] = [Buffer.from(given ?? ''), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
