import { constants, createHmac, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { DetachedJwsError, JwsError } from './errors.js';
import { OBIE_CRITICAL, OBIE_ISSUED_AT, OBIE_ISSUER, OBIE_TRUST_ANCHOR } from './detached-header.js';
import { findVerificationKeys, parseKeySet } from './key-set.js';
import { parseCompactJws, parseJsonPayload } from './parse-compact-jws.js';
import { verifyDetachedJws } from './verify-detached-jws.js';
import { keyIdOf, verifyJwsSignature } from './verify-jws-signature.js';

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const attacker = generateKeyPairSync('rsa', { modulusLength: 2048 });
const keySet = await parseKeySet(
  {
    keys: [
      { ...rsa.publicKey.export({ format: 'jwk' }), kid: 'rsa', use: 'sig' },
      { ...ec.publicKey.export({ format: 'jwk' }), kid: 'ec', use: 'sig' },
    ],
  },
  { maxKeys: 2 },
);

type Header = Record<string, unknown>;
type Signer = (input: Buffer) => Buffer;

const pss =
  (key: KeyObject, saltLength = 32, hash = 'sha256'): Signer =>
  (input) =>
    sign(hash, input, { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength });
const ecdsa: Signer = (input) => sign('sha256', input, { key: ec.privateKey, dsaEncoding: 'ieee-p1363' });

/** What a genuine JWS is made of; a forger changes one thing of it. */
interface Genuine {
  header: Header;
  signer: Signer;
  /** between header and signature, and what is signed there */
  middle: string;
  signed: Buffer;
}

const encode = (value: string | Buffer): string => Buffer.from(value as string).toString('base64url');
const compose = ({ middle, signed }: Genuine, header: Buffer | string, signer: Signer): string => {
  const first = encode(header);
  return `${first}.${middle}.${encode(signer(Buffer.concat([Buffer.from(`${first}.`), signed])))}`;
};

/** Name and text of every forged form. What is signed anew is signed with the genuine key, unless it says otherwise. */
function forgedForms(genuine: Genuine): [name: string, text: string][] {
  const { header, signer, middle } = genuine;
  const text = JSON.stringify(header);
  const anew = (members: Header, by = signer): string =>
    compose(genuine, JSON.stringify({ ...header, ...members }), by);
  const over = (bytes: Buffer | string): string => compose(genuine, bytes, signer);
  const [first = '', , last = ''] = compose(genuine, text, signer).split('.');
  const signature = Buffer.from(last, 'base64url');
  const ended = (end: Buffer | string): string => `${first}.${middle}.${typeof end === 'string' ? end : encode(end)}`;
  const flipped = Buffer.from(signature);
  flipped[9] = (flipped[9] ?? 0) ^ 1;
  const strayed = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const jwk = attacker.publicKey.export({ format: 'jwk' });
  const byAttacker = pss(attacker.privateKey);
  const hmac: Signer = (input) =>
    createHmac('sha256', rsa.publicKey.export({ type: 'spki', format: 'pem' }))
      .update(input)
      .digest();

  const algorithms = ['none', 'None', '', 'RS256', 'PS384', 'ES384', 'HS256', 'ps256', 1, null, ['PS256'], undefined];
  return [
    ...algorithms.map((alg): [string, string] => [`alg ${JSON.stringify(alg)}`, anew({ alg })]),
    ['alg none without a signature', `${encode(JSON.stringify({ ...header, alg: 'none' }))}.${middle}.`],
    ['HS256 with the public key as its secret', anew({ alg: 'HS256' }, hmac)],
    [
      'PKCS #1 of version 1.5 under PS256',
      anew({ alg: 'PS256', kid: 'rsa' }, (input) => sign('sha256', input, rsa.privateKey)),
    ],
    ...[0, 20, 33, 222].map((salt): [string, string] => [
      `a salt of ${salt} bytes`,
      anew({ alg: 'PS256', kid: 'rsa' }, pss(rsa.privateKey, salt)),
    ]),
    ['SHA-384 under PS256', anew({ alg: 'PS256', kid: 'rsa' }, pss(rsa.privateKey, 48, 'sha384'))],
    ['somebody’s key', anew({ alg: 'PS256', kid: 'rsa' }, byAttacker)],
    ['an embedded jwk', anew({ alg: 'PS256', jwk }, byAttacker)],
    ['jku', anew({ alg: 'PS256', jku: 'https://attacker.example/jwks' }, byAttacker)],
    ['x5u', anew({ alg: 'PS256', x5u: 'https://attacker.example/x5u' }, byAttacker)],
    ['x5c', anew({ alg: 'PS256', x5c: ['AAAA'] }, byAttacker)],
    ...['unknown', '', 7, null, 'k'.repeat(513)].map((kid): [string, string] => [`kid ${String(kid)}`, anew({ kid })]),
    ...[[], ['exp'], 'b64', null, ['b64', 'exp']].map((crit): [string, string] => [
      `crit ${JSON.stringify(crit)}`,
      anew({ crit }),
    ]),
    ['b64 true', anew({ b64: true })],
    ['b64 false that is not critical', anew({ b64: false, crit: [...OBIE_CRITICAL] })],
    ['alg twice', over(`{"alg":"none",${text.slice(1)}`)],
    ['alg twice, the second time escaped', over(`${text.slice(0, -1)},"\\u0061lg":"none"}`)],
    ['a header in UTF-16', over(Buffer.from(text, 'utf16le'))],
    ['a header with a byte order mark', over(`\uFEFF${text}`)],
    [
      'a header of broken UTF-8',
      over(Buffer.concat([Buffer.from(`{"x":"`), Buffer.from([0xff]), Buffer.from(`",${text.slice(1)}`)])),
    ],
    ['a header that is an array', over(`[${text}]`)],
    ['something behind the header', over(`${text}{}`)],
    ['no signature', ended('')],
    ['a changed bit', ended(flipped)],
    ['a signature a byte shorter', ended(signature.subarray(0, -1))],
    ['a signature a byte longer', ended(Buffer.concat([signature, Buffer.alloc(1)]))],
    ['a signature of zeros', ended(Buffer.alloc(signature.length))],
    ['ECDSA in DER', anew({ alg: 'ES256', kid: 'ec' }, (input) => sign('sha256', input, ec.privateKey))],
    ['padding', ended(`${last}==`)],
    ['white space', ended(` ${last}`)],
    ['a line break', ended(`${last}\n`)],
    ['the other alphabet', ended(`+/${last.slice(2)}`)],
    ['stray bits', ended(`${last.slice(0, -1)}${strayed[strayed.indexOf(last.at(-1) ?? '') ^ 1]}`)],
    ['two parts', `${first}.${last}`],
    ['four parts', `${ended(last)}.${last}`],
    ['the JSON serialization', JSON.stringify({ protected: first, payload: middle, signature: last })],
  ];
}

describe('forged and malformed forms of a JWS', () => {
  const payload = Buffer.from('{"iss":"a"}');

  describe.each<[string, 'PS256' | 'ES256', Header, Signer]>([
    ['PS256', 'PS256', { alg: 'PS256', kid: 'rsa' }, pss(rsa.privateKey)],
    ['ES256', 'ES256', { alg: 'ES256', kid: 'ec' }, ecdsa],
  ])('compact, %s', (_title, algorithm, header, signer) => {
    const aGenuine = (bytes: Buffer | string): Genuine => {
      const middle = encode(bytes);
      return { header, signer, middle, signed: Buffer.from(middle) };
    };
    /** As client assertions, request objects, registrations and software statements are read. */
    const read = async (text: string): Promise<unknown> => {
      try {
        const jws = parseCompactJws(text, { maxLength: 8_192 });
        const keys = await findVerificationKeys(keySet, { algorithm, kid: keyIdOf(jws) });
        await verifyJwsSignature({ jws, algorithm, keys });
        return parseJsonPayload(jws);
      } catch (error) {
        return error instanceof JwsError ? 'refused' : error;
      }
    };

    it('takes the genuine one', async () => {
      expect(await read(compose(aGenuine(payload), JSON.stringify(header), signer))).toEqual({ iss: 'a' });
    });

    it.each(forgedForms(aGenuine(payload)))('refuses %s', async (_name, text) => {
      expect(await read(text)).toBe('refused');
    });

    it.each([
      ['a member twice', '{"iss":"a","iss":"b"}'],
      ['a member twice, the second time escaped', '{"iss":"a","\\u0069ss":"b"}'],
      ['a member twice further inside', '{"iss":"a","x":[{"y":1,"y":2}]}'],
      ['a byte order mark', '\uFEFF{"iss":"a"}'],
      ['UTF-16', Buffer.from('{"iss":"a"}', 'utf16le')],
      ['an array', '[{"iss":"a"}]'],
      ['nothing', ''],
    ])('refuses %s in a signed payload', async (_name, bytes) => {
      expect(await read(compose(aGenuine(bytes), JSON.stringify(header), signer))).toBe('refused');
    });
  });

  describe.each([
    ['b64 false', true],
    ['without b64', false],
  ])('detached, %s', (_title, isRaw) => {
    const now = new Date();
    const header: Header = {
      alg: 'PS256',
      kid: 'rsa',
      ...(isRaw && { b64: false }),
      [OBIE_ISSUED_AT]: Math.floor(now.getTime() / 1_000),
      [OBIE_ISSUER]: 'org/software',
      [OBIE_TRUST_ANCHOR]: 'openbanking.org.uk',
      crit: isRaw ? ['b64', ...OBIE_CRITICAL] : [...OBIE_CRITICAL],
    };
    const signed = isRaw ? payload : Buffer.from(encode(payload));
    const genuine: Genuine = { header, signer: pss(rsa.privateKey), middle: '', signed };
    const read = (text: string, body = payload): Promise<unknown> =>
      verifyDetachedJws({
        detachedJws: text,
        body,
        expectedIssuer: 'org/software',
        trustAnchors: ['openbanking.org.uk'],
        findKeys: (query) => findVerificationKeys(keySet, query),
        now,
      }).then(
        ({ form }) => form,
        (error: unknown) => (error instanceof DetachedJwsError ? 'refused' : error),
      );

    it('takes the genuine one, over its own bytes', async () => {
      const text = compose(genuine, JSON.stringify(header), genuine.signer);
      expect(await read(text)).toBe(isRaw ? 'b64-false' : 'b64-absent');
      expect(await read(text, Buffer.from('{"iss": "a"}'))).toBe('refused');
    });

    it.each([
      ...forgedForms(genuine),
      ['an attached payload', compose({ ...genuine, middle: encode(payload) }, JSON.stringify(header), genuine.signer)],
    ])('refuses %s', async (_name, text) => {
      expect(await read(text)).toBe('refused');
    });
  });
});
