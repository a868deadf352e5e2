import { describe, expect, it } from '@jest/globals';
import { createHmac } from 'node:crypto';
import { hashClientSecret, isClientSecret, isUnderOldPepper } from './client-secret.js';

const secret = '0b6e3f5e-7a55-4a52-b2c9-6b2f4d7c2f10';
const first = { id: '2026', key: Buffer.alloc(32, 2) };
const second = { id: '2027', key: Buffer.alloc(32, 3) };

describe('the stored hash of a client secret', () => {
  it('counts under the pepper that it was made with, whichever is the first now', () => {
    for (const pepper of [first, second]) {
      const secretHash = hashClientSecret({ secret, peppers: [pepper] });
      expect(isClientSecret({ secret, secretHash, peppers: [second, first] })).toBe(true);
      expect(isClientSecret({ secret: `${secret}0`, secretHash, peppers: [second, first] })).toBe(false);
    }
  });

  it('is an HMAC, and the id of the pepper', () => {
    const hmac = createHmac('sha256', first.key).update(secret).digest();
    expect(hashClientSecret({ secret, peppers: [first, second] })).toEqual(Buffer.concat([hmac, Buffer.from('2026')]));
    expect(isClientSecret({ secret, secretHash: hmac, peppers: [first, second] })).toBe(false);
  });

  it('is useless once its pepper is removed, even with a key of the same id', () => {
    const secretHash = hashClientSecret({ secret, peppers: [first] });
    expect(isClientSecret({ secret, secretHash, peppers: [second] })).toBe(false);
    expect(isClientSecret({ secret, secretHash, peppers: [{ ...second, id: first.id }] })).toBe(false);
  });

  it('is nobody’s where there is none, or where it was cut off', () => {
    const secretHash = hashClientSecret({ secret, peppers: [first] });
    for (const none of [undefined, Buffer.alloc(0), secretHash.subarray(0, 31)]) {
      expect(isClientSecret({ secret, secretHash: none, peppers: [first] })).toBe(false);
    }
  });

  it('is old as long as a pepper other than the first made it', () => {
    const hashes = [first, second].map((pepper) => hashClientSecret({ secret, peppers: [pepper] }));
    expect(hashes.map((hash) => isUnderOldPepper(hash, [second, first]))).toEqual([true, false]);
    expect(isUnderOldPepper(Buffer.alloc(0), [second])).toBe(false);
  });
});
