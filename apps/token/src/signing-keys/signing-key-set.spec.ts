import { beforeAll, describe, expect, it } from '@jest/globals';
import { getIdTokenSigningKey } from '#libs/oauth';
import { parseSigningKeys, type SigningKey } from '#libs/jws';
import { createSigningKey } from './create-signing-key.js';
import { KeyFileError } from './key-file.js';
import {
  addNextKey,
  certifyKey,
  formatSigningKeySet,
  parseSigningKeySet,
  promoteNextKey,
  removeRetiredKey,
  type PrivateSigningJwk,
  type SigningKeySet,
} from './signing-key-set.js';

let keys: PrivateSigningJwk[];
beforeAll(async () => {
  keys = await Promise.all((['PS256', 'PS256', 'ES256'] as const).map((algorithm) => createSigningKey(algorithm)));
});

/** What the service makes of a set: what it publishes, and what it signs with. */
async function read(
  set: SigningKeySet,
): Promise<{ published: string[]; signsWith: (algorithm: 'PS256' | 'ES256') => string }> {
  const parsed: SigningKey[] = await parseSigningKeys(JSON.parse(formatSigningKeySet(set)));
  return {
    published: parsed.map(({ publicJwk }) => publicJwk.kid),
    signsWith: (algorithm) => getIdTokenSigningKey({ keys: parsed, algorithm }).kid,
  };
}

const statesOf = ({ keys: all }: SigningKeySet): string[] => all.map(({ state }) => state);

describe('the rotation of signing keys', () => {
  it('publishes every key a step before and a step after it signs, so that everything stays verifiable', async () => {
    const [first, second, elliptic] = keys as [PrivateSigningJwk, PrivateSigningJwk, PrivateSigningJwk];
    const begun = addNextKey(addNextKey({ keys: [] }, first), elliptic);
    const published = addNextKey(begun, second);
    const promoted = promoteNextKey(published, 'PS256');
    const finished = removeRetiredKey(promoted, first.kid);
    const steps = await Promise.all([begun, published, promoted, finished].map(read));
    expect(steps.map(({ signsWith }) => signsWith('PS256'))).toEqual([first.kid, first.kid, second.kid, second.kid]);
    expect(steps.map(({ signsWith }) => signsWith('ES256'))).toEqual(Array.from({ length: 4 }, () => elliptic.kid));
    // While a step is rolled out, instances of both sides of it run: each publishes what the other signs with.
    for (const [index, step] of steps.entries()) {
      for (const other of [steps[index - 1], step, steps[index + 1]]) {
        if (other) expect(other.published).toContain(step.signsWith('PS256'));
      }
    }
    expect(steps[3]?.published).not.toContain(first.kid);
  });

  it('survives being written and read', async () => {
    const [first, second] = keys as [PrivateSigningJwk, PrivateSigningJwk];
    const set = addNextKey(addNextKey({ keys: [] }, first), second);
    expect(await parseSigningKeySet(formatSigningKeySet(set))).toEqual(set);
    expect(statesOf(set)).toEqual(['current', 'next']);
  });

  it('takes a set without states as the service does: the first of each algorithm signs', async () => {
    const text = JSON.stringify({ keys });
    expect(statesOf(await parseSigningKeySet(text))).toEqual(['current', 'retired', 'current']);
  });

  it('refuses what would leave a gap', async () => {
    const [first, second] = keys as [PrivateSigningJwk, PrivateSigningJwk];
    const one = addNextKey({ keys: [] }, first);
    const two = addNextKey(one, second);
    const third = await createSigningKey('PS256');
    expect(() => addNextKey(two, third)).toThrow(KeyFileError);
    expect(() => promoteNextKey(one, 'PS256')).toThrow(KeyFileError);
    for (const kid of [first.kid, second.kid, 'nobody']) expect(() => removeRetiredKey(two, kid)).toThrow(KeyFileError);
    await expect(certifyKey(two, 'nobody', [])).rejects.toThrow(KeyFileError);
    await expect(certifyKey(two, first.kid, [])).rejects.toThrow(KeyFileError);
  });

  it.each(['', '{}', '{"keys":[]}', '{"keys":[{"kty":"oct","k":"c2VjcmV0"}]}'])(
    'names the fault of %j, without its content',
    async (text) => {
      const refusal: unknown = await parseSigningKeySet(text).catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(KeyFileError);
      expect(String(refusal)).not.toContain('c2VjcmV0');
    },
  );
});
