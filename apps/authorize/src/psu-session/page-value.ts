import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * What stands on a page for something of the bank's: it means something in this session alone, and tells nobody else what it is.
 * @param sessionValue of the cookie, which nobody but the browser has
 * @returns 22 base64url characters
 */
export function createPageValue(sessionValue: string, kind: 'account' | 'challenge' | 'payees', text: string): string {
  // @cryptography HMAC-SHA-256 | the session's own value | references to accounts and challenges on pages
  return createHmac('sha256', sessionValue).update(`${kind}:${text}`).digest('base64url').slice(0, 22);
}

/** @returns whether a form was made for this challenge: another tab may have asked for another one since */
export function isOfChallenge(
  form: ReadonlyMap<string, string>,
  { sessionValue, challengeId }: { sessionValue: string; challengeId: string },
): boolean {
  const expected = Buffer.from(createPageValue(sessionValue, 'challenge', challengeId));
  const given = Buffer.from(form.get('challenge') ?? '');
  return given.length === expected.length && timingSafeEqual(given, expected);
}
