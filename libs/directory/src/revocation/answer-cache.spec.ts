import { beforeEach, describe, expect, it } from '@jest/globals';
import { AnswerCache } from './answer-cache.js';

interface Answer {
  thisUpdate: Date;
  nextUpdate: Date;
  name: string;
}

const limits = { freshFor: 600_000, patience: 20, failureCooldown: 10_000, maxEntries: 10 };
const hour = 3_600_000;

let now: number;
let reads: number;
let failures: string[];
let cache: AnswerCache<Answer>;

beforeEach(() => {
  now = 1_000_000_000;
  reads = 0;
  failures = [];
  cache = new AnswerCache(
    limits,
    () => now,
    (key) => failures.push(key),
  );
});

const answer = (name: string, age = 0): Answer => ({
  thisUpdate: new Date(now - age),
  nextUpdate: new Date(now - age + 24 * hour),
  name,
});
const find = async (next: Answer | Error): Promise<string | undefined> => {
  const found = await cache.find('list', async () => {
    reads += 1;
    if (next instanceof Error) throw next;
    return next;
  });
  return found?.name;
};

describe('AnswerCache', () => {
  it('asks once for many callers, and again only after the fresh time', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, () => find(answer('first'))));
    expect([new Set(all), reads]).toEqual([new Set(['first']), 1]);
    now += limits.freshFor - 1;
    expect(cache.findFresh('list')?.name).toBe('first');
    now += 1;
    expect(cache.findFresh('list')).toBeUndefined();
    expect(await find(answer('second'))).toBe('second');
  });

  it('uses an old answer while there is no new one, and never beyond its own nextUpdate', async () => {
    await find(answer('first'));
    now += 24 * hour - 1;
    expect(await find(new Error('down'))).toBe('first');
    now += 1;
    expect(cache.isResting('list')).toBe(true);
    expect(await find(new Error('down'))).toBeUndefined();
    expect([reads, failures]).toEqual([2, ['list']]);
  });

  it('asks again although the clock was set back, also after a failure', async () => {
    await find(answer('first'));
    now -= hour;
    expect(cache.findFresh('list')).toBeUndefined();
    await find(new Error('down'));
    now -= hour;
    expect(await find(answer('second'))).toBe('first');
    expect(reads).toBe(3);
  });

  it('never replaces an answer with an older one', async () => {
    await find(answer('newer'));
    now += limits.freshFor;
    expect(await find(answer('played back', 2 * limits.freshFor))).toBe('newer');
  });

  it('waits longer after each failure before it asks a server again', async () => {
    await find(new Error('down'));
    now += 9_999;
    expect(cache.isResting('list')).toBe(true);
    now += 1;
    await find(new Error('down'));
    now += 19_999;
    await find(answer('back'));
    expect(reads).toBe(2);
    now += 1;
    expect(await find(answer('back'))).toBe('back');
  });
});
