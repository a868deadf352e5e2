import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { KeySetError } from './directory.errors.js';
import { KeySetCache } from './key-set-cache.js';
import type { KeySet } from '#libs/jws';

const uri = 'https://keystore.directory.test/a.jwks';
const limits = { freshFor: 600_000, reloadCooldown: 30_000, failureCooldown: 5_000, patience: 20, maxAddresses: 2 };

/** A set that has only the names of its keys. */
const aSet = (names: readonly string[]): KeySet => ({ thumbprints: new Set(names) }) as Partial<KeySet> as KeySet;

let now: number;
let fetches: number;
let served: readonly string[] | Error;
let cache: KeySetCache;

beforeEach(() => {
  now = 1_000_000_000;
  fetches = 0;
  served = ['a'];
  cache = new KeySetCache(
    async () => {
      fetches += 1;
      if (served instanceof Error) throw served;
      return aSet(served);
    },
    limits,
    () => now,
  );
});

const find = (kid: string, address = uri): Promise<readonly string[]> =>
  cache.find({
    uri: address,
    find: (set: KeySet) => [...set.thumbprints].filter((each) => each === kid),
    usableFor: 3_600_000,
  });
const down = new KeySetError('unavailable', 'down');

describe('KeySetCache', () => {
  it('asks once for twenty parallel callers and remembers the answer for ten minutes', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, () => find('a')));
    expect(all.every((keys) => keys.length === 1)).toBe(true);
    now += 599_999;
    await find('a');
    expect(fetches).toBe(1);
    now += 1;
    await find('a');
    expect(fetches).toBe(2);
  });

  it('reads the set again for an unknown kid, but not within the cooldown', async () => {
    await find('a');
    served = ['a', 'b'];
    expect(await find('b')).toEqual([]);
    now += 30_000;
    expect(await find('b')).toHaveLength(1);
    expect(await find('c')).toEqual([]);
    expect(fetches).toBe(2);
  });

  it('lets a removed key go when the set is read again', async () => {
    await find('a');
    served = ['b'];
    now += 600_000;
    expect(await find('a')).toEqual([]);
  });

  it('does not ask again within five seconds of a failure', async () => {
    served = down;
    await expect(find('a')).rejects.toBe(down);
    await expect(find('a')).rejects.toMatchObject({ reason: 'unavailable' });
    expect(fetches).toBe(1);
    now += 5_000;
    served = ['a'];
    expect(await find('a')).toHaveLength(1);
  });

  it('uses an old set while the server is down, and not for longer than the caller allows', async () => {
    await find('a');
    served = down;
    now += 3_599_999;
    expect(await find('a')).toHaveLength(1);
    now += 1;
    await expect(find('a')).rejects.toMatchObject({ reason: 'unavailable' });
  });

  it('asks for an unknown kid, and again after a failure, although the clock was set back', async () => {
    await find('a');
    served = ['a', 'b'];
    now -= 3_600_000;
    expect(await find('b')).toHaveLength(1);
    served = down;
    now += 600_000;
    await expect(find('c', 'other')).rejects.toBe(down);
    served = ['c'];
    now -= 3_600_000;
    expect(await find('c', 'other')).toHaveLength(1);
  });

  it('does not use a removed key for longer because the clock was set back', async () => {
    await find('a');
    served = ['b'];
    now -= 3_600_000;
    expect(await find('a')).toEqual([]);
  });

  it('remembers a bounded number of addresses and forgets on demand', async () => {
    for (const address of ['1', '2', '3', '1']) await find('a', address);
    expect(fetches).toBe(4);
    cache.forget('1');
    await find('a', '1');
    expect(fetches).toBe(5);
  });

  it('does not delay requests with a known key for a slow server, and pauses longer each time', async () => {
    let attempts = 0;
    let giveUp: (() => void) | undefined;
    const slow = new KeySetCache(
      async () => {
        attempts += 1;
        if (attempts > 1) await new Promise((_resolve, reject) => (giveUp = () => reject(down)));
        return aSet(['a']);
      },
      limits,
      () => now,
    );
    const ask = (): Promise<readonly string[]> =>
      slow.find({ uri, find: ({ thumbprints }) => [...thumbprints], usableFor: 86_400_000 });
    await ask();
    now += 600_000;
    // All of them while the server has not answered.
    expect(await Promise.all([ask(), ask(), ask()])).toHaveLength(3);
    giveUp?.();
    await setImmediate();
    expect(attempts).toBe(2);
    // One failure: five seconds of rest. Two: ten.
    now += 5_000;
    await ask();
    giveUp?.();
    await setImmediate();
    now += 9_999;
    await ask();
    expect(attempts).toBe(3);
  });
});
