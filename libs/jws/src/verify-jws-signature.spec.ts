import { createSecretKey, generateKeyPairSync, X509Certificate } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { compactVerify, CompactSign, importJWK, type CryptoKey, type JWK } from 'jose';
import { aCertificate, type TestCertificate } from '../../../test/support/certificates.js';
import type { SignatureAlgorithm } from './algorithms.js';
import { createCompactJws } from './create-compact-jws.js';
import { JwsError } from './errors.js';
import { parseCompactJws } from './parse-compact-jws.js';
import { hmacSecretKey, parseSigningKeys } from './signing-key.js';
import { keyIdOf, verifyJwsSignature } from './verify-jws-signature.js';

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const otherRsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const smallRsa = generateKeyPairSync('rsa', { modulusLength: 1024 });
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' });
const secret = 'e8b8a5f2-1e0c-4d4b-9a55-0d5a2f4a7c11';

/** As jose imports it for the algorithm of its type, sound or not. */
async function toCryptoKey(key: KeyObject): Promise<CryptoKey> {
  const jwk = key.export({ format: 'jwk' });
  const algorithm = jwk.kty === 'RSA' ? 'PS256' : jwk.crv === 'P-256' ? 'ES256' : 'ES384';
  return (await importJWK(jwk as JWK, algorithm, { extractable: true })) as CryptoKey;
}

const sign = (alg: string, key: KeyObject, header: object = {}) =>
  new CompactSign(Buffer.from('{}')).setProtectedHeader({ ...header, alg }).sign(key);

async function verify(
  text: string,
  algorithm: SignatureAlgorithm,
  ...keys: (KeyObject | Uint8Array)[]
): Promise<string> {
  const imported = keys.map((key) => (key instanceof Uint8Array ? key : toCryptoKey(key)));
  try {
    await verifyJwsSignature({
      jws: parseCompactJws(text, { maxLength: 8192 }),
      algorithm,
      keys: await Promise.all(imported),
    });
    return 'verified';
  } catch (error) {
    return error instanceof JwsError ? error.code : String(error);
  }
}

describe('JWS signature (RFC 7515 s5.2, RFC 8725 s3.1)', () => {
  it('verifies what jose signed with PS256, ES256 and HS256', async () => {
    expect(await verify(await sign('PS256', rsa.privateKey), 'PS256', otherRsa.publicKey, rsa.publicKey)).toBe(
      'verified',
    );
    expect(await verify(await sign('ES256', ec.privateKey), 'ES256', ec.publicKey)).toBe('verified');
    expect(
      await verify(await sign('HS256', createSecretKey(Buffer.from(secret))), 'HS256', hmacSecretKey(secret)),
    ).toBe('verified');
  });

  it('takes a secret of 32 bytes in UTF-8, and none that is shorter (RFC 7518 s3.2)', async () => {
    expect(hmacSecretKey('é'.repeat(16))).toHaveLength(32);
    expect(() => hmacSecretKey(`${'é'.repeat(15)}e`)).toThrow('secret is shorter than 32 bytes');
    for (const [length, expected] of [
      [32, 'verified'],
      [31, 'key'],
    ] as const) {
      const bytes = Buffer.alloc(length, 7);
      expect(await verify(await sign('HS256', createSecretKey(bytes)), 'HS256', bytes)).toBe(expected);
    }
    expect(await verify(await sign('PS256', rsa.privateKey), 'PS256', Buffer.alloc(32, 7))).toBe('key');
  });

  it('takes the other s of an ECDSA signature, but neither 0 nor n (RFC 7518 s3.4, FIPS 186-5 s6.4.2)', async () => {
    const n = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
    const [header, payload, signature = ''] = (await sign('ES256', ec.privateKey)).split('.');
    const bytes = Buffer.from(signature, 'base64url');
    const s = BigInt(`0x${bytes.subarray(32).toString('hex')}`);
    const withS = (other: bigint): string => {
      const half = Buffer.from(other.toString(16).padStart(64, '0'), 'hex');
      return `${header}.${payload}.${Buffer.concat([bytes.subarray(0, 32), half]).toString('base64url')}`;
    };
    // One of the two is above n / 2.
    for (const either of [s, n - s]) expect(await verify(withS(either), 'ES256', ec.publicKey)).toBe('verified');
    for (const none of [0n, n, n - s + 1n]) expect(await verify(withS(none), 'ES256', ec.publicKey)).toBe('signature');
  });

  it('takes the algorithm from the caller and never from the header', async () => {
    expect(await verify(await sign('RS256', rsa.privateKey), 'PS256', rsa.publicKey)).toBe('algorithm');
    expect(await verify(await sign('PS256', rsa.privateKey), 'ES256', rsa.publicKey, ec.publicKey)).toBe('algorithm');
    expect(await verify(`${Buffer.from('{"alg":"none"}').toString('base64url')}.e30.`, 'PS256', rsa.publicKey)).toBe(
      'algorithm',
    );
  });

  it('never uses a public key as HMAC secret (CVE-2022-23540)', async () => {
    const pem = rsa.publicKey.export({ type: 'spki', format: 'pem' });
    const forged = await sign('HS256', createSecretKey(Buffer.from(pem)));
    expect(await verify(forged, 'PS256', rsa.publicKey)).toBe('algorithm');
    expect(await verify(forged, 'HS256', rsa.publicKey)).toBe('key');
  });

  it('uses only keys of the right type, curve and size (RFC 7518 s3)', async () => {
    expect(await verify(await sign('PS256', rsa.privateKey), 'PS256', ec.publicKey, smallRsa.publicKey)).toBe('key');
    expect(await verify(await sign('ES256', ec.privateKey), 'ES256', p384.publicKey, rsa.publicKey)).toBe('key');
    expect(await verify(await sign('PS256', rsa.privateKey), 'PS256')).toBe('key');
  });

  it('refuses other keys, changed bytes and empty signatures', async () => {
    const text = await sign('PS256', rsa.privateKey);
    const [header, , signature] = text.split('.');
    expect(await verify(text, 'PS256', otherRsa.publicKey)).toBe('signature');
    expect(await verify(`${header}.e30x.${signature}`.replace('e30x', 'eyJ9'), 'PS256', rsa.publicKey)).toBe(
      'signature',
    );
    expect(await verify(`${header}.e30.`, 'PS256', rsa.publicKey)).toBe('signature');
  });

  it('refuses an all-zero ECDSA signature (CVE-2022-21449), DER and wrong lengths', async () => {
    const [header] = (await sign('ES256', ec.privateKey)).split('.');
    for (const length of [0, 1, 63, 64, 65, 72]) {
      expect(await verify(`${header}.e30.${Buffer.alloc(length).toString('base64url')}`, 'ES256', ec.publicKey)).toBe(
        'signature',
      );
    }
  });

  it('refuses crit and b64 (RFC 7515 s4.1.11)', async () => {
    const text = await new CompactSign(Buffer.from('{}'))
      .setProtectedHeader({ alg: 'PS256', crit: ['exp'], exp: 1 })
      .sign(rsa.privateKey, { crit: { exp: true } });
    expect(await verify(text, 'PS256', rsa.publicKey)).toBe('header');
    const header = Buffer.from('{"alg":"PS256","b64":true}').toString('base64url');
    expect(await verify(`${header}.e30.AA`, 'PS256', rsa.publicKey)).toBe('header');
  });

  it('reads kid as an opaque string', () => {
    expect(keyIdOf({ header: {} })).toBeUndefined();
    for (const kid of ['a=', 'x'.repeat(512)]) expect(keyIdOf({ header: { kid } })).toBe(kid);
    for (const kid of ['', 1, null, ['a'], 'x'.repeat(513)])
      expect(() => keyIdOf({ header: { kid } })).toThrow(JwsError);
  });
});

