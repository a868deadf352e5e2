import { hash, timingSafeEqual } from 'node:crypto';
import { InvalidGrantError, InvalidRequestError } from './errors/protocol-errors.js';

/** S256 gives 32 bytes, so always 43 characters (RFC 7636 s4.2). */
const S256_CHALLENGE = /^[A-Za-z0-9_-]{43}$/;
/** RFC 7636 s4.1. */
const CODE_VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;

/**
 * The challenge of an authorization request, or undefined without PKCE. Only S256; throws InvalidRequestError (RFC 7636
 * s4.4.1).
 */
export function parseCodeChallenge(challenge: unknown, method: unknown): string | undefined {
  if (challenge === undefined && method === undefined) return undefined;
  // An absent method would mean plain, which protects against nothing that TLS does not (RFC 9700 s2.1.1).
  if (method !== 'S256') throw new InvalidRequestError('code_challenge_method must be S256', { reason: 'pkce' });
  if (typeof challenge !== 'string' || !S256_CHALLENGE.test(challenge)) {
    throw new InvalidRequestError('code_challenge is not an S256 challenge', { reason: 'pkce' });
  }
  return challenge;
}

/**
 * Compares the verifier with the stored challenge (RFC 7636 s4.6). A challenge requires a verifier, and a verifier
 * without a challenge is refused as well, which stops PKCE downgrades (RFC 9700 s4.8.2). Throws InvalidGrantError.
 */
export function verifyCodeVerifier({
  codeChallenge,
  codeVerifier,
}: {
  codeChallenge: string | undefined;
  codeVerifier: string | undefined;
}): void {
  if (codeChallenge === undefined && codeVerifier === undefined) return;
  if (codeChallenge === undefined)
    throw new InvalidGrantError({ reason: 'code-verifier', detail: 'code_verifier without code_challenge' });
  if (codeVerifier === undefined)
    throw new InvalidGrantError({ reason: 'code-verifier', detail: 'code_verifier is missing' });
  if (!CODE_VERIFIER.test(codeVerifier))
    throw new InvalidGrantError({ reason: 'code-verifier', detail: 'code_verifier is malformed' });

  // @cryptography SHA-256 | none | PKCE S256
  const actual = hash('sha256', codeVerifier, 'buffer');
  const expected = Buffer.from(codeChallenge, 'base64url');
  if (expected.length !== actual.length || !timingSafeEqual(actual, expected)) {
    throw new InvalidGrantError({ reason: 'code-verifier', detail: 'code_verifier does not match' });
  }
}
