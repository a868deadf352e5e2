import { createHmac, timingSafeEqual } from 'node:crypto';
import { currentKey, type NamedKey } from '../named-key.js';

const hashLength = 32;

/**
 * The stored form of a client secret: HMAC-SHA-256(pepper, secret), and the id of the pepper in ASCII behind it, so
 * that peppers can be changed. Secrets are random UUIDs, so no slow hash is needed.
 * @param peppers the first one hashes
 * @cryptography HMAC-SHA-256 | CLIENT_SECRET_PEPPER | the stored form of client secrets: `clients.secret_hash`
 */
export function hashClientSecret({ secret, peppers }: { secret: string; peppers: readonly NamedKey[] }): Buffer {
  const { id, key } = currentKey(peppers);
  return Buffer.concat([hmac(key, secret), Buffer.from(id, 'ascii')]);
}

/**
 * Compares a presented secret with the stored hash in constant time. `secretHash` undefined (no such client) takes the
 * same time and is false; so does a hash whose pepper is gone.
 */
export function isClientSecret(options: {
  secret: string;
  secretHash: Buffer | undefined;
  peppers: readonly NamedKey[];
}): boolean {
  const { secret, secretHash, peppers } = options;
  const isHash = secretHash !== undefined && secretHash.length >= hashLength;
  const pepper = isHash ? peppers.find(({ id }) => id === pepperIdOf(secretHash)) : undefined;
  const actual = hmac((pepper ?? currentKey(peppers)).key, secret);
  const expected = isHash ? secretHash.subarray(0, hashLength) : Buffer.alloc(hashLength);
  return timingSafeEqual(actual, expected) && pepper !== undefined;
}

/** @returns whether a stored hash was made with a pepper other than the current one */
export function isUnderOldPepper(secretHash: Buffer, peppers: readonly NamedKey[]): boolean {
  return secretHash.length >= hashLength && pepperIdOf(secretHash) !== currentKey(peppers).id;
}

function pepperIdOf(secretHash: Buffer): string {
  return secretHash.subarray(hashLength).toString('ascii');
}

function hmac(pepper: Buffer, secret: string): Buffer {
  return createHmac('sha256', pepper).update(secret, 'utf8').digest();
}
