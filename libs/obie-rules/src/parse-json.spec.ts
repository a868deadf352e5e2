import { describe, expect, it } from '@jest/globals';
import { isLosslessNumber, LosslessNumber } from 'lossless-json';
import { fc } from '../../../test/support/fast-check.js';
import { leastMilliseconds } from '../../../test/support/least-milliseconds.js';
import { JsonFormatError, JsonTooLongError, parseJson, parseStoredJson } from './parse-json.js';

const parse = (text: string): unknown => parseJson(Buffer.from(text));
const messageOf = (text: string): string => {
  try {
    parse(text);
  } catch (error) {
    if (error instanceof JsonFormatError) return error.message;
    throw error;
  }
  return 'parsed';
};

/** A document as it is written: what it means, and whether a member of it is there twice. */
interface Written {
  readonly text: string;
  readonly value: unknown;
  readonly isTwice: boolean;
}

const gap = fc.constantFrom('', '', '', ' ', '\n', '\t\r ', `\n${' '.repeat(200)}\t`);
const escapes: Readonly<Record<string, readonly string[]>> = {
  '"': ['\\"', '\\u0022'],
  '\\': ['\\\\', '\\u005c'],
  '/': ['/', '\\/'],
  ':': [':', '\\u003A'],
  '\n': ['\\n', '\\u000a'],
};
const characters = fc.constantFrom(...Object.keys(escapes), ...'a,{}[]1-ü€😀', '\u2222', '\u0122');
const string = fc.array(fc.tuple(characters, fc.nat(1)), { maxLength: 8 }).map((parts) => ({
  text: `"${parts.map(([character, choice]) => escapes[character]?.[choice] ?? character).join('')}"`,
  value: parts.map(([character]) => character).join(''),
}));
const written = ({ text, value }: { text: string; value: unknown }): Written => ({ text, value, isTwice: false });
const numbers = ['0', '-0', '1.10', '200.00', '2e2', '1E+400', '-12345678901234567890.5'];

const { document } = fc.letrec<{ document: Written }>((tie) => ({
  document: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(
      string.map(written),
      fc.constantFrom(...numbers).map((text) => written({ text, value: new LosslessNumber(text) })),
      fc.constantFrom(null, true, false).map((value) => written({ text: String(value), value })),
    ),
    fc.tuple(gap, fc.array(tie('document'), { maxLength: 5 })).map(([space, entries]) => ({
      text: `[${space}${entries.map(({ text }) => `${text}${space}`).join(`,${space}`)}]`,
      value: entries.map(({ value }) => value),
      isTwice: entries.some(({ isTwice }) => isTwice),
    })),
    fc.tuple(gap, fc.array(fc.tuple(string, tie('document')), { maxLength: 5 })).map(([space, members]) => ({
      text: `{${space}${members.map(([name, { text }]) => `${name.text}${space}:${text}${space}`).join(`,${space}`)}}`,
      value: Object.fromEntries(members.map(([name, { value }]) => [name.value, value])),
      isTwice:
        members.some(([, { isTwice }]) => isTwice) ||
        new Set(members.map(([name]) => name.value)).size < members.length,
    })),
  ),
}));

