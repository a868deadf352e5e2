import { webcrypto } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { type KeySet, keyThumbprint, type VerificationKey } from '#libs/jws';
import { KeySetError } from './directory.errors.js';
import { RevokedKeys } from './revoked-keys.js';

const uri = 'https://keystore.directory.test/a-revoked.jwks';
const aKey = async (): Promise<VerificationKey> =>
  (await webcrypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify'])).publicKey;
const [kept, revoked] = [await aKey(), await aKey()];
const revokes = { thumbprints: new Set([await keyThumbprint(revoked)]) } as Partial<KeySet> as KeySet;
const day = 86_400_000;

describe('the keys that a directory has revoked', () => {
  it('are left out, also while the set cannot be read, for a week; a set that was never read revokes nothing', async () => {
    let served: KeySet | Error = new KeySetError('unavailable', 'down');
    let now = 0;
    const told: unknown[] = [];
    const fetch = async (): Promise<KeySet> => {
      if (served instanceof Error) throw served;
      return served;
    };
    const keys = new RevokedKeys(
      fetch,
      86_400,
      () => now,
      (...unavailable) => void told.push(unavailable),
    );
    const left = async (): Promise<string[]> => {
      const all = await keys.without([kept, revoked], { uri, patience: 1_000 });
      return all.map((each) => (each === kept ? 'kept' : 'revoked'));
    };
    expect(await left()).toEqual(['kept', 'revoked']);
    expect(told).toEqual([[uri, served]]);
    served = revokes;
    now += 30_000;
    expect(await left()).toEqual(['kept']);
    served = new KeySetError('unavailable', 'down');
    now += 7 * day - 1;
    expect(await left()).toEqual(['kept']);
    now += 1;
    expect(await left()).toEqual(['kept', 'revoked']);
    expect(await keys.without([], { uri, patience: 0 })).toEqual([]);
  });

  it('hide no fault of the program', async () => {
    const fault = new TypeError('a fault');
    const keys = new RevokedKeys(
      () => Promise.reject(fault),
      1,
      () => 0,
      () => undefined,
    );
    await expect(keys.without([kept], { uri, patience: 1_000 })).rejects.toThrow(fault);
  });
});
