import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { FlattenedSign, flattenedVerify } from 'jose';
import { createDetachedJws } from './create-detached-jws.js';
import { OBIE_CRITICAL, OBIE_ISSUED_AT, OBIE_ISSUER, OBIE_TRUST_ANCHOR } from './detached-header.js';
import { DetachedJwsError } from './errors.js';
import { parseSigningKeys } from './signing-key.js';
import { verifyDetachedJws } from './verify-detached-jws.js';

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const now = new Date('2026-03-01T12:00:00Z');
const seconds = now.getTime() / 1000;
const body = Buffer.from('{"Data":{"a":"£"}}');
const issuer = '001580000103UAvAAM/1f3a3bd2-5a8e-4a0e-9a43-1b0a1c9e2d11';
const tan = 'openbanking.org.uk';
const critOption = Object.fromEntries(OBIE_CRITICAL.map((name) => [name, true]));
const [signingKey] = await parseSigningKeys({ keys: [{ ...rsa.privateKey.export({ format: 'jwk' }), kid: 'k1' }] });

const claims = { kid: 'k1', [OBIE_ISSUED_AT]: seconds, [OBIE_ISSUER]: issuer, [OBIE_TRUST_ANCHOR]: tan };
const raw = { alg: 'PS256', ...claims, b64: false, crit: ['b64', ...OBIE_CRITICAL] };
const encoded = { alg: 'PS256', ...claims, crit: [...OBIE_CRITICAL] };

// A header that jose would refuse to sign: the signature is then of no account, the header is refused first.
const unsigned = (header: object) => `${Buffer.from(JSON.stringify(header)).toString('base64url')}..AAAA`;
const without = (header: Record<string, unknown>, member: string) =>
  Object.fromEntries(Object.entries(header).filter(([name]) => name !== member));

async function joseSign(header: Record<string, unknown>, signed = body): Promise<string> {
  const jws = await new FlattenedSign(signed)
    .setProtectedHeader(header as { alg: string })
    .sign(rsa.privateKey, { crit: critOption });
  return `${jws.protected}..${jws.signature}`;
}

const verify = (detachedJws: string, signed = body, kids = ['k1'], maxAgeSeconds?: number) =>
  verifyDetachedJws({
    detachedJws,
    body: signed,
    expectedIssuer: issuer,
    trustAnchors: [tan, 'openbankingtest.org.uk'],
    findKeys: async ({ kid }) => (kids.includes(kid) ? [signingKey!.publicKey] : []),
    maxAgeSeconds,
    now,
  }).then(
    ({ form }) => form,
    (error: unknown) => (error instanceof DetachedJwsError ? `${error.code} ${error.path}` : error),
  );

