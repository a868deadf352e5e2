import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { jwtVerify } from 'jose';
import { parseSigningKeys } from '#libs/jws';
import { ServerError } from '../errors/protocol-errors.js';
import { pairwiseSubject } from '../pairwise-subject.js';
import { createIdToken, getIdTokenSigningKey } from './create-id-token.js';
import { leftHalfHash } from './left-half-hash.js';

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const keys = await parseSigningKeys({
  keys: [
    { ...rsa.privateKey.export({ format: 'jwk' }), kid: 'r' },
    { ...ec.privateKey.export({ format: 'jwk' }), kid: 'e' },
  ],
});
const now = new Date('2026-03-01T12:00:00.900Z');
const iat = Math.floor(now.getTime() / 1000);
const subject = {
  issuer: 'https://bank.example/open-banking/v3.0',
  clientId: 'c1',
  subject: 'pairwise',
  authenticatedAt: new Date('2026-03-01T11:59:00Z'),
  acr: 'urn:openbanking:psd2:sca',
  nonce: 'n',
  intentId: 'intent-1',
};
const common = {
  iss: subject.issuer,
  sub: 'pairwise',
  aud: 'c1',
  exp: iat + 300,
  iat,
  auth_time: iat - 60,
  nonce: 'n',
  acr: 'urn:openbanking:psd2:sca',
  openbanking_intent_id: 'intent-1',
};

async function claimsOf(
  algorithm: 'PS256' | 'ES256',
  companion: Parameters<typeof createIdToken>[0]['companion'],
  changes = {},
) {
  const key = getIdTokenSigningKey({ keys, algorithm });
  const text = await createIdToken({ subject: { ...subject, ...changes }, companion, key, expiresInSeconds: 300, now });
  const { payload, protectedHeader } = await jwtVerify(text, key.publicJwk, { currentDate: now });
  expect(protectedHeader).toEqual({ typ: 'JWT', alg: algorithm, kid: key.kid });
  return payload;
}

describe('ID token (OIDC Core s2)', () => {
  it('carries c_hash and s_hash and no at_hash in the front channel (OIDC Core s3.3.2.11, FAPI 1.0 Advanced s5.1.1)', async () => {
    expect(await claimsOf('PS256', { channel: 'authorization_response', code: 'code', state: 'state' })).toEqual({
      ...common,
      c_hash: leftHalfHash('code'),
      s_hash: leftHalfHash('state'),
    });
  });

  it('carries no s_hash without state', async () => {
    const claims = await claimsOf('ES256', { channel: 'authorization_response', code: 'code' });
    expect(claims).toEqual({ ...common, c_hash: leftHalfHash('code') });
  });

  it('carries at_hash from the token endpoint (OIDC Core s3.1.3.6)', async () => {
    const claims = await claimsOf('ES256', { channel: 'token_response', accessToken: 'token' });
    expect(claims).toEqual({ ...common, at_hash: leftHalfHash('token') });
  });

  it('leaves out nonce and intent if there are none', async () => {
    const claims = await claimsOf(
      'PS256',
      { channel: 'token_response', accessToken: 't' },
      { nonce: undefined, intentId: undefined },
    );
    expect(claims).not.toHaveProperty('nonce');
    expect(claims).not.toHaveProperty('openbanking_intent_id');
  });

  it('needs a key for the registered algorithm', () => {
    expect(() => getIdTokenSigningKey({ keys: keys.slice(0, 1), algorithm: 'ES256' })).toThrow(ServerError);
  });

  it('hashes as the example of OIDC Core A.4 does', () => {
    expect(leftHalfHash('Qcb0Orv1zh30vL1MPRsbm-diHiMwcLyZvn1arpZv-Jxf_11jnpEX3Tgfvk')).toBe('LDktKdoQak3Pk0cnXxCltA');
  });
});

describe('pairwise sub (OIDC Core s8.1)', () => {
  const salt = Buffer.from('test salt');
  const sub = (sector: string, psuId: string, key = salt) => pairwiseSubject({ salt: key, sector, psuId });

  it('is stable, short ASCII, and differs by sector, customer and salt', () => {
    expect(sub('org', 'psu')).toBe(sub('org', 'psu'));
    expect(sub('org', 'psu')).toMatch(/^[\w-]{43}$/);
    const others = [sub('org2', 'psu'), sub('org', 'psu2'), sub('orgp', 'su'), sub('org', 'psu', Buffer.from('x'))];
    expect(new Set([sub('org', 'psu'), ...others]).size).toBe(5);
  });
});
