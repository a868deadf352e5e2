import { describe, expect, it } from '@jest/globals';
import { BankUnavailableError } from '#libs/bank';
import { BankCalls } from './bank-calls.js';

/** Calls that end when the test says so. */
function openCalls(calls: BankCalls, count: number) {
  const begun: number[] = [];
  const ends: ((error?: Error) => void)[] = [];
  const all = Array.from({ length: count }, (_, number) =>
    calls
      .make(() => {
        begun.push(number);
        return new Promise<void>((resolve, reject) => {
          ends.push((error) => (error === undefined ? resolve() : reject(error)));
        });
      })
      .catch(() => undefined),
  );
  return { begun, ends, all };
}

const turn = (): Promise<void> => new Promise(setImmediate);

/** @returns how many calls it makes at once now */
async function most(calls: BankCalls): Promise<number> {
  const { begun, ends, all } = openCalls(calls, 500);
  const found = begun.length;
  while (ends.length > 0) {
    for (const end of ends.splice(0)) end(new Error('of no interest'));
    await turn();
  }
  await Promise.all(all);
  return found;
}

describe('calls to the bank', () => {
  it('begin in the order in which they are asked for, up to the limit', async () => {
    const { begun, ends } = openCalls(new BankCalls(3), 8);
    expect(begun).toEqual([0, 1, 2]);
    ends[1]?.();
    await turn();
    expect(begun).toEqual([0, 1, 2, 3]);
    for (const end of ends) end();
    await turn();
    expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });

  it('on which others depend begin before those that wait, in their order and by turns', async () => {
    const calls = new BankCalls(1);
    const begun: string[] = [];
    const begin = (name: string) => async () => void begun.push(name);
    const all = [
      ...['first', 'waits 1', 'waits 2'].map((name) => calls.make(begin(name))),
      ...[1, 2, 3, 4].map((number) => calls.makeAhead(begin(`ahead ${number}`))),
    ];
    await Promise.all(all);
    expect(begun).toEqual(['first', 'ahead 1', 'waits 1', 'ahead 2', 'waits 2', 'ahead 3', 'ahead 4']);
  });

  it('become more with each answer, up to what a bank takes, and begin with few after a pause', async () => {
    let now = 0;
    const calls = new BankCalls(200, () => now);
    const { begun, ends, all } = openCalls(calls, 1_000);
    const steps = [begun.length];
    while (ends.length > 0) {
      for (const end of ends.splice(0)) end();
      await turn();
      steps.push(ends.length);
    }
    await Promise.all(all);
    expect(steps.slice(0, 6)).toEqual([20, 40, 80, 160, 200, 200]);
    expect(begun).toEqual(Array.from({ length: 1_000 }, (_, number) => number));
    now += 4_999;
    expect(await most(calls)).toBe(200);
    now += 5_000;
    expect(calls.limit).toBe(20);
    expect(await most(calls)).toBe(20);
  });

  it('do not become more if they come one by one, and keep few connections open', async () => {
    let now = 0;
    const calls = new BankCalls(200, () => now);
    for (let time = 0; time < 300; time += 1) await calls.make(async () => undefined);
    expect(await most(calls)).toBe(20);
    const { ends, all } = openCalls(calls, 40);
    for (const end of ends.splice(0)) end();
    await turn();
    for (const end of ends.splice(0)) end();
    await Promise.all(all);
    // Never more than 31 of the 40 were needed at once.
    expect(await most(calls)).toBe(31);
    for (let second = 0; second < 6; second += 1) {
      now += 1_000;
      await calls.make(async () => undefined);
    }
    expect(await most(calls)).toBe(20);
  });

  it('are halved by each that has no answer, down to one, and become more again when the bank is back', async () => {
    const calls = new BankCalls(200);
    const away = new BankUnavailableError('away');
    await expect(calls.make(() => Promise.reject(away))).rejects.toBe(away);
    expect([calls.isAway, await most(calls)]).toEqual([true, 10]);
    for (let time = 0; time < 9; time += 1) await calls.make(() => Promise.reject(away)).catch(() => undefined);
    expect(await most(calls)).toBe(1);
    await calls.make(async () => undefined);
    expect([calls.isAway, await most(calls)]).toEqual([false, 2]);
    for (let time = 0; time < 300; time += 1) await calls.make(async () => undefined);
    expect(await most(calls)).toBe(20);
  });

  it('stay as many when something else goes wrong', async () => {
    const calls = new BankCalls(200);
    await calls.make(() => Promise.reject(new Error('nonsense'))).catch(() => undefined);
    expect([calls.isAway, await most(calls)]).toEqual([false, 20]);
  });
});
