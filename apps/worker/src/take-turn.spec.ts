import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { takeTurn } from './take-turn.js';

/** Repeats a step this many times. @returns when each began, in milliseconds */
async function repeat(times: number, step: () => Promise<unknown>): Promise<number[]> {
  const began: number[] = [];
  expect(
    await takeTurn(async () => {
      began.push(performance.now());
      await step();
      return began.length < times;
    }),
  ).toBe(false);
  return began;
}

describe('the turn of a task', () => {
  it('does short steps one after the other, without a pause after each', async () => {
    const began = await repeat(200, async () => undefined);
    expect(began).toHaveLength(200);
    // 200 pauses would take 4 s.
    expect((began.at(-1) ?? 0) - (began[0] ?? 0)).toBeLessThan(2_000);
  });

  it('pauses after a tenth of a second of work', async () => {
    const work = 110;
    const [first = 0, second = 0] = await repeat(2, () => sleep(work));
    // A timer may be a millisecond early.
    expect(second - first).toBeGreaterThanOrEqual(work + 18);
  });

  it('ends when it is asked to stop', async () => {
    const stop = new AbortController();
    let steps = 0;
    const isMore = await takeTurn(async () => {
      steps += 1;
      if (steps === 3) stop.abort();
      return true;
    }, stop.signal);
    expect([isMore, steps]).toEqual([false, 3]);
  });
});
