import { describe, expect, it } from '@jest/globals';
import { parseDuration } from './parse-duration.js';

describe('parseDuration', () => {
  it.each([
    ['+2h', 7_200_000],
    ['90s', 90_000],
    ['30m', 1_800_000],
    ['+366d', 31_622_400_000],
  ])('%s', (text, milliseconds) => {
    expect(parseDuration(text)).toBe(milliseconds);
  });

  it.each(['', '2', 'h', '-2h', '0s', '367d', '2h30m', '1.5h', '+ 2h'])(
    'refuses %j, which is not a positive and limited duration',
    (text) => {
      expect(parseDuration(text)).toBeUndefined();
    },
  );
});
