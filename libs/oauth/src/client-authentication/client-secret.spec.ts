import { describe, expect, it } from '@jest/globals';
import { createHmac } from 'node:crypto';
import { hashClientSecret, isClientSecret, isUnderOldPepper } from './client-secret.js';

const secret = '0b6e3f5e-7a55-4a52-b2c9-6b2f4d7c2f10';
const unnamed = { id: '', key: Buffer.alloc(32, 1) };
const first = { id: '2026', key: Buffer.alloc(32, 2) };
const second = { id: '2027', key: Buffer.alloc(32, 3) };

describe('the stored hash of a client secret', () => {
  it('counts under the pepper that it was made with, whichever is the first now', () => {
    for (const pepper of [unnamed, first, second]) {
      const secretHash = hashClientSecret({ secret, peppers: [pepper] });
      expect(isClientSecret({ secret, secretHash, peppers: [first, second, unnamed] })).toBe(true);
      expect(isClientSecret({ secret: `${secret}0`, secretHash, peppers: [first, second, unnamed] })).toBe(false);
    }
  });

  it('is, without an id, the hash of version 0.2', () => {
    const older = createHmac('sha256', unnamed.key).update(secret).digest();
    expect(hashClientSecret({ secret, peppers: [unnamed, first] })).toEqual(older);
    expect(isClientSecret({ secret, secretHash: older, peppers: [first, unnamed] })).toBe(true);
  });

  it('is useless once its pepper is removed, even with a key of the same id', () => {
    const secretHash = hashClientSecret({ secret, peppers: [first] });
    expect(isClientSecret({ secret, secretHash, peppers: [second, unnamed] })).toBe(false);
    expect(isClientSecret({ secret, secretHash, peppers: [{ ...second, id: first.id }] })).toBe(false);
  });

  it('is nobody’s where there is none, or where it was cut off', () => {
    const secretHash = hashClientSecret({ secret, peppers: [unnamed] });
    for (const none of [undefined, Buffer.alloc(0), secretHash.subarray(0, 31)]) {
      expect(isClientSecret({ secret, secretHash: none, peppers: [unnamed] })).toBe(false);
    }
  });

  it('is old as long as a pepper other than the first made it', () => {
    const hashes = [first, second].map((pepper) => hashClientSecret({ secret, peppers: [pepper] }));
    expect(hashes.map((hash) => isUnderOldPepper(hash, [second, first]))).toEqual([true, false]);
    expect(isUnderOldPepper(Buffer.alloc(0), [second])).toBe(false);
  });
});
