import { hash, randomFillSync } from 'node:crypto';

const bytesPerToken = 32;
/**
 * A token begins with the time, and so does its hash: rows that are stored together then lie together in their index.
 * With random keys each would touch a page of its own, which PostgreSQL logs whole.
 */
const bytesOfTime = 3;
/** Long enough for many pages, so that processes do not all write into one. The times repeat after 34 years. */
const millisecondsPerTime = 2 ** 16;
/** Random bytes for the next tokens: drawing them for each token would cost more than the rest of its creation. */
const drawn = Buffer.alloc(128 * bytesPerToken);
let used = drawn.length;

/**
 * A new access token, refresh token, request URI or first value of a session: the time and 29 random bytes, as 43
 * base64url characters (RFC 6749 s10.10 asks for 2^-128, ideally 2^-160).
 */
export function createRandomToken(): string {
  if (used === drawn.length) {
    randomFillSync(drawn);
    used = 0;
  }
  const start = used;
  used += bytesPerToken;
  drawn.writeUIntBE(Math.floor(Date.now() / millisecondsPerTime) % 2 ** (8 * bytesOfTime), start, bytesOfTime);
  const token = drawn.toString('base64url', start, used);
  // No byte is used twice, or kept.
  drawn.fill(0, start, used);
  return token;
}

// @cryptography SHA-256, random bytes of the system | none | access and refresh tokens, request URIs and first values
// of sessions: 29 random bytes behind the time; the database stores their hash
/**
 * What is stored instead of a token: its time, then SHA-256 of its characters without the first 24 bits. No salt or
 * key is needed, since the token itself is random.
 */
export function hashToken(token: string): Buffer {
  const hashed = hash('sha256', token, 'buffer');
  hashed.write(token, 0, bytesOfTime, 'base64url');
  return hashed;
}
