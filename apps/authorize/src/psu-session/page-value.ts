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
  const expected = Buffer.from(createPageValue(sessionValue, 'challenge', challengeId));
  const given = Buffer.from(form.get('challenge') ?? '');
  return given.length === expected.length && timingSafeEqual(given, expected);
}
