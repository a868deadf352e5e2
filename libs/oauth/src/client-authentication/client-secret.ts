import { createHmac, timingSafeEqual } from 'node:crypto';

/** The stored form of a client secret: HMAC-SHA-256(pepper, secret). Secrets are random UUIDs, so no slow hash is needed. */
export function hashClientSecret({ secret, pepper }: { secret: string; pepper: Buffer }): Buffer {
  return createHmac('sha256', pepper).update(secret, 'utf8').digest();
}

/** Compares a presented secret with the stored hash in constant time. `secretHash` undefined (no such client) costs the same and is false. */
export function isClientSecret({
  secret,
  secretHash,
  pepper,
}: {
  secret: string;
  secretHash: Buffer | undefined;
  pepper: Buffer;
}): boolean {
  const actual = hashClientSecret({ secret, pepper });
  const expected = secretHash?.length === actual.length ? secretHash : Buffer.alloc(actual.length);
  return timingSafeEqual(actual, expected) && expected === secretHash;
}
