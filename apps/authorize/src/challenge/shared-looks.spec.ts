import { describe, expect, it } from '@jest/globals';
import { SharedLooks } from './shared-looks.js';

const session = Buffer.from('session');

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
    const looks = new SharedLooks<string>();
    const { state, find } = aRow(['checked', 'checked', 'done']);
    const waiting = Array.from({ length: 200 }, () => looks.until(session, find, (found) => found === 'done'));
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['done']));
    expect(state.looks).toBe(3);
  });

  it('learn nothing of other sessions', async () => {
    const looks = new SharedLooks<string>();
    const own = looks.until(session, aRow(['own']).find, () => true);
    const other = looks.until(Buffer.from('other'), aRow(['other']).find, () => true);
    expect(await Promise.all([own, other])).toEqual(['own', 'other']);
  });

  it('learn nothing of a look that had begun before they came', async () => {
    const looks = new SharedLooks<string>();
    let second: Promise<string | undefined> | undefined;
    // Somebody else comes while the first one looks.
    const find = async (): Promise<string> => {
      second = looks.until(session, aRow(['after']).find, () => true);
      return 'before';
    };
    expect(await looks.until(session, find, () => true)).toBe('before');
    expect(await second).toBe('after');
  });

  it('all hear of a look that fails, and the next one looks again', async () => {
    const looks = new SharedLooks<string>();
    const waiting = Array.from({ length: 3 }, () => looks.until(session, fail, () => true));
    const results = await Promise.allSettled(waiting);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(await looks.until(session, aRow(['back']).find, () => true)).toBe('back');
  });
});
