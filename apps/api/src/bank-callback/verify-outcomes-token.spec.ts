import { describe, expect, it } from '@jest/globals';
import { parseKeySet } from '#libs/jws';
import { aTestSigningKey } from '../../../../test/support/a-signing-key.js';
import { verifyOutcomesToken } from './verify-outcomes-token.js';

const key = aTestSigningKey('hub');
const keys = await parseKeySet(
  { keys: [{ ...key.privateKey.export({ format: 'jwk' }), kid: 'hub', use: 'sig' }] },
  { maxKeys: 1 },
);
const now = new Date('2026-07-01T10:00:00Z');
const seconds = now.getTime() / 1_000;
const genuine = { iss: 'https://bank', aud: 'https://api', iat: seconds, exp: seconds + 60, jti: 'j', payments: [] };

async function verify(claims: object, header: object = {}): ReturnType<typeof verifyOutcomesToken> {
  const payload = Buffer.from(JSON.stringify({ ...genuine, ...claims }));
  const parts = await key.sign({ typ: 'payment-outcomes+jwt', ...header }, payload);
  const token = `${parts.protected}.${parts.payload}.${parts.signature}`;
  return verifyOutcomesToken(token, { keys, issuer: 'https://bank', audience: 'https://api', now });
}

describe('a report of the bank', () => {
  it.each([
    ['an iat a minute ahead', { iat: seconds + 60, exp: seconds + 61 }],
    ['an exp a second ahead', { exp: seconds + 1 }],
    ['a life of five minutes', { iat: seconds - 299, exp: seconds + 1 }],
    ['a jti of 128 characters', { jti: 'j'.repeat(128) }],
  ])('is taken with %s', async (_title, claims) => {
    const { exp, jti } = { ...genuine, ...claims };
    expect(await verify(claims)).toMatchObject({ jti, expiresAt: new Date(exp * 1_000), claims: { payments: [] } });
  });

  it.each<[string, object, object?]>([
    ['alg, kid or typ', {}, { typ: 'JWT' }],
    ['iss is not BANK_URL', { iss: 'https://bank/' }],
    ['aud is not this address', { aud: ['https://api'] }],
    ['jti is missing or not an identifier', { jti: undefined }],
    ['jti is missing or not an identifier', { jti: 'j'.repeat(129) }],
    ['jti is missing or not an identifier', { jti: 'a\0b' }],
    ['iat or exp is missing', { iat: undefined }],
    ['iat or exp is missing', { exp: String(seconds + 60) }],
    ['iat is in the future', { iat: seconds + 61, exp: seconds + 62 }],
    ['expired', { iat: seconds - 60, exp: seconds }],
    ['exp is more than 300 s after iat', { iat: seconds - 299, exp: seconds + 2 }],
  ])('is refused, and the log says why: %s, %j', async (fault, claims, header = {}) => {
    await expect(verify(claims, header)).rejects.toMatchObject({
      status: 401,
      message: `report of the bank: ${fault}`,
      headers: { 'www-authenticate': 'JWS' },
    });
  });
});
