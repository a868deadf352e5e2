import { describe, expect, it } from '@jest/globals';
import { BankAnswerError } from './bank.errors.js';
import {
  parseList,
  parseMoment,
  parseObject,
  parseOptionalText,
  parsePattern,
  parseText,
  parseWholeNumber,
  parseWord,
} from './parse-bank-answer.js';

describe('reading an answer of the bank', () => {
  it('accepts what the API describes', () => {
    const answer = parseObject({ name: 'A', count: 2, word: 'Yes', at: '2026-11-21T10:00:00.5+01:00' }, 'object');
    expect(parseText(answer, 'name', 1)).toBe('A');
    expect(parseOptionalText(answer, 'absent', 1)).toBeUndefined();
    expect(parseWholeNumber(answer, 'count', 1, 2)).toBe(2);
    expect(parseWord(answer, 'word', ['No', 'Yes'])).toBe('Yes');
    expect(parsePattern(answer, 'name', /^A$/)).toBe('A');
    expect(parseMoment(answer, 'at')).toEqual(new Date('2026-11-21T09:00:00.500Z'));
  });

  it.each([null, [], 'text', 7, undefined])('refuses %j where an object belongs', (value) => {
    expect(() => parseObject(value, 'object')).toThrow(BankAnswerError);
  });

  it.each([undefined, null, '', 7, 'AB', 'A\u0000', '\u009f', '\ud83d'])(
    'refuses %j where one character belongs',
    (name) => {
      expect(() => parseText({ name }, 'name', 1)).toThrow(BankAnswerError);
    },
  );

  it.each([0, 3, 1.5, '1', Number.NaN, null])('refuses %j where 1 or 2 belongs', (count) => {
    expect(() => parseWholeNumber({ count }, 'count', 1, 2)).toThrow(BankAnswerError);
  });

  it.each([undefined, null, 'AB', {}, [], [1, 2, 3]])('refuses %j where one or two items belong', (list) => {
    expect(() => parseList({ list }, 'list', 2, 1)).toThrow(BankAnswerError);
    expect(parseList({ list: [1, 2] }, 'list', 2, 1)).toEqual([1, 2]);
  });

  it.each(['2026-11-21', '2026-11-21T10:00:00', '2026-13-45T10:00:00Z', 'now', 5])('refuses %j as a moment', (at) => {
    expect(() => parseMoment({ at }, 'at')).toThrow(BankAnswerError);
  });

  it('does not repeat in its message what the bank sent', () => {
    expect(() => parseWord({ word: 'Alex Green' }, 'word', ['Yes'])).toThrow(
      /^The bank's answer has no usable word\.$/,
    );
  });
});
