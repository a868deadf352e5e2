import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { defaultProfile } from '../../../../test/support/profile-settings.js';
import {
  AuthorizationCodeReusedError,
  InvalidGrantError,
  InvalidScopeError,
  UnauthorizedClientError,
} from '../errors/protocol-errors.js';
import { fapiProfiles, type FapiProfile } from '../oauth-client.js';
import { verifyAuthorizationCode } from './authorization-code.js';
import type { AuthorizationCodeRecord } from './authorization-code.js';
import { resolveClientCredentialsScope } from './client-credentials.js';
import { assertRegisteredGrantType } from './grant-type.js';

const now = new Date('2026-03-01T12:00:00Z');
const codeVerifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url');
const codeChallenge = challengeOf(codeVerifier);

interface Exchange {
  code?: Partial<AuthorizationCodeRecord> | null;
  clientId?: string;
  redirectUri?: string;
  codeVerifier?: string;
  redirectUris?: string[];
  fapiProfile?: FapiProfile;
}

const callback = 'https://tpp.example/cb';

function exchange({
  code = {},
  clientId = 'c1',
  redirectUri = callback,
  codeVerifier,
  redirectUris = [callback],
  fapiProfile = 'fapi1-advanced',
}: Exchange = {}) {
  const expiresAt = new Date(now.getTime() + 1);
  const record = {
    clientId: 'c1',
    redirectUri: callback,
    scope: ['openid', 'payments'],
    expiresAt,
    ...code,
  };
  return () =>
    verifyAuthorizationCode({
      code: code ? record : undefined,
      client: { clientId, scope: ['payments', 'openid', 'accounts'], redirectUris, fapiProfile },
      redirectUri,
      codeVerifier,
      profile: { ...defaultProfile, fapiProfiles },
      now,
    });
}

describe('grant_type=authorization_code (RFC 6749 s4.1.3)', () => {
  it('accepts the code of this client and returns it', () => {
    expect(exchange()()).toMatchObject({ clientId: 'c1' });
    expect(exchange({ code: { redeemedAt: null, codeChallenge: null } })).not.toThrow();
    expect(exchange({ code: { codeChallenge }, codeVerifier })).not.toThrow();
    expect(exchange({ code: { codeChallenge }, codeVerifier, fapiProfile: 'fapi2-security' })).not.toThrow();
    expect(exchange({ redirectUris: ['https://tpp.example/other', callback] })).not.toThrow();
  });

  it.each<[string, Exchange]>([
    ['an unknown code', { code: null }],
    ['a code issued to another client', { clientId: 'c2' }],
    ['a redeemed code of another client, without a hint of reuse', { clientId: 'c2', code: { redeemedAt: now } }],
    ['an expired code', { code: { expiresAt: now } }],
    ['another redirect_uri', { redirectUri: 'https://tpp.example/cb/' }],
    ['redirect_uri in another case', { redirectUri: 'https://TPP.example/cb' }],
    ['a missing code_verifier (RFC 7636 s4.6)', { code: { codeChallenge } }],
    ['a wrong code_verifier', { code: { codeChallenge }, codeVerifier: 'x'.repeat(43) }],
    ['the challenge as code_verifier', { code: { codeChallenge }, codeVerifier: codeChallenge }],
    [
      'a short code_verifier that matches (RFC 7636 s4.1)',
      { code: { codeChallenge: challengeOf('x') }, codeVerifier: 'x' },
    ],
    ['a code_verifier without challenge (RFC 9700 s4.8.2)', { codeVerifier }],
    ['a scope that the client has no longer registered', { code: { scope: ['openid', 'fundsconfirmations'] } }],
    ['a redirect_uri that the client has no longer registered', { redirectUris: ['https://tpp.example/other'] }],
    ['a code without PKCE of a client that has changed to FAPI 2.0 since', { fapiProfile: 'fapi2-security' }],
    ['a damaged challenge', { code: { codeChallenge: 'x' }, codeVerifier }],
  ])('refuses %s', (_, changes) => {
    expect(exchange(changes)).toThrow(InvalidGrantError);
    expect(exchange(changes)).not.toThrow(AuthorizationCodeReusedError);
  });

  it('tells reuse by the same client, on which tokens are revoked (RFC 6749 s4.1.2)', () => {
    expect(exchange({ code: { redeemedAt: now } })).toThrow(AuthorizationCodeReusedError);
    expect(exchange({ code: { redeemedAt: now, expiresAt: now } })).toThrow(AuthorizationCodeReusedError);
  });
});

describe('grant_type=client_credentials (RFC 6749 s4.4)', () => {
  const client = { scope: ['openid', 'accounts', 'payments'] };
  const profile = defaultProfile;

  it.each<[string, string[] | undefined, string[]]>([
    ['all registered scopes but openid when none is requested', undefined, ['accounts', 'payments']],
    ['a subset', ['payments'], ['payments']],
    ['the requested ones without openid', ['openid', 'payments'], ['payments']],
    ['openid where nothing else was requested', ['openid'], ['openid']],
  ])('grants %s', (_, requested, granted) => {
    expect(resolveClientCredentialsScope({ requested, client, profile })).toEqual(granted);
  });

  it('DCR-T104 grants openid to a client that registered nothing else', () => {
    expect(resolveClientCredentialsScope({ requested: undefined, client: { scope: ['openid'] }, profile })).toEqual([
      'openid',
    ]);
  });

  it.each<[string, string[] | undefined, string[]]>([
    ['an unregistered scope', ['payments', 'fundsconfirmations'], client.scope],
    ['a scope in another case', ['Payments'], client.scope],
    ['no scope from a client without any', undefined, []],
  ])('refuses %s', (_, requested, scope) => {
    expect(() => resolveClientCredentialsScope({ requested, client: { scope }, profile })).toThrow(InvalidScopeError);
  });

  it('refuses a request without scope where the bank demands one (DEFAULT_SCOPE=refuse)', () => {
    const strict = { ...profile, defaultScope: 'refuse' as const };
    expect(() => resolveClientCredentialsScope({ requested: undefined, client, profile: strict })).toThrow(
      InvalidScopeError,
    );
    expect(resolveClientCredentialsScope({ requested: ['payments'], client, profile: strict })).toEqual(['payments']);
  });

  it('refuses a grant type that the client did not register', () => {
    const client = { grantTypes: ['authorization_code'] };
    expect(() => assertRegisteredGrantType(client, 'authorization_code')).not.toThrow();
    expect(() => assertRegisteredGrantType(client, 'client_credentials')).toThrow(UnauthorizedClientError);
  });
});
