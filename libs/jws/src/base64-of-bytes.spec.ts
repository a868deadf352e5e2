import { describe, expect, it } from '@jest/globals';
import { provideBase64OfBytes } from './base64-of-bytes.js';

provideBase64OfBytes();

/** Whoever came first has provided the methods for all: the class may be another suite's. */
const aSyntaxError = expect.objectContaining({ name: 'SyntaxError' }) as unknown as Error;

const bytes = Uint8Array.from([0xfb, 0xff, 0xfe, 0x01]);
const decode = (text: string, options?: object): number[] => [
  ...(Reflect.get(Uint8Array, 'fromBase64') as (text: string, options?: object) => Uint8Array)(text, options),
];
const encode = (of: Uint8Array, options?: object): string =>
  (Reflect.get(of, 'toBase64') as (options?: object) => string).call(of, options);

describe('Uint8Array and base64 (ECMAScript 2026)', () => {
  it.each([
    [undefined, '+//+AQ=='],
    [{ omitPadding: true }, '+//+AQ'],
    [{ alphabet: 'base64url' }, '-__-AQ=='],
    [{ alphabet: 'base64url', omitPadding: true }, '-__-AQ'],
  ])('with %j is %j, and back', (options, text) => {
    expect(encode(bytes, options)).toBe(text);
    expect(decode(text, options)).toEqual([...bytes]);
  });

  it('is that of a Buffer, whatever the length', () => {
    const all = Array.from({ length: 32 }, (_, length) => new Uint8Array(length).fill(0xfb));
    expect(all.map((each) => encode(each))).toEqual(all.map((each) => Buffer.from(each).toString('base64')));
  });

  it('encodes only its own part of a shared buffer', () => {
    expect(encode(bytes.subarray(1, 3), { omitPadding: true })).toBe('//4');
  });

  it.each(['-__-AQ', '+//+A*', '+//+A', 'Ω'])('refuses %j as base64', (text) => {
    expect(() => decode(text)).toThrow(aSyntaxError);
  });

  it.each(['+//+AQ', '-__-AQ!', '-__-A'])('refuses %j as base64url', (text) => {
    expect(() => decode(text, { alphabet: 'base64url' })).toThrow(aSyntaxError);
  });
});