describe('x-jws-signature of a request', () => {
  it('accepts both forms as jose signs them', async () => {
    expect(await verify(await joseSign(raw))).toBe('b64-false');
    expect(await verify(await joseSign(encoded))).toBe('b64-absent');
  });

  it.each([
    [660, 'b64-false'],
    [661, `InvalidClaim ${OBIE_ISSUED_AT}`],
  ])('made %i seconds ago, where 600 are allowed: %s', async (age, expected) => {
    const jws = await joseSign({ ...raw, [OBIE_ISSUED_AT]: seconds - age });
    expect(await verify(jws, body, ['k1'], 600)).toBe(expected);
    expect(await verify(jws)).toBe('b64-false');
  });

  it.each<object>([
    { typ: 'JOSE' },
    { cty: 'json' },
    { cty: 'application/json' },
    { kid: 'k'.repeat(512) },
    { [OBIE_ISSUED_AT]: 0 },
    { crit: raw.crit.toReversed() },
  ])('accepts %j', async (members) => {
    const header = { ...raw, ...members };
    expect(await verify(await joseSign(header), body, [header.kid])).toBe('b64-false');
  });

  it('reads a header of 8,192 characters, and none that is longer', async () => {
    const empty = Buffer.from(JSON.stringify({ ...raw, typ: '' })).length;
    const ofLength = (bytes: number) => unsigned({ ...raw, typ: 'x'.repeat(bytes - empty) });
    expect(ofLength(6_139)).toHaveLength(8_192);
    expect(await verify(ofLength(6_139))).toBe('InvalidClaim typ');
    expect(await verify(ofLength(6_140))).toBe('Malformed x-jws-signature');
  });

  it.each([0, 1, 12_288, 12_289, 30_001])('covers every byte of a body of %i in both forms', async (length) => {
    const long = Buffer.alloc(length, 'é');
    for (const [header, form] of [
      [raw, 'b64-false'],
      [encoded, 'b64-absent'],
    ] as const) {
      const jws = await joseSign(header, long);
      expect(await verify(jws, long)).toBe(form);
      expect(await verify(jws, Buffer.concat([long, Buffer.from(' ')]))).toBe('Invalid x-jws-signature');
    }
  });

  it.each<[string, string, string]>([
    ['one segment', 'abc', 'Malformed x-jws-signature'],
    ['a payload in the middle', unsigned(raw).replace('..', '.e30.'), 'Malformed x-jws-signature'],
    ['four segments', `${unsigned(raw)}.AA`, 'Malformed x-jws-signature'],
    ['no signature', unsigned(raw).replace('AAAA', ''), 'Malformed x-jws-signature'],
    ['no signature and no header member', unsigned({}).replace('AAAA', ''), 'Malformed x-jws-signature'],
    ['no signature, and alg none', unsigned({ ...raw, alg: 'none' }).replace('AAAA', ''), 'InvalidClaim alg'],
    ['a header that is no JSON', 'AAAA..AAAA', 'Malformed x-jws-signature'],
    ['10 KB', unsigned({ ...raw, typ: 'x'.repeat(10_000) }), 'Malformed x-jws-signature'],
    ...['alg', 'kid', 'crit', ...OBIE_CRITICAL].map((member): [string, string, string] => [
      `no ${member}`,
      unsigned(without(raw, member)),
      `MissingClaim ${member}`,
    ]),
    ...Object.entries({
      alg: ['RS256', 'none', 'ES256', 'HS256'],
      kid: [7, '', 'k'.repeat(513)],
      typ: ['JWT'],
      cty: ['xml'],
      b64: [true, 'false', null],
      jku: ['https://tpp.example'],
      [OBIE_ISSUED_AT]: [seconds + 61, -1, `${seconds}`, seconds * 1000, null],
      [OBIE_ISSUER]: ['001580000103UAvAAM', null],
      [OBIE_TRUST_ANCHOR]: ['example.com'],
      crit: [['b64'], [...raw.crit, 'exp'], ['b64', 'b64', OBIE_ISSUER, OBIE_ISSUED_AT], OBIE_CRITICAL, 'b64', null],
    }).flatMap(([member, values]) =>
      (values as unknown[]).map((value): [string, string, string] => [
        `${member} ${JSON.stringify(value)}`,
        unsigned({ ...raw, [member]: value }),
        `InvalidClaim ${member}`,
      ]),
    ),
    ['b64 critical but absent', unsigned({ ...encoded, crit: raw.crit }), 'InvalidClaim b64'],
  ])('refuses %s', async (_, text, expected) => {
    expect(await verify(text)).toBe(expected);
  });

  it('refuses an unknown kid as InvalidClaim and a changed body as Invalid', async () => {
    const text = await joseSign(raw);
    expect(await verify(text, body, [])).toBe('InvalidClaim kid');
    expect(await verify(text, Buffer.concat([body, Buffer.from(' ')]))).toBe('Invalid x-jws-signature');
    expect(await verify(await joseSign(encoded), Buffer.from('{}'))).toBe('Invalid x-jws-signature');
  });

  it('accepts a time of signing up to 60 s ahead', async () => {
    expect(await verify(await joseSign({ ...raw, [OBIE_ISSUED_AT]: seconds + 60 }))).toBe('b64-false');
  });
});

describe('x-jws-signature of a response', () => {
  it.each(['b64-false', 'b64-absent'] as const)('signs %s so that jose and our verifier accept it', async (form) => {
    const text = await createDetachedJws({ body, key: signingKey!, issuer, trustAnchor: tan, form, now });
    const [header, , signature] = text.split('.');
    const payload = form === 'b64-false' ? body : body.toString('base64url');
    await flattenedVerify({ protected: header!, payload, signature: signature! }, rsa.publicKey, { crit: critOption });
    expect(await verify(text)).toBe(form);
  });
});
