import { hash, randomFillSync } from 'node:crypto';

const bytesPerToken = 32;
/** Random bytes for the next tokens: drawing them for each token would cost more than the rest of its creation. */
const drawn = Buffer.alloc(128 * bytesPerToken);
let used = drawn.length;

/**
 * A new authorization code or access token: 32 random bytes as 43 base64url characters (RFC 6749 s10.10 asks for
 * 2^-128, ideally 2^-160).
 */
export function createRandomToken(): string {
  if (used === drawn.length) {
    randomFillSync(drawn);
    used = 0;
  }
  const start = used;
  used += bytesPerToken;
  const token = drawn.toString('base64url', start, used);
  // No byte is used twice, or kept.
  drawn.fill(0, start, used);
  return token;
}

// @cryptography SHA-256, random bytes of the system | none | access and refresh tokens, request URIs and first values
// of sessions: 32 random bytes; the database stores their hash
/**
 * What is stored instead of a token: SHA-256 of its characters. No salt or key is needed, since the token itself is
 * random.
 */
export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
