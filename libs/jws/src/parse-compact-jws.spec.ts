import { describe, expect, it } from '@jest/globals';
import { leastMilliseconds } from '../../../test/support/least-milliseconds.js';
import { JwsError } from './errors.js';
import { parseCompactJws, parseJsonPayload } from './parse-compact-jws.js';

const encode = (text: string) => Buffer.from(text, 'latin1').toString('base64url');
const parse = (text: unknown) => parseCompactJws(text as string, { maxLength: 200 });
const codeOf = (act: () => unknown) => {
  try {
    act();
  } catch (error) {
    return error instanceof JwsError ? error.code : error;
  }
  return 'accepted';
};

describe('compact JWS (RFC 7515 s7.1)', () => {
  it('takes header and payload apart and keeps the text', () => {
    const jws = parse(`${encode('{"alg":"PS256"}')}.${encode('{"a":1}')}.AQID`);
    expect(jws.header).toEqual({ alg: 'PS256' });
    expect(parseJsonPayload(jws)).toEqual({ a: 1 });
    expect(jws.compact).toBe(`${encode('{"alg":"PS256"}')}.${encode('{"a":1}')}.AQID`);
  });

  const good = encode('{"alg":"PS256"}');
  it.each<[string, unknown]>([
    ['not a string', { toString: () => 'a.b.c' }],
    ['undefined', undefined],
    ['empty', ''],
    ['one part', good],
    ['two parts', `${good}.AA`],
    ['four parts', `${good}.AA.AA.AA`],
    ['five parts, as a JWE has', `${good}.AA.AA.AA.AA`],
    ['padding', `${good}.AA==.AA`],
    ['standard base64 alphabet', `${good}.++++.AA`],
    ['white space', `${good}.AA .AA`],
    ['stray bits in the last character', `${good}.AB.AA`],
    ['a length of 4n+1', `${good}.AAAAA.AA`],
    ['a header that is an array', `${encode('[]')}.AA.AA`],
    ['a header that is null', `${encode('null')}.AA.AA`],
    ['a header that is no JSON', `${encode('{')}.AA.AA`],
    ['a header with a byte order mark', `${encode('\xef\xbb\xbf{}')}.AA.AA`],
    ['a header in broken UTF-8', `${encode('{"a":"\xff"}')}.AA.AA`],
    ['a header with a member twice', `${encode('{"alg":"PS256","alg":"none"}')}.AA.AA`],
    ['a member twice, once escaped', `${encode('{"alg":"PS256","\\u0061lg":"none"}')}.AA.AA`],
    ['more than the permitted length', `${good}.${'A'.repeat(200)}.AA`],
  ])('refuses %s', (_, text) => {
    expect(codeOf(() => parse(text))).toBe('malformed');
  });

  it.each([
    ['text', 'hello'],
    ['an array', '[1]'],
    ['nothing', ''],
    ['a nested member twice', '{"a":{"b":1,"b":2}}'],
  ])('refuses a payload that is %s as claim set (RFC 7519 s7.2)', (_, payload) => {
    expect(codeOf(() => parseJsonPayload(parse(`${good}.${encode(payload)}.AA`)))).toBe('malformed');
  });

  it('accepts the same name in different objects and as a value', () => {
    const payload = '{"a":{"b":"a"},"b":[{"a":1},{"a":"b"}],"c":"x\\"y:{"}';
    expect(parseJsonPayload(parse(`${good}.${encode(payload)}.AA`))).toEqual(JSON.parse(payload));
  });

  it.each([
    [64, 'accepted'],
    [65, 'malformed'],
  ])('%d levels of objects and arrays in each other are %s', (levels, expected) => {
    const half = (levels % 2 === 0 ? '' : '[') + '{"a":['.repeat(levels / 2 - 1);
    const closed = half.replaceAll(/./g, (each) => ({ '{': '}', '[': ']' })[each] ?? '');
    expect(outcomeOf(encode(`{"z":[[]],"a":[${half}${[...closed].toReversed().join('')}],"b":[],"c":{}}`))).toBe(
      expected,
    );
  });

  it('takes a text of the permitted length, and none that is longer', () => {
    const text = `${good}.${'A'.repeat(196 - good.length)}.AA`;
    expect([codeOf(() => parse(text)), codeOf(() => parse(`${text}AA`))]).toEqual(['accepted', 'malformed']);
  });

  const outcomeOf = (payload: string) =>
    codeOf(() => parseJsonPayload(parseCompactJws(`${good}.${payload}.AA`, { maxLength: 65_536 })));

  it('refuses 1,000 levels of nesting and stays quick on hostile text', async () => {
    const nested = encode(`{"a":${'['.repeat(1000)}${']'.repeat(1000)}}`);
    const manyQuotes = encode(`{"a":"${'\\"'.repeat(20_000)}"}`);
    expect(await leastMilliseconds(200, () => expect(outcomeOf(nested)).toBe('malformed'))).toBeLessThan(200);
    expect(await leastMilliseconds(200, () => expect(outcomeOf(manyQuotes)).toBe('accepted'))).toBeLessThan(200);
  });
});