describe('our signing keys', () => {
  const jwk = (pair: typeof rsa, members: object) => ({ ...pair.privateKey.export({ format: 'jwk' }), ...members });

  it('signs PS256 and ES256 so that jose verifies it', async () => {
    const keys = await parseSigningKeys({
      keys: [jwk(rsa, { kid: 'r', use: 'sig' }), jwk(ec, { kid: 'e', alg: 'ES256' })],
    });
    for (const key of keys) {
      const text = await createCompactJws({ header: { typ: 'JWT', alg: 'none' }, payload: '{"a":"ü"}', key });
      const { payload, protectedHeader } = await compactVerify(text, key.publicJwk);
      expect(Buffer.from(payload).toString()).toBe('{"a":"ü"}');
      expect(protectedHeader).toEqual({ typ: 'JWT', alg: key.algorithm, kid: key.kid });
    }
  });

  it('publishes no private member', async () => {
    const [key] = await parseSigningKeys({ keys: [jwk(rsa, { kid: 'r' })] });
    expect(Object.keys(key!.publicJwk).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
  });

  it('publishes the certificates of a key, and takes none of another (RFC 7517 s4.7)', async () => {
    const issued = ['own', 'another'].map((name) => aCertificate({ profile: 'authority', name }));
    const [own, other] = (await Promise.all(issued)) as [TestCertificate, TestCertificate];
    const [its, foreign] = [own, other].map(({ certificate }) =>
      new X509Certificate(certificate).raw.toString('base64'),
    );
    const with5c = (x5c: unknown) =>
      parseSigningKeys({ keys: [{ ...own.privateKey.export({ format: 'jwk' }), kid: 'c', x5c }] });
    expect((await with5c([its, foreign]))[0]?.publicJwk.x5c).toEqual([its, foreign]);
    for (const x5c of [[foreign, its], [its, 7], [its, 'AAAA'], [], its, null])
      await expect(with5c(x5c)).rejects.toThrow('x5c is missing or wrong');
  });

  it.each<[string, unknown]>([
    ['no set', undefined],
    ['no keys', { keys: [] }],
    ['no kid', { keys: [jwk(rsa, {})] }],
    ['a public key', { keys: [{ ...rsa.publicKey.export({ format: 'jwk' }), kid: 'r' }] }],
    ['RS256', { keys: [jwk(rsa, { kid: 'r', alg: 'RS256' })] }],
    ['the algorithm of another key type', { keys: [jwk(rsa, { kid: 'r', alg: 'ES256' })] }],
    ['RSA with 1024 bits', { keys: [jwk(smallRsa, { kid: 'r' })] }],
    ['another use', { keys: [jwk(rsa, { kid: 'r', use: 'enc' })] }],
    ['the same kid twice', { keys: [jwk(rsa, { kid: 'r' }), jwk(ec, { kid: 'r' })] }],
    ['x5c that is no certificate', { keys: [jwk(rsa, { kid: 'r', x5c: ['AAAA'] })] }],
  ])('refuses %s', async (_, set) => {
    await expect(parseSigningKeys(set)).rejects.toThrow(JwsError);
  });

  it('refuses an HMAC secret under 32 bytes (RFC 7518 s3.2)', () => {
    expect(() => hmacSecretKey('x'.repeat(31))).toThrow(JwsError);
  });
});
