import { createHash, randomBytes } from 'node:crypto';

/** A new authorization code or access token: 32 random octets as 43 base64url characters (RFC 6749 s10.10 asks for 2^-128, ideally 2^-160). */
export function createRandomToken(): string {
  return randomBytes(32).toString('base64url');
}

/** What is stored instead of a token: SHA-256 of its characters. No salt or key is needed, since the token itself is random. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token, 'utf8').digest();
}