describe('JSON of which nothing is lost (RFC 8259)', () => {
  it('reads whatever is written, white space and escapes of every kind; a member given twice is refused', () => {
    fc.assert(
      fc.property(document, ({ text, value, isTwice }) => {
        if (isTwice) expect(messageOf(text)).toBe('The body has a member twice.');
        else expect(parse(text)).toEqual(value);
      }),
      { numRuns: 500 },
    );
  });

  it('takes nothing that the engine would refuse, and reads it as the engine does', () => {
    const broken = fc.tuple(document, fc.nat(), fc.constantFrom('', '"', '\\', ',', ':', '{', ']', '1', '-', 'e', ' '));
    fc.assert(
      fc.property(broken, ([{ text }, position, replacement]) => {
        const at = position % text.length;
        // Through bytes, for half a character cannot be sent.
        const changed = Buffer.from(text.slice(0, at) + replacement + text.slice(at + 1)).toString();
        const message = messageOf(changed);
        let expected: unknown;
        try {
          expected = JSON.parse(changed);
        } catch {
          expect(message).not.toBe('parsed');
          return;
        }
        if (message === 'parsed') expect(withRoundedNumbers(parse(changed))).toEqual(expected);
        else expect(message).toBe('The body has a member twice.');
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['nothing', '', 'The body is empty.'],
    ['a name that is spelt in two ways', '{"a":1,"\\u0061":1}', 'The body has a member twice.'],
    ['a member twice further down', '{"a":{"b":[{"c":"","c":""}]}}', 'The body has a member twice.'],
    ['__proto__ twice', '{"__proto__":1,"__proto__":2}', 'The body has a member twice.'],
    ['a number for a name', '{1:2}', 'The body is not JSON.'],
    ['a string without end', '"a', 'The body is not JSON.'],
    ['a string that ends in an escape', '"a\\', 'The body is not JSON.'],
    ['a byte order mark', '\ufeff{}', 'The body is not JSON.'],
    ['a leading zero', '[01]', 'The body is not JSON: it has an invalid number.'],
    ['a number of 1,001 digits', `[${'1'.repeat(1_001)}]`, 'The body is not JSON: it has an invalid number.'],
    ['33 levels', '['.repeat(33) + ']'.repeat(33), 'The body is nested deeper than 32 levels.'],
    ['6,501 values', `[${','.repeat(6_500)}]`, 'The body has more than 6500 values.'],
    ['1,001 numbers', `[${'1,'.repeat(1_000)}1]`, 'The body has more than 1000 numbers.'],
    ['strings with nothing between', '""'.repeat(15_001), 'The body is not JSON.'],
  ])('refuses %s', (_, text, message) => {
    expect(messageOf(text)).toBe(message);
  });

  it('takes as much as it says: 32 levels, 6,500 values, 1,000 numbers, members with names of every object', () => {
    expect(messageOf('['.repeat(32) + ']'.repeat(32))).toBe('parsed');
    expect(messageOf(`[${Array.from({ length: 6_500 }, () => '""').join()}]`)).toBe('parsed');
    expect(messageOf(`[${Array.from({ length: 1_000 }, () => '1').join()}]`)).toBe('parsed');
    expect(parse('{"toString":"a","constructor":"b"}')).toEqual({ toString: 'a', constructor: 'b' });
    expect(Object.keys(parse('{"__proto__":{"a":1}}') as object)).toEqual(['__proto__']);
  });

  it('takes many members of few names, and refuses as many names', () => {
    const few = `[${Array.from({ length: 20_000 }, (_, index) => `{"name${index % 3_250}":""}`).join()}]`;
    expect(parseJson(Buffer.from(few), 49_400)).toHaveLength(20_000);
    const many = Buffer.from(`{${Array.from({ length: 20_000 }, (_, index) => `"name${index}":""`).join()}}`);
    expect(() => parseJson(many, 49_400)).toThrow(JsonTooLongError);
    expect(() => parseJson(many, 49_400)).toThrow('The body has more than 3250 different names of members.');
    expect(Object.keys(parseStoredJson(many) as object)).toHaveLength(20_000);
  });

  it('reads what was stored under wider bounds', () => {
    expect(parseStoredJson(Buffer.from(`[${'1,'.repeat(20_000)}1]`))).toHaveLength(20_001);
  });

  it('refuses bytes that are not UTF-8', () => {
    expect(() => parseJson(Buffer.from([0x22, 0xff, 0x22]))).toThrow('The body is not in UTF-8.');
  });

  it.each([
    ['a string of escaped marks', '"', '\\"'],
    ['a string of backslashes', '"', '\\\\'],
    ['a string of characters whose second byte is a mark', '"', '\u2222'],
    ['marks', '', '"'],
    ['colons', '{', ':'],
    ['one-digit numbers', '[', '1 '],
    ['numbers and letters', '', '1a'],
    ['spaces and marks', '', ' '.repeat(65) + '"'],
    ['spaces', '[', ' '],
  ])('needs little time for 2 MB of %s', async (_, start, unit) => {
    const body = Buffer.from(start + unit.repeat(2_000_000 / Buffer.byteLength(unit)));
    const refuse = (): void => expect(() => parseJson(body)).toThrow(JsonFormatError);
    expect(await leastMilliseconds(200, refuse)).toBeLessThan(200);
  });
});

function withRoundedNumbers(value: unknown): unknown {
  if (isLosslessNumber(value)) return Number(value.value);
  if (Array.isArray(value)) return value.map(withRoundedNumbers);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withRoundedNumbers(member)]));
}
