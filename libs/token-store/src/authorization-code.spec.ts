import { describe, expect, it } from '@jest/globals';
import { toAuthorizationCode, type AuthorizationCodeRow } from './authorization-code.js';

const aRow = (differences: Partial<AuthorizationCodeRow> = {}): AuthorizationCodeRow => ({
  code_hash: Buffer.alloc(32, 1),
  client_id: '019a0000-0000-7000-8000-000000000001',
  consent_id: '019a0000-0000-7000-8000-000000000002',
  redirect_uri: 'https://tpp.example/callback',
  scope: 'openid payments',
  psu_id: 'psu-1',
  subject: 'pairwise-1',
  nonce: 'n-1',
  acr: 'urn:openbanking:psd2:sca',
  authenticated_at: new Date('2026-11-21T07:00:00Z'),
  consented_at: new Date('2026-11-21T07:01:00Z'),
  code_challenge: 'challenge',
  expires_at: new Date('2026-11-21T07:02:00Z'),
  redeemed_at: null,
  ...differences,
});

describe('a stored authorization code', () => {
  it('carries everything the token request is compared with (RFC 6749 s4.1.3)', () => {
    expect(toAuthorizationCode(aRow())).toEqual({
      codeHash: Buffer.alloc(32, 1),
      clientId: '019a0000-0000-7000-8000-000000000001',
      consentId: '019a0000-0000-7000-8000-000000000002',
      redirectUri: 'https://tpp.example/callback',
      scope: ['openid', 'payments'],
      psuId: 'psu-1',
      subject: 'pairwise-1',
      nonce: 'n-1',
      acr: 'urn:openbanking:psd2:sca',
      authenticatedAt: new Date('2026-11-21T07:00:00Z'),
      consentedAt: new Date('2026-11-21T07:01:00Z'),
      codeChallenge: 'challenge',
      expiresAt: new Date('2026-11-21T07:02:00Z'),
    });
  });

  it.each([
    ['consent_id', 'consentId'],
    ['nonce', 'nonce'],
    ['code_challenge', 'codeChallenge'],
    ['redeemed_at', 'redeemedAt'],
  ])('has no %s if none was stored', (column, member) => {
    expect(toAuthorizationCode(aRow({ [column]: null }))).not.toHaveProperty(member);
  });
});
