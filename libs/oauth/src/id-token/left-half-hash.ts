import { hash } from 'node:crypto';

/**
 * `c_hash`, `s_hash` or `at_hash` of a code, state or access token: the left half of its SHA-256, base64url (OIDC Core
 * s3.1.3.6, s3.3.2.11, FAPI 1.0 Advanced s5.2.2.1). SHA-256 belongs to both PS256 and ES256.
 */
export function leftHalfHash(value: string): string {
  // @cryptography SHA-256 | none | c_hash, s_hash and at_hash of ID tokens
  return hash('sha256', Buffer.from(value, 'ascii'), 'buffer').subarray(0, 16).toString('base64url');
}
