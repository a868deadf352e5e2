import { describe, expect, it } from '@jest/globals';
import type { Config } from '#libs/config';
import { isCutOff } from './consent-terms.js';

describe('a consent whose cut-off has passed (Read/Write API 3.1.2, CutOffDateTime)', () => {
  const at = new Date('2026-11-18T16:00:00Z');

  it.each([
    ['reject', at, 0, true],
    ['reject', at, 1, true],
    ['reject', at, -1, false],
    ['reject', null, 1, false],
    ['accept', at, 1, false],
  ] as const)(
    'with the strategy %s, cut-off %s, %i milliseconds after it: ends is %s',
    (strategy, cutOffAt, late, ends) => {
      const config = { filePayment: { cutOff: { strategy } } } as Partial<Config> as Config;
      expect(isCutOff(cutOffAt, config, new Date(at.getTime() + late))).toBe(ends);
    },
  );
});
