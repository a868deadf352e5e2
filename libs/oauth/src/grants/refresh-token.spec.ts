import { describe, expect, it } from '@jest/globals';
import { InvalidRefreshTokenError, InvalidScopeError, RefreshTokenReusedError } from '../errors/protocol-errors.js';
import { isRefreshable, resolveRefreshedScope, verifyRefreshToken, type RefreshTokenRecord } from './refresh-token.js';

const now = new Date('2026-03-01T12:00:00Z');

function use(token: Partial<RefreshTokenRecord> | undefined, isCertificateSubject = true) {
  const record = {
    clientId: 'c1',
    scope: ['openid'],
    certificateSubject: 'CN=one',
    expiresAt: new Date(now.getTime() + 1),
    ...token,
  };
  return () =>
    verifyRefreshToken({
      token: token && record,
      client: { clientId: 'c1' },
      isCertificateSubject: () => isCertificateSubject,
      now,
    });
}

describe('a refresh token (RFC 6749 s6)', () => {
  it('may be used by its client over a certificate of its subject', () => {
    expect(use({})()).toMatchObject({ clientId: 'c1' });
    expect(use({ revokedAt: null, usedAt: null })()).toMatchObject({ clientId: 'c1' });
  });

  it.each([
    ['is unknown', undefined, true],
    ['is of another client', { clientId: 'c2' }, true],
    ['is of another client and used: no reuse, or anybody could end the grant', { clientId: 'c2', usedAt: now }, true],
    ['comes over another certificate (RFC 8705 s7.1)', {}, false],
    ['comes over another certificate and is used', { usedAt: now }, false],
    ['was revoked', { revokedAt: now }, true],
    ['has expired', { expiresAt: now }, true],
  ])('is refused when it %s', (_title, token, isCertificateSubject) => {
    expect(use(token, isCertificateSubject)).toThrow(InvalidRefreshTokenError);
    expect(use(token, isCertificateSubject)).not.toThrow(RefreshTokenReusedError);
  });

  it('is reuse when it was used before, also after the grant has ended (RFC 9700 s4.14.2)', () => {
    expect(use({ usedAt: now })).toThrow(RefreshTokenReusedError);
    expect(use({ usedAt: now, revokedAt: now, expiresAt: now })).toThrow(RefreshTokenReusedError);
  });
});

describe('an approval that lasts', () => {
  const client = { grantTypes: ['authorization_code', 'refresh_token'] };
  it.each([
    ['accounts', client, ['openid', 'accounts'], true],
    ['payments', client, ['openid', 'payments'], false],
    ['a client without the grant', { grantTypes: ['authorization_code'] }, ['openid'], false],
  ])('%s', (_title, of, scope, expected) => {
    expect(isRefreshable({ client: of, scope })).toBe(expected);
  });
});

describe('the scope of a refreshed token (RFC 6749 s6)', () => {
  const granted = ['openid', 'accounts'];
  const client = { scope: ['openid', 'accounts', 'payments'] };

  it('is what was granted, or the part of it that is asked for', () => {
    expect(resolveRefreshedScope({ requested: undefined, granted, client })).toEqual(granted);
    expect(resolveRefreshedScope({ requested: ['accounts'], granted, client })).toEqual(['accounts']);
  });

  it('never grows, even to what the client has registered', () => {
    expect(() => resolveRefreshedScope({ requested: ['payments'], granted, client })).toThrow(InvalidScopeError);
  });

  it('loses what the client no longer has registered', () => {
    expect(resolveRefreshedScope({ requested: undefined, granted, client: { scope: ['openid'] } })).toEqual(['openid']);
    expect(() => resolveRefreshedScope({ requested: undefined, granted, client: { scope: [] } })).toThrow(
      InvalidRefreshTokenError,
    );
  });
});
