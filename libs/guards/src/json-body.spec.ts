import { describe, expect, it } from '@jest/globals';
import type { FastifyRequest } from 'fastify';
import { LosslessNumber } from 'lossless-json';
import { ObError } from '#libs/error-envelope';
import { parseJsonBody } from './json-body.js';

const withBody = (body: Buffer | string) => ({ body: Buffer.from(body) }) as unknown as FastifyRequest;

describe('JSON bodies (Resource.InvalidFormat)', () => {
  it('keeps the decimal text of numbers', () => {
    expect(parseJsonBody(withBody('{"ControlSum":200.00}'))).toEqual({ ControlSum: new LosslessNumber('200.00') });
  });

  it.each<[string, Buffer | string]>([
    ['nothing', ''],
    ['no JSON', 'not json'],
    ['half a document', '{"a":'],
    ['an array', '[]'],
    ['a string', '"x"'],
    ['a number', '17'],
    ['null', 'null'],
    ['a byte order mark', '\ufeff{}'],
    ['Latin-1', Buffer.from([0x7b, 0x22, 0xe9, 0x22, 0x3a, 0x31, 0x7d])],
    ['UTF-16', Buffer.from('{}', 'utf16le')],
    ['a member twice', '{"a":1,"a":2}'],
    ['a member twice without a number in sight', '{"a":"1","a":"2"}'],
    ['a member twice under an escape', '{"a":"1","\\u0061":"2"}'],
    ['a member twice with the same value', '{"a":1,"a":1}'],
    ['a number with a leading zero', '{"a":01}'],
    ['an invalid number', '{"a":1-2}'],
    ['a number of 2,000 digits', `{"a":${'9'.repeat(2_000)}}`],
    ['numbers next to each other', '{"a":[1 2]}'],
    ['a number as a name', '{1:2}'],
    ['20,001 values', `{"a":[${Array(20_002).fill('""').join()}]}`],
    ['an open string', '{"a":"b\\"'],
    ['33 levels', `{"a":${'['.repeat(32)}${']'.repeat(32)}}`],
    ['a million levels', '['.repeat(1_000_000)],
  ])('refuses %s', (_, body) => {
    expect(() => parseJsonBody(withBody(body))).toThrow(ObError);
  });

  it('reads a member named __proto__ as an ordinary member', () => {
    const parsed = parseJsonBody(withBody('{"__proto__":{"polluted":true}}'));
    expect(Object.hasOwn(parsed, '__proto__')).toBe(true);
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });

  it('reads a document with numbers as it reads one without', () => {
    const texts = '{"a":{"b":["x","\\\\",{"c":null,"d":true}]},"e":"\\"{:"';
    expect(parseJsonBody(withBody(`${texts},"n":1}`))).toEqual({
      ...parseJsonBody(withBody(`${texts}}`)),
      n: new LosslessNumber('1'),
    });
  });

  it('does not count brackets inside strings', () => {
    expect(parseJsonBody(withBody(`{"a":"${'['.repeat(100)}\\""}`))).toEqual({ a: `${'['.repeat(100)}"` });
  });
});
