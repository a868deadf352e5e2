import { createHash, generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { exportJWK } from 'jose';
import { JwsError } from './errors.js';
import { findVerificationKeys, parseKeySet } from './key-set.js';

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const rsaJwk = rsa.publicKey.export({ format: 'jwk' });
const ecJwk = ec.publicKey.export({ format: 'jwk' });
const parse = (...keys: unknown[]) => parseKeySet({ keys }, { maxKeys: 20 });

describe('foreign JWK set (RFC 7517 s5)', () => {
  it('keeps usable keys and skips the others', async () => {
    const smallRsa = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({ format: 'jwk' });
    const set = await parse(
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
    expect(set.signingKeys.jwks().keys.map(({ kid }) => kid)).toEqual(['a', 'b']);
    expect(set.thumbprints.size).toBe(2);
  });

  it.each<[string, object, boolean]>([
    ['an exponent of 3', { e: 'Aw' }, true],
    ['an even exponent', { e: 'AQAA' }, false],
    ['an exponent of 6 bytes', { e: Buffer.from('800000000001', 'hex').toString('base64url') }, true],
    ['an exponent of 7 bytes', { e: Buffer.from('80000000000001', 'hex').toString('base64url') }, false],
    ['8192 bits', { n: Buffer.alloc(1024, 0xff).toString('base64url') }, true],
    ['8200 bits', { n: Buffer.alloc(1025, 0xff).toString('base64url') }, false],
    ['2047 bits', { n: `f${rsaJwk.n?.slice(1)}` }, false],
    ['no modulus', { n: '' }, false],
  ])('takes an RSA key with %s: %s', async (_, members, isTaken) => {
    const set = await parse({ ...rsaJwk, use: 'sig', ...members });
    expect(set.thumbprints.size).toBe(isTaken ? 1 : 0);
  });

  it.each(['kid', 'use', 'alg'])('skips a key whose %s is of another type', async (member) => {
    expect((await parse({ ...rsaJwk, use: 'sig', [member]: 7 })).thumbprints.size).toBe(0);
  });

  it.each<[string, object, number]>([
    ['of a transport key', { use: 'tls', x5c: ['AAAA', 'BBBB'] }, 1],
    ['of 16,384 characters', { use: 'tls', x5c: ['A'.repeat(16_384)] }, 1],
    ['of more', { use: 'tls', x5c: ['A'.repeat(16_385)] }, 0],
    ['that is no text', { use: 'tls', x5c: [7] }, 0],
    ['of a signing key', { use: 'sig', x5c: ['AAAA'] }, 0],
    ['outside a list', { use: 'tls', x5c: 'AAAA' }, 0],
  ])('knows the first certificate %s, and no other (x5t#S256)', async (_, members, count) => {
    const { transportCertificates } = await parse({ ...rsaJwk, ...members });
    expect(transportCertificates.size).toBe(count);
    if (count === 0) return;
    const [first] = Reflect.get(members, 'x5c') as [string];
    const thumbprint = createHash('sha256').update(Buffer.from(first, 'base64')).digest('base64url');
    expect([...transportCertificates]).toEqual([thumbprint]);
  });

  it('ignores private members', async () => {
    const set = await parse({ ...rsa.privateKey.export({ format: 'jwk' }), use: 'sig' });
    const [key] = await findVerificationKeys(set, { algorithm: 'PS256' });
    expect(key?.type).toBe('public');
    expect(JSON.stringify(set.signingKeys.jwks())).not.toContain('"d"');
  });

  it('takes as many keys as are permitted', async () => {
    const keys = Array.from({ length: 20 }, () => ({ ...rsaJwk, use: 'sig' }));
    expect((await parse(...keys)).signingKeys.jwks().keys).toHaveLength(20);
  });

  it.each<[string, unknown]>([
    ['null', null],
    ['an array', []],
    ['keys that is an object', { keys: {} }],
    ['no keys', {}],
    ['more keys than permitted', { keys: Array.from({ length: 21 }, () => rsaJwk) }],
  ])('refuses %s', async (_, document) => {
    await expect(parseKeySet(document, { maxKeys: 20 })).rejects.toThrow(JwsError);
  });

  it('finds by use, algorithm, key type and exact kid', async () => {
    const keys = Array.from({ length: 5 }, () => generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey);
    const [sig, tls, none, rs, ps] = keys.map((key) => key.export({ format: 'jwk' }));
    const set = await parse(
      { ...sig, kid: 'sig', use: 'sig' },
      { ...tls, kid: 'tls', use: 'tls' },
      { ...none, kid: 'none' },
      { ...rs, kid: 'rs', use: 'sig', alg: 'RS256' },
      { ...ps, kid: 'ps', use: 'sig', alg: 'PS256' },
      { ...ecJwk, kid: 'ec', use: 'sig' },
    );
    const moduli = async (query: Parameters<typeof findVerificationKeys>[1]) =>
      Promise.all((await findVerificationKeys(set, query)).map(async (key) => (await exportJWK(key)).n));
    expect(await moduli({ algorithm: 'PS256' })).toEqual([sig?.n, ps?.n]);
    expect(await findVerificationKeys(set, { algorithm: 'ES256' })).toHaveLength(1);
    expect(await moduli({ algorithm: 'PS256', kid: 'ps' })).toEqual([ps?.n]);
    expect(await moduli({ algorithm: 'PS256', kid: 'ec' })).toEqual([]);
    for (const kid of ['tls', 'none', 'rs', 'SIG']) expect(await moduli({ algorithm: 'PS256', kid })).toEqual([]);
  });

  it('returns at most ten candidates without kid', async () => {
    const set = await parse(...Array.from({ length: 15 }, () => ({ ...rsaJwk, use: 'sig' })));
    expect(await findVerificationKeys(set, { algorithm: 'PS256' })).toHaveLength(10);
  });
});
