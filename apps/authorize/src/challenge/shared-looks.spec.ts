import { describe, expect, it, jest } from '@jest/globals';
import { SharedLooks } from './shared-looks.js';

const session = Buffer.from('session');
const bank = { timeoutMilliseconds: 5_000 };

/** Finds the next of these at each look, and the last one ever after. */
function aRow(findings: readonly string[]) {
  const state = { looks: 0 };
  const find = async (): Promise<string> => findings[Math.min(state.looks++, findings.length - 1)] ?? '';
  return { state, find };
}

const fail = async (): Promise<string> => {
  throw new Error('away');
};

describe('many clicks that wait for another', () => {
  it('look once for all of one session', async () => {
    const looks = new SharedLooks<string>(bank);
    const { state, find } = aRow(['checked', 'checked', 'done']);
    const waiting = Array.from({ length: 200 }, () => looks.until(session, find, (found) => found === 'done'));
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['done']));
    expect(state.looks).toBe(3);
  });

  it.each([100, 8_000, 60_000])('wait longer than the bank may take: %d ms', async (timeoutMilliseconds) => {
    jest.useFakeTimers();
    try {
      const looks = new SharedLooks<string>({ timeoutMilliseconds });
      const answeredAt = Date.now() + timeoutMilliseconds + 4_000;
      const find = async (): Promise<string> => (Date.now() < answeredAt ? 'checked' : 'done');
      const waiting = looks.until(session, find, (found) => found === 'done');
      const inVain = looks.until(
        Buffer.from('other'),
        async () => 'checked',
        (found) => found === 'done',
      );
      await jest.advanceTimersByTimeAsync(timeoutMilliseconds + 10_000);
      expect(await Promise.all([waiting, inVain])).toEqual(['done', undefined]);
    } finally {
      jest.useRealTimers();
    }
  });

  it('learn nothing about other sessions', async () => {
    const looks = new SharedLooks<string>(bank);
    const own = looks.until(session, aRow(['own']).find, () => true);
    const other = looks.until(Buffer.from('other'), aRow(['other']).find, () => true);
    expect(await Promise.all([own, other])).toEqual(['own', 'other']);
  });

  it('do not share a look-up that began before them', async () => {
    const looks = new SharedLooks<string>(bank);
    let second: Promise<string | undefined> | undefined;
    // Somebody else comes while the first one looks.
    const find = async (): Promise<string> => {
      second = looks.until(session, aRow(['after']).find, () => true);
      return 'before';
    };
    expect(await looks.until(session, find, () => true)).toBe('before');
    expect(await second).toBe('after');
  });

  it('all fail with a look that fails, and the next one looks again', async () => {
    const looks = new SharedLooks<string>(bank);
    const waiting = Array.from({ length: 3 }, () => looks.until(session, fail, () => true));
    const results = await Promise.allSettled(waiting);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(await looks.until(session, aRow(['back']).find, () => true)).toBe('back');
  });
});
