import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { JwsError } from './errors.js';
import { findVerificationKeys, parseKeySet } from './key-set.js';

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const rsaJwk = rsa.publicKey.export({ format: 'jwk' });
const ecJwk = ec.publicKey.export({ format: 'jwk' });
const parse = (...keys: unknown[]) => parseKeySet({ keys }, { maxKeys: 20 });

describe('foreign JWK set (RFC 7517 s5)', () => {
  it('keeps usable keys and skips the others', () => {
    const smallRsa = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({ format: 'jwk' });
    const set = parse(
      { ...rsaJwk, kid: 'a', use: 'sig', x5c: ['not a certificate'] },
      { ...ecJwk, kid: 'b', use: 'sig', key_ops: ['verify'] },
      { ...ecJwk, kid: 'encrypts', use: 'sig', key_ops: ['encrypt'] },
      { ...ecJwk, kid: 'operations of no type', use: 'sig', key_ops: 'verify' },
      null,
      'text',
      [],
      {},
      { kty: 'oct', k: 'AAAA', use: 'sig' },
      { kty: 'RSA', n: 5, e: 'AQAB' },
      { ...smallRsa, use: 'sig' },
      { ...rsaJwk, e: 'AQ', kid: 'exponent of 1' },
      { ...rsaJwk, kid: 7 },
      { ...ecJwk, x: ecJwk.y, kid: 'off the curve' },
      { kty: 'EC', crv: 'P-384', x: 'AAAA', y: 'AAAA' },
    );
    expect(set.keys.map(({ kid }) => kid)).toEqual(['a', 'b']);
  });

  it('ignores private members', () => {
    const [key] = parse({ ...rsa.privateKey.export({ format: 'jwk' }), use: 'sig' }).keys;
    expect(key?.key.type).toBe('public');
  });

  it.each<[string, unknown]>([
    ['null', null],
    ['an array', []],
    ['keys that is an object', { keys: {} }],
    ['no keys', {}],
    ['more keys than permitted', { keys: Array.from({ length: 21 }, () => rsaJwk) }],
  ])('refuses %s', (_, document) => {
    expect(() => parseKeySet(document, { maxKeys: 20 })).toThrow(JwsError);
  });

  it('finds by use, algorithm, key type and exact kid', () => {
    const set = parse(
      { ...rsaJwk, kid: 'sig', use: 'sig' },
      { ...rsaJwk, kid: 'tls', use: 'tls' },
      { ...rsaJwk, kid: 'none' },
      { ...rsaJwk, kid: 'rs', use: 'sig', alg: 'RS256' },
      { ...rsaJwk, kid: 'ps', use: 'sig', alg: 'PS256' },
      { ...ecJwk, kid: 'ec', use: 'sig' },
    );
    const kids = (query: Parameters<typeof findVerificationKeys>[1]) =>
      findVerificationKeys(set, query).map(({ kid }) => kid);
    expect(kids({ algorithm: 'PS256', use: 'sig' })).toEqual(['sig', 'ps']);
    expect(kids({ algorithm: 'ES256', use: 'sig' })).toEqual(['ec']);
    expect(kids({ algorithm: 'PS256', kid: 'ps', use: 'sig' })).toEqual(['ps']);
    expect(kids({ algorithm: 'PS256', kid: 'tls', use: 'sig' })).toEqual([]);
    expect(kids({ algorithm: 'PS256', kid: 'SIG', use: 'sig' })).toEqual([]);
    expect(kids({ algorithm: 'HS256', use: 'sig' })).toEqual([]);
  });

  it('returns at most ten candidates without kid', () => {
    const set = parse(...Array.from({ length: 15 }, () => ({ ...rsaJwk, use: 'sig' })));
    expect(findVerificationKeys(set, { algorithm: 'PS256', use: 'sig' })).toHaveLength(10);
  });
});
