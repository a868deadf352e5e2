import { describe, expect, it } from '@jest/globals';
import { createTokenResponse } from './token-response.js';

describe('the token response (RFC 6749 s5.1)', () => {
  const values = {
    accessToken: 'access-token',
    expiresInSeconds: 300,
    scope: ['openid', 'payments'],
    consentedAt: new Date('2026-11-21T07:08:09.123Z'),
  };

  it('names token, type, life in seconds, scope and the moment of consent with its offset', () => {
    expect(createTokenResponse(values)).toEqual({
      token_type: 'bearer',
      access_token: 'access-token',
      expires_in: 300,
      scope: 'openid payments',
      consented_on: '2026-11-21T07:08:09+00:00',
    });
  });

  it('has an id_token only where there is one (OIDC Core s3.1.3.3)', () => {
    expect(createTokenResponse(values)).not.toHaveProperty('id_token');
    expect(createTokenResponse({ ...values, idToken: 'a.b.c' })).toMatchObject({ id_token: 'a.b.c' });
  });
});
