import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { SignJWT } from 'jose';
import { parseSigningKeys } from '#libs/jws';
import { InvalidRequestError } from '../errors/protocol-errors.js';
import { verifyIdTokenHint } from './verify-id-token-hint.js';

const current = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
const retired = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
const foreign = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
const issuer = 'https://bank.example';
const expected = {
  signingKeys: await parseSigningKeys({
    keys: [
      { ...current.export({ format: 'jwk' }), kid: 'current' },
      { ...retired.export({ format: 'jwk' }), kid: 'retired' },
    ],
  }),
  issuer,
  clientId: 'c1',
};

interface Hint {
  claims?: Record<string, unknown>;
  header?: { alg?: string; kid?: string; typ?: string };
  key?: KeyObject;
}

const aHint = ({ claims = {}, header = {}, key = current }: Hint = {}): Promise<string> =>
  new SignJWT({ iss: issuer, aud: 'c1', sub: 'customer', exp: 1, iat: 0, ...claims })
    .setProtectedHeader({ alg: 'PS256', kid: 'current', typ: 'JWT', ...header })
    .sign(key);

describe('id_token_hint (OIDC Core s3.1.2.1)', () => {
  it.each<[string, Hint]>([
    ['that has expired', {}],
    ['with several audiences', { claims: { aud: ['c2', 'c1'] } }],
    ['signed with a key that has retired', { header: { alg: 'ES256', kid: 'retired' }, key: retired }],
  ])('of this client names the customer: %s', async (_, hint) => {
    expect(await verifyIdTokenHint(await aHint(hint), expected)).toBe('customer');
  });

  it.each([undefined, ''])('is absent as %j', async (hint) => {
    expect(await verifyIdTokenHint(hint, expected)).toBeUndefined();
  });

  it.each<[string, Hint]>([
    ['of another client', { claims: { aud: 'c2' } }],
    ['of another issuer', { claims: { iss: 'https://other.example' } }],
    ['without sub', { claims: { sub: undefined } }],
    ['with a sub that is no text', { claims: { sub: 7 } }],
    ['of somebody else’s key', { key: foreign }],
    ['of an unknown kid', { header: { kid: 'gone' } }],
    ['without kid', { header: { kid: undefined } }],
    ['under another algorithm', { header: { alg: 'RS256' } }],
    ['with a retired key’s kid', { header: { kid: 'retired' } }],
    ['of another type', { header: { typ: 'secevent+jwt' } }],
  ])('is refused %s', async (_, hint) => {
    expect.assertions(1);
    const text = await aHint(hint);
    await expect(verifyIdTokenHint(text, expected)).rejects.toThrow(InvalidRequestError);
  });

  it.each([7, {}, ['x'], 'x', 'x.y.z', 'a.b.c.d.e'])('is refused as %j', async (hint) => {
    await expect(verifyIdTokenHint(hint, expected)).rejects.toThrow(InvalidRequestError);
  });

  it('is refused unsigned, changed or longer than any ID token', async () => {
    const hint = await aHint();
    const [, payload = '', signature = ''] = hint.split('.');
    const none = Buffer.from('{"alg":"none","kid":"current"}').toString('base64url');
    const other = Buffer.from(JSON.stringify({ iss: issuer, aud: 'c1', sub: 'victim' })).toString('base64url');
    for (const text of [`${none}.${payload}.`, `${hint.split('.')[0]}.${other}.${signature}`]) {
      await expect(verifyIdTokenHint(text, expected)).rejects.toThrow(InvalidRequestError);
    }
    const long = await aHint({ claims: { padding: 'x'.repeat(8_192) } });
    await expect(verifyIdTokenHint(long, expected)).rejects.toThrow(InvalidRequestError);
  });
});
