import { createHash, createSecretKey, generateKeyPairSync } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { CompactSign } from 'jose';
import type { VerificationKey } from '#libs/jws';
import { defaultProfile } from '../../../../test/support/profile-settings.js';
import type { ProfileSettings } from '../security-profile/profile-table.js';
import { aKeyFinder } from '../../../../test/support/a-key-finder.js';
import { createErrorResponse } from '../authorization-response/create-authorization-response.js';
import { OAuthError } from '../errors/oauth-error.js';
import type { OAuthClient } from '../oauth-client.js';
import { parseAuthorizationRequest, type AuthorizationQuery } from './parse-authorization-request.js';
import { formatPushedRequest, parsePushedRequest, type PushedRequest } from './pushed-request.js';
import { verifyPushedRequest } from './verify-pushed-request.js';
import { verifyAuthorizationRequest, type AuthorizationRequest } from './verify-authorization-request.js';

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const otherRsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const issuer = 'https://bank.example/open-banking/v3.0';
const now = new Date('2026-03-01T12:00:00Z');
const seconds = now.getTime() / 1000;
const redirectUri = 'https://tpp.example/cb';
const withQuery = 'https://tpp.example/cb?dummy1=lorem&dummy2=ipsum';
const sca = 'urn:openbanking:psd2:sca';
const ca = 'urn:openbanking:psd2:ca';

const client: OAuthClient = {
  clientId: 'c1',
  orgId: 'org',
  softwareId: 'software',
  clientName: 'TPP',
  orgName: 'TPP Ltd',
  redirectUris: [redirectUri, withQuery],
  grantTypes: ['authorization_code', 'client_credentials'],
  responseTypes: ['code id_token'],
  scope: ['openid', 'accounts', 'payments'],
  tokenEndpointAuthMethod: 'private_key_jwt',
  idTokenSignedResponseAlg: 'PS256',
  requestObjectSigningAlg: 'PS256',
  jwksUri: 'https://keys.example/jwks',
  secretHash: Buffer.alloc(32),
};
const codeClient: OAuthClient = { ...client, responseTypes: ['code', 'code id_token'] };

const findKeys = await aKeyFinder(
  { kid: 'r', use: 'sig', key: rsa.publicKey },
  { kid: 'e', use: 'sig', key: ec.publicKey },
  { kid: 'transport', use: 'tls', key: otherRsa.publicKey },
);

const claims = {
  iss: 'c1',
  aud: issuer,
  client_id: 'c1',
  redirect_uri: redirectUri,
  response_type: 'code id_token',
  scope: 'openid payments',
  state: 'inner-state',
  nonce: 'inner-nonce',
  nbf: seconds,
  exp: seconds + 300,
  claims: { id_token: { openbanking_intent_id: { value: 'intent-1', essential: true } } },
};
const outer = { client_id: 'c1', redirect_uri: redirectUri, response_type: 'code id_token', scope: 'openid payments' };

interface Case {
  /** Members of the request object; undefined leaves one out. */
  claims?: Record<string, unknown>;
  header?: Record<string, unknown>;
  key?: KeyObject;
  /** Query parameters; undefined leaves one out. */
  query?: Record<string, string | undefined>;
  /** Changes the signed request object, or replaces it. */
  tamper?: (request: string) => string;
  client?: OAuthClient | null;
  isIntentOptional?: boolean;
  profile?: Partial<ProfileSettings>;
  findKeys?: () => Promise<VerificationKey[]>;
}

async function sign({ claims: changes, header, key = rsa.privateKey }: Case): Promise<string> {
  return new CompactSign(Buffer.from(JSON.stringify({ ...claims, ...changes })))
    .setProtectedHeader({ alg: 'PS256', kid: 'r', ...header })
    .sign(key);
}

function toQuery(parameters: Record<string, string | undefined>): string {
  const present = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return new URLSearchParams(present).toString();
}

async function verify(test: Case) {
  const request = await sign(test);
  const query = toQuery({ ...outer, request: test.tamper ? test.tamper(request) : request, ...test.query });
  return verifyAuthorizationRequest({
    query: parseAuthorizationRequest(query),
    client: test.client === undefined ? client : (test.client ?? undefined),
    issuer,
    findKeys: test.findKeys ?? findKeys,
    isIntentOptional: test.isIntentOptional ?? false,
    signingKeys: [],
    profile: { ...defaultProfile, ...test.profile },
    now,
  });
}

/** `code page`, or `code query|fragment state`; unknown kinds of error show themselves. */
const outcome = (test: Case) =>
  verify(test).then(
    () => 'accepted',
    (error: unknown) => {
      if (!(error instanceof OAuthError)) return error;
      const { redirect } = error;
      const mode = `${redirect?.responseMode}${redirect?.signed === undefined ? '' : '.jwt'}`;
      return redirect ? `${error.error} ${mode} ${redirect.state ?? '-'}` : `${error.error} page`;
    },
  );

const idToken = (members: object) => ({ claims: { id_token: { ...claims.claims.id_token, ...members } } });
const acrOf = async (acr: object) => (await verify({ claims: idToken({ acr }) })).acr;

describe('GET /oauth2/authorize, accepted requests', () => {
  it('10 takes everything from the request object', async () => {
    expect(await verify({ query: { state: 'outer', nonce: 'outer', scope: 'x' } })).toEqual({
      clientId: 'c1',
      redirectUri,
      responseMode: 'fragment',
      responseType: 'code id_token',
      scope: ['openid', 'payments'],
      state: 'inner-state',
      nonce: 'inner-nonce',
      intentId: 'intent-1',
    });
  });

  it('18, 19 ignores a state and a nonce that are only outside (RFC 9101 s6.3)', async () => {
    const request = await verify({ claims: { state: undefined }, query: { state: 'outer' } });
    expect(request.state).toBeUndefined();
    expect(await outcome({ claims: { nonce: undefined }, query: { nonce: 'outer' } })).toMatch(
      /^invalid_request_object/,
    );
  });

  it.each<[string, Case]>([
    ['no kid', { header: { kid: undefined } }],
    ['typ OautH-auThZ-REQ+jWt', { header: { typ: 'OautH-auThZ-REQ+jWt' } }],
    ['typ JWT', { header: { typ: 'JWT' } }],
    ['iat', { claims: { iat: seconds } }],
    ['a jti of 255 characters', { claims: { jti: 'é'.repeat(255) } }],
    ['4 several audiences', { claims: { aud: [issuer, 'https://other1.example.com', 'invalid'] } }],
    ['5 no state', { claims: { state: undefined } }],
    ['7 scopes in another order', { claims: { scope: 'payments openid' } }],
    ['2 a redirect URI with query', { claims: { redirect_uri: withQuery } }],
    [
      'another order of response_type',
      { claims: { response_type: 'id_token code' }, query: { response_type: 'code id_token' } },
    ],
    [
      'nothing outside but client_id and request',
      { query: { redirect_uri: undefined, response_type: undefined, scope: undefined } },
    ],
    ['an unregistered redirect_uri outside, as it does not count', { query: { redirect_uri: 'https://evil.example' } }],
    ['13 nonce of 64 characters', { claims: { nonce: 'n'.repeat(64) } }],
    ['12 nonce of 384 characters', { claims: { nonce: 'n'.repeat(384) } }],
    ['nonce of 1,024 characters', { claims: { nonce: 'n'.repeat(1024) } }],
    ['14 state of 1,000 characters', { claims: { state: 's'.repeat(1000) } }],
    ['state of 2,048 characters', { claims: { state: '~'.repeat(2048) } }],
    ['response_mode fragment', { claims: { response_mode: 'fragment' } }],
    ['exp - nbf of 60 minutes', { claims: { exp: seconds + 3600 } }],
    ['nbf 60 minutes ago', { claims: { nbf: seconds - 3600, exp: seconds } }],
    ['exp 9 s ago', { claims: { nbf: seconds - 100, exp: seconds - 9 } }],
    ['s11 nbf 8 s ahead', { claims: { nbf: seconds + 8 } }],
    ['nbf 60 s ahead', { claims: { nbf: seconds + 60 } }],
    ['prompt and max_age', { claims: { prompt: 'login consent', max_age: 0 } }],
    ['unknown claims', { claims: { vendor: { deep: [1, 2, 3] } } }],
    [
      'parameters of OpenID Connect that need nothing here (s3.1.2.1)',
      { claims: { display: 'popup', ui_locales: 'cy en', login_hint: 'alice', acr_values: 'urn:x' } },
    ],
    [
      'response_mode, prompt and PKCE that are only outside',
      { query: { response_mode: 'query', prompt: 'none', code_challenge: 'x', code_challenge_method: 'plain' } },
    ],
    ['max_age as text', { claims: { max_age: '3600' } }],
    ['the intent in userinfo as well', { claims: { claims: { ...claims.claims, userinfo: claims.claims.id_token } } }],
    ['claims requested in the default manner', { claims: idToken({ acr: null, auth_time: null, x: 5 }) }],
    ['an unknown acr that is not essential', { claims: idToken({ acr: { value: 'urn:other' } }) }],
  ])('accepts %s', async (_, test) => {
    expect(await outcome(test)).toBe('accepted');
  });

  it('accepts ES256 from a client that registered it, and then only that', async () => {
    const es256: OAuthClient = { ...client, requestObjectSigningAlg: 'ES256' };
    expect(await outcome({ client: es256, header: { alg: 'ES256', kid: 'e' }, key: ec.privateKey })).toBe('accepted');
    expect(await outcome({ client: es256 })).toMatch(/^invalid_request_object/);
  });

  it('reads the acr request (OIDC Core s5.5.1.1)', async () => {
    expect(await acrOf({ essential: true, values: [sca, ca] })).toEqual({ essential: true, values: [sca, ca] });
    expect(await acrOf({ essential: true, value: sca })).toEqual({ essential: true, values: [sca] });
    expect(await acrOf({ essential: true })).toBeUndefined();
  });

  it('reads the sub that was requested (OIDC Core s5.5.1)', async () => {
    const named = await verify({ claims: idToken({ sub: { value: 'customer-1' } }) });
    expect(named.subject).toBe('customer-1');
    expect((await verify({ claims: idToken({ sub: null }) })).subject).toBeUndefined();
  });

  it('accepts the code flow of a client registered for it: query by default, fragment on demand', async () => {
    const test: Case = { client: codeClient, query: { response_type: 'code' }, profile: { plainCodeFlow: 'allow' } };
    expect(await verify({ ...test, claims: { response_type: 'code' } })).toMatchObject({ responseMode: 'query' });
    const onDemand = await verify({ ...test, claims: { response_type: 'code', response_mode: 'fragment' } });
    expect(onDemand).toMatchObject({ responseMode: 'fragment', responseType: 'code' });
  });

  it('accepts a request without intent only where allowed, and never for payments', async () => {
    const test = { claims: { claims: undefined, scope: 'openid accounts' } };
    expect(await outcome({ ...test, isIntentOptional: true })).toBe('accepted');
    expect(await outcome(test)).toBe('invalid_request_object fragment inner-state');
    expect(await outcome({ claims: { claims: undefined }, isIntentOptional: true })).toBe(
      'invalid_request_object fragment inner-state',
    );
  });

  it.each([
    ['openid payments accounts fundsconfirmations', ['openid', 'payments']],
    ['accounts payments openid', ['payments', 'openid']],
    ['fundsconfirmations payments', ['payments']],
    ['openid accounts', ['openid', 'accounts']],
    ['openid fundsconfirmations', ['openid', 'fundsconfirmations']],
  ])('asks, of %s, for what the intent is about (RFC 6749 s3.3)', async (scope, expected) => {
    const wide = { ...codeClient, scope: ['openid', 'accounts', 'payments', 'fundsconfirmations'] };
    const code = { client: wide, query: { response_type: 'code' }, profile: { plainCodeFlow: 'allow' as const } };
    expect((await verify({ ...code, claims: { scope, response_type: 'code' } })).scope).toEqual(expected);
  });

  it('leaves a scope without an intent as it is', async () => {
    const wide = { ...client, scope: ['openid', 'accounts', 'fundsconfirmations'] };
    const asked = { claims: undefined, scope: 'openid accounts fundsconfirmations' };
    const request = await verify({ client: wide, isIntentOptional: true, claims: asked });
    expect(request.scope).toEqual(asked.scope.split(' '));
  });

  it('keeps an S256 challenge (RFC 7636)', async () => {
    const codeChallenge = createHash('sha256').update('v').digest('base64url');
    const request = await verify({ claims: { code_challenge: codeChallenge, code_challenge_method: 'S256' } });
    expect(request.codeChallenge).toBe(codeChallenge);
  });

  it('accepts a request object of up to 64 KiB', async () => {
    expect(await outcome({ claims: { padding: 'x'.repeat(46_000) } })).toBe('accepted');
    expect(await outcome({ claims: { padding: 'x'.repeat(50_000) } })).toBe('invalid_request_object fragment -');
  });
});

describe('GET /oauth2/authorize, errors that stay a page (RFC 6749 s4.1.2.1)', () => {
  it.each<[string, Case]>([
    ['an unknown client', { client: null }],
    ['a record of another client', { client: { ...client, clientId: 'c2' } }],
    [
      '11, p17 an unregistered redirect_uri',
      { claims: { redirect_uri: `${redirectUri}/x` }, query: { redirect_uri: `${redirectUri}/x` } },
    ],
    ['11 an unregistered redirect_uri inside', { claims: { redirect_uri: 'https://evil.example' } }],
    ['20 redirect_uri only outside', { claims: { redirect_uri: undefined } }],
    ['30 redirect_uri nowhere', { claims: { redirect_uri: undefined }, query: { redirect_uri: undefined } }],
    ['redirect_uri as list inside', { claims: { redirect_uri: [redirectUri] } }],
    [
      'a bad request object without redirect_uri outside',
      { tamper: (text) => `${text}x`, query: { redirect_uri: undefined } },
    ],
    [
      'a bad request object with an unregistered redirect_uri',
      { tamper: () => 'x', query: { redirect_uri: 'https://evil.example' } },
    ],
    ['no request and no redirect_uri', { query: { request: undefined, redirect_uri: undefined } }],
    ...[
      'https://tpp.example/cb/',
      'https://tpp.example/c',
      'https://tpp.example/CB',
      'https://tpp%2eexample/cb',
      'https://tpp.exаmple/cb',
      '',
      'https://TPP.example/cb',
      'https://tpp.example:443/cb',
      'https://user@tpp.example/cb',
      'https://tpp.example/cb#x',
      'https://tpp.example/%63b',
      'https://tpp.example/./cb',
      'https://tpp.example/cb?dummy1=lorem',
      'javascript:alert(1)',
    ].map((uri): [string, Case] => [
      `redirect_uri ${uri}`,
      { claims: { redirect_uri: uri }, query: { redirect_uri: uri } },
    ]),
  ])('%s', async (_, test) => {
    expect(await outcome(test)).toMatch(/ page$/);
  });

  it.each<[string, unknown]>([
    ['no query', undefined],
    ['an empty query', ''],
    ['no client_id', 'request=x'],
    ['client_id twice', 'client_id=c1&client_id=c1'],
    ['redirect_uri twice', 'client_id=c1&redirect_uri=a&redirect_uri=a'],
    ['a client_id of 129 characters', `client_id=${'c'.repeat(129)}`],
    ['a client_id with NUL', 'client_id=c%00'],
    ['a redirect_uri with line break', 'client_id=c1&redirect_uri=a%0d%0ab'],
    ['broken encoding', 'client_id=c1&state=%ff'],
    ['over 96 KiB', `client_id=c1&x=${'x'.repeat(98_304)}`],
  ])('refuses %s', (_, query) => {
    expect(() => parseAuthorizationRequest(query as string)).toThrow(OAuthError);
  });
});

describe('GET /oauth2/authorize, errors in the query', () => {
  const state = 'outer';
  it.each<[string, Case, string]>([
    ['29 no request', { query: { state, request: undefined } }, 'invalid_request fragment outer'],
    ['no request and no state', { query: { request: undefined } }, 'invalid_request fragment -'],
    ['an empty request', { query: { state, request: '' } }, 'invalid_request fragment outer'],
    [
      'no request in the code flow',
      { query: { state, request: undefined, response_type: 'code' } },
      'invalid_request query outer',
    ],
    [
      'no request and no response_type',
      { query: { request: undefined, response_type: undefined } },
      'invalid_request query -',
    ],
    [
      'no request and an unknown response_type',
      { query: { request: undefined, response_type: 'foo' } },
      'invalid_request query -',
    ],
    [
      'no request and a response_type with token',
      { query: { request: undefined, response_type: 'code token' } },
      'invalid_request fragment -',
    ],
    [
      'no request and no response_type, but a response_mode',
      { query: { request: undefined, response_type: undefined, response_mode: 'fragment' } },
      'invalid_request fragment -',
    ],
    ['request_uri', { query: { request: undefined, request_uri: 'urn:x' } }, 'request_uri_not_supported fragment -'],
    ['request and request_uri', { query: { request_uri: 'urn:x' } }, 'invalid_request fragment -'],
    ['a state with control bytes', { query: { state: 'a\0' } }, 'invalid_request fragment -'],
    ['a state of 4 KB', { query: { state: 's'.repeat(4096) } }, 'invalid_request fragment -'],
    ['a long response_type', { query: { response_type: 'code '.repeat(100) } }, 'invalid_request query -'],
  ])('redirects %s', async (_, test, expected) => {
    expect(await outcome(test)).toBe(expected);
  });

  it('redirects a repeated parameter without the value in doubt', async () => {
    const request = await sign({});
    const error = await verifyAuthorizationRequest({
      query: parseAuthorizationRequest(`${toQuery({ ...outer, request })}&state=a&state=b`),
      client,
      issuer,
      findKeys,
      isIntentOptional: false,
      signingKeys: [],
      profile: defaultProfile,
      now,
    }).catch((reason: OAuthError) => reason);
    expect(error).toMatchObject({ error: 'invalid_request', redirect: { redirectUri, responseMode: 'fragment' } });
    expect((error as OAuthError).redirect?.state).toBeUndefined();
  });
});

describe('GET /oauth2/authorize, request objects that cannot be trusted', () => {
  const query = { state: 'outer' };
  const none = Buffer.from('{"alg":"none"}').toString('base64url');
  it.each<[string, Case]>([
    ['text', { tamper: () => 'hello' }],
    ['26 alg none', { tamper: (text) => `${none}.${text.split('.')[1]}.` }],
    ['a JWE', { tamper: () => 'a.b.c.d.e' }],
    ['27 a changed signature', { tamper: (text) => text.replace(/\.[^.]{4}([^.]*)$/, '.AAAA$1') }],
    ['25 RS256 with the right key', { header: { alg: 'RS256' } }],
    [
      'HS256 with the public key as secret',
      {
        header: { alg: 'HS256' },
        key: createSecretKey(Buffer.from(rsa.publicKey.export({ type: 'spki', format: 'pem' }))),
      },
    ],
    ['ES256 when PS256 is registered', { header: { alg: 'ES256', kid: 'e' }, key: ec.privateKey }],
    ['28 the key of another client', { key: otherRsa.privateKey }],
    ['a transport key', { key: otherRsa.privateKey, header: { kid: 'transport' } }],
    ['an unknown kid', { header: { kid: 'x' } }],
    [
      'a key that it brings along',
      { key: otherRsa.privateKey, header: { jwk: otherRsa.publicKey.export({ format: 'jwk' }) } },
    ],
    ['typ at+jwt', { header: { typ: 'at+jwt' } }],
    ['typ of a client assertion', { header: { typ: 'client-authentication+jwt' } }],
    ['a client without keys', { findKeys: async () => [] }],
  ])('redirects %s with the state of the query', async (_, test) => {
    expect(await outcome({ ...test, query })).toBe('invalid_request_object fragment outer');
  });

  it('says temporarily_unavailable when the keys cannot be had', async () => {
    expect(await outcome({ findKeys: () => Promise.reject(new Error('down')), query })).toBe(
      'temporarily_unavailable fragment outer',
    );
  });
});

describe('GET /oauth2/authorize, request objects with wrong claims', () => {
  const invalid: [string, Case][] = [
    ['15 no exp', { claims: { exp: undefined } }],
    ['16 no nbf', { claims: { nbf: undefined } }],
    ['21 exp an hour ago', { claims: { exp: seconds - 3600 } }],
    ['exp 10 s ago', { claims: { nbf: seconds - 100, exp: seconds - 10 } }],
    ['23 exp 70 minutes ahead', { claims: { exp: seconds + 4200 } }],
    ['exp in milliseconds', { claims: { exp: (seconds + 300) * 1000 } }],
    ['exp as text', { claims: { exp: `${seconds + 300}` } }],
    ['24 nbf 70 minutes ago', { claims: { nbf: seconds - 4200 } }],
    ['nbf just over 60 minutes ago', { claims: { nbf: seconds - 3601, exp: seconds - 1 } }],
    ['nbf 61 s ahead', { claims: { nbf: seconds + 61 } }],
    ['nbf as list', { claims: { nbf: [seconds] } }],
    ['iat 61 s ahead', { claims: { iat: seconds + 61 } }],
    ...['', 'a\u0000b', 'line\nbreak', 'half \ud83d', 'x'.repeat(256), 7, null].map((jti): [string, Case] => [
      `jti ${JSON.stringify(jti)}`,
      { claims: { jti } },
    ]),
    ['no aud', { claims: { aud: undefined } }],
    ['22 another aud', { claims: { aud: 'https://www.other1.example.com/' } }],
    ['22 aud with a slash more', { claims: { aud: `${issuer}/` } }],
    ['22 the token endpoint as aud', { claims: { aud: 'https://bank.example/oauth2/token' } }],
    ['p16 the PAR endpoint as aud', { claims: { aud: 'https://bank.example/oauth2/par' } }],
    ['aud as number', { claims: { aud: [17] } }],
    ['aud as object', { claims: { aud: { 0: issuer } } }],
    ['no iss', { claims: { iss: undefined } }],
    ['another iss', { claims: { iss: 'c2' } }],
    ['no client_id', { claims: { client_id: undefined } }],
    ['another client_id', { claims: { client_id: 'c2' } }],
    ['sub = client_id (RFC 9101 s10.8)', { claims: { sub: 'c1' } }],
    ['a nested request (RFC 9101 s4)', { claims: { request: 'x' } }],
    ['p18 a nested request_uri', { claims: { request_uri: 'urn:x' } }],
    ['17 no scope', { claims: { scope: undefined } }],
    ['scope as list', { claims: { scope: ['openid'] } }],
    ['a scope of 1,025 characters', { claims: { scope: 'x'.repeat(1025) } }],
    ['19 no nonce', { claims: { nonce: undefined } }],
    ['an empty nonce', { claims: { nonce: '' } }],
    ['nonce as number', { claims: { nonce: 5 } }],
    ['a nonce of 1,025 characters', { claims: { nonce: 'n'.repeat(1025) } }],
    ['a nonce with control bytes', { claims: { nonce: 'a\nb' } }],
    ['no response_type', { claims: { response_type: undefined } }],
    ['response_type as object', { claims: { response_type: {} } }],
    ['another response_type outside', { query: { response_type: 'code' } }],
    ['claims as text', { claims: { claims: '{}' } }],
    ['claims.id_token as list', { claims: { claims: { id_token: [] } } }],
    ['no intent', { claims: { claims: {} } }],
    ['an intent of nothing but who somebody is', { claims: { scope: 'openid' } }],
    ['an intent as number', { claims: idToken({ openbanking_intent_id: { value: 5 } }) }],
    ['an intent as text', { claims: idToken({ openbanking_intent_id: 'intent-1' }) }],
    ['an intent of 129 characters', { claims: idToken({ openbanking_intent_id: { value: 'i'.repeat(129) } }) }],
    [
      'two different intents',
      { claims: { claims: { ...claims.claims, userinfo: { openbanking_intent_id: { value: 'intent-2' } } } } },
    ],
    ['a sub as number', { claims: idToken({ sub: { value: 5 } }) }],
    ['a sub of 256 characters', { claims: idToken({ sub: { value: 's'.repeat(256) } }) }],
    ['exp that is nbf', { claims: { nbf: seconds - 5, exp: seconds - 5 } }],
    ['acr values as text', { claims: idToken({ acr: { values: sca } }) }],
    ['acr values with a number', { claims: idToken({ acr: { values: [sca, 1] } }) }],
    ['acr as text', { claims: idToken({ acr: sca }) }],
    ['acr with essential as text', { claims: idToken({ acr: { value: 'urn:other', essential: 'true' } }) }],
  ];
  it.each(invalid)('redirects %s as invalid_request_object with the signed state', async (_, test) => {
    const query = { ...test.query, state: 'outer' };
    expect(await outcome({ ...test, query })).toBe('invalid_request_object fragment inner-state');
    const jarm = { ...test.claims, response_mode: 'jwt' };
    expect(await outcome({ ...test, query, claims: jarm })).toBe('invalid_request_object fragment.jwt inner-state');
  });

  it.each<[string, Case]>([
    ['too long', { claims: { state: 's'.repeat(2049) } }],
    ['a list', { claims: { state: ['s'] } }],
    ['a number', { claims: { state: 1 } }],
    ['with control bytes', { claims: { state: 'a\u0000' } }],
  ])('does not play back a signed state that is %s', async (_, test) => {
    expect(await outcome(test)).toBe('invalid_request_object fragment -');
    expect(await outcome({ ...test, query: { state: 'outer' } })).toBe('invalid_request_object fragment outer');
  });
});

describe('GET /oauth2/authorize, requests that are not granted', () => {
  const challenge = 'c'.repeat(43);
  it.each<[string, Case, string]>([
    [
      '31 code of a hybrid client',
      { claims: { response_type: 'code' }, query: { response_type: 'code' } },
      'unsupported_response_type query',
    ],
    [
      'token',
      { claims: { response_type: 'token' }, query: { response_type: 'token' } },
      'unsupported_response_type fragment',
    ],
    ...['id_token', 'code token', 'code id_token token'].map((response_type): [string, Case, string] => [
      response_type,
      { claims: { response_type }, query: { response_type } },
      'unsupported_response_type fragment',
    ]),
    [
      'a repeated word',
      { claims: { response_type: 'code code' }, query: { response_type: 'code code' } },
      'unsupported_response_type query',
    ],
    [
      'none',
      { claims: { response_type: 'none' }, query: { response_type: 'none' } },
      'unsupported_response_type query',
    ],
    ['9 response_mode query with hybrid', { claims: { response_mode: 'query' } }, 'invalid_request fragment'],
    ['response_mode form_post', { claims: { response_mode: 'form_post' } }, 'invalid_request fragment'],
    ['response_mode as list', { claims: { response_mode: ['fragment'] } }, 'invalid_request fragment'],
    ['a scope that is not registered', { claims: { scope: 'openid fundsconfirmations' } }, 'invalid_scope fragment'],
    ['a scope with quotes', { claims: { scope: 'openid "payments"' } }, 'invalid_scope fragment'],
    ['a scope with tabs', { claims: { scope: 'openid  \\' } }, 'invalid_scope fragment'],
    ['hybrid without openid', { claims: { scope: 'payments' } }, 'invalid_scope fragment'],
    ['a blank scope', { claims: { scope: '  ' } }, 'invalid_scope fragment'],
    [
      'p15 PKCE plain',
      { claims: { code_challenge: challenge, code_challenge_method: 'plain' } },
      'invalid_request fragment',
    ],
    ['PKCE without method', { claims: { code_challenge: challenge } }, 'invalid_request fragment'],
    ['a method without challenge', { claims: { code_challenge_method: 'S256' } }, 'invalid_request fragment'],
    [
      'a short challenge',
      { claims: { code_challenge: 'c', code_challenge_method: 'S256' } },
      'invalid_request fragment',
    ],
    ['prompt none', { claims: { prompt: 'none' } }, 'login_required fragment'],
    ['prompt none with login', { claims: { prompt: 'none login' } }, 'invalid_request fragment'],
    ['prompt as list', { claims: { prompt: ['login'] } }, 'invalid_request fragment'],
    ['a negative max_age', { claims: { max_age: -1 } }, 'invalid_request fragment'],
    ['max_age as object', { claims: { max_age: {} } }, 'invalid_request fragment'],
    [
      '47 an essential acr that is unknown',
      { claims: idToken({ acr: { essential: true, value: 'urn:x' } }) },
      'access_denied fragment',
    ],
    [
      'a client without the grant type',
      { client: { ...client, grantTypes: ['client_credentials'] } },
      'unauthorized_client fragment',
    ],
  ])('redirects %s', async (_, test, expected) => {
    expect(await outcome(test)).toBe(`${expected} inner-state`);
  });

  it('sends the error to the signed redirect URI and keeps its query', async () => {
    const test = { claims: { redirect_uri: withQuery, scope: 'payments' } };
    const error = await verify(test).catch((reason: OAuthError) => reason);
    const target = (error as OAuthError).redirect;
    const context = { issuer, keys: [], now, baseUrl: 'https://b', error: error as OAuthError };
    expect(target && (await createErrorResponse({ target, ...context }))).toBe(
      `${withQuery}#error=invalid_scope&error_description=scope%20must%20contain%20openid` +
        '&error_uri=https%3A%2F%2Fb%2Fdocs%2Ferrors%2Finvalid_scope' +
        `&state=inner-state&iss=${encodeURIComponent(issuer)}`,
    );
  });

  it('accepts code without openid and nonce only from a client registered for code', async () => {
    const test: Case = {
      claims: { response_type: 'code', scope: 'payments', nonce: undefined },
      query: { response_type: 'code' },
      profile: { plainCodeFlow: 'allow' },
    };
    expect(await outcome({ ...test, client: codeClient })).toBe('accepted');
    const blank = { ...test, claims: { ...test.claims, scope: '  ' } };
    expect(await outcome({ ...blank, client: codeClient })).toBe('invalid_scope query inner-state');
  });

  it('demands PKCE with code alone, unless the bank allows the plain flow (FAPI 1.0 Advanced s5.2.2-2)', async () => {
    const plain: Case = { client: codeClient, claims: { response_type: 'code' }, query: { response_type: 'code' } };
    const pkce = { code_challenge: 'c'.repeat(43), code_challenge_method: 'S256' };
    expect(await outcome(plain)).toBe('invalid_request query inner-state');
    expect(await outcome({ ...plain, claims: { ...plain.claims, ...pkce } })).toBe('accepted');
    expect(await outcome({ ...plain, profile: { plainCodeFlow: 'allow' } })).toBe('accepted');
    expect(await outcome({ client: codeClient })).toBe('accepted');
  });

  it('takes code alone with a response as a JWT (FAPI 1.0 Advanced s5.2.2-2, JARM)', async () => {
    const jarm: Case = {
      client: { ...codeClient, authorizationSignedResponseAlg: 'ES256' },
      claims: { response_type: 'code', response_mode: 'jwt' },
      query: { response_type: 'code' },
    };
    const signed = { clientId: 'c1', algorithm: 'ES256' };
    expect(await verify(jarm)).toMatchObject({ responseMode: 'query', signed });
    const inFragment = { ...jarm, claims: { ...jarm.claims, response_mode: 'fragment.jwt' } };
    expect(await verify(inFragment)).toMatchObject({ responseMode: 'fragment', signed });
  });

  it('9, 31 demands a JWT, PKCE or not, of a client that registered for one (FAPI 1.0 Advanced s5.2.2-2)', async () => {
    const jarmClient: OAuthClient = { ...codeClient, authorizationSignedResponseAlg: 'PS256' };
    const withPkce = { response_type: 'code', code_challenge: 'a'.repeat(43), code_challenge_method: 'S256' };
    const query = { response_type: 'code' };
    for (const response_mode of [undefined, 'query', 'fragment']) {
      const test: Case = { client: jarmClient, claims: { ...withPkce, response_mode }, query };
      expect(await outcome(test)).toMatch(/^invalid_request (?:query|fragment) inner-state$/);
      expect(await verify({ ...test, client: codeClient })).toMatchObject({ responseType: 'code' });
    }
    expect(await verify({ client: jarmClient, claims: { ...withPkce, response_mode: 'jwt' }, query })).toMatchObject({
      responseMode: 'query',
    });
    expect(await verify({ client: jarmClient })).toMatchObject({ responseType: 'code id_token' });
  });

  it.each([
    ['jwt', 'fragment'],
    ['fragment.jwt', 'fragment'],
  ])('sends the hybrid response of %s in the fragment, as a JWT (JARM s2.3)', async (response_mode, responseMode) => {
    const request = await verify({ claims: { response_mode } });
    expect(request).toMatchObject({ responseMode, signed: { clientId: 'c1', algorithm: 'PS256' } });
  });

  it.each(['query.jwt', 'query'])('refuses %s for an ID token (JARM s2.3.1)', async (response_mode) => {
    const place = response_mode === 'query' ? 'fragment' : 'fragment.jwt';
    expect(await outcome({ claims: { response_mode } })).toBe(`invalid_request ${place} inner-state`);
  });

  it.each(['form_post', 'form_post.jwt', 'web_message'])('names the response modes when asked for %s', async (mode) => {
    const error = await verify({ claims: { response_mode: mode } }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      error: 'invalid_request',
      description: 'response_mode must be one of fragment, query, jwt, query.jwt, fragment.jwt',
      redirect: { responseMode: 'fragment' },
    });
  });

  it('answers errors of what is signed as a JWT, too', async () => {
    const jarm = { response_mode: 'jwt', scope: 'unknown' };
    expect(await outcome({ claims: jarm })).toBe('invalid_scope fragment.jwt inner-state');
    const code = { ...jarm, response_type: 'code' };
    expect(await outcome({ client: codeClient, claims: code, query: { response_type: 'code' } })).toBe(
      'invalid_scope query.jwt inner-state',
    );
  });

  it.each<[string, Case]>([
    ['in a request object of another key', { claims: { response_mode: 'jwt' }, key: otherRsa.privateKey }],
    [
      'in a request object without a signature',
      { tamper: (request) => `${request.split('.').slice(0, 2).join('.')}.`, claims: { response_mode: 'jwt' } },
    ],
    ['in the query alone', { query: { response_mode: 'fragment.jwt', request: undefined } }],
  ])('answers as a JWT even when the wish for one stands %s (JARM s2.4)', async (_, test) => {
    const query = { state: 'outer', ...test.query };
    expect(await outcome({ ...test, query })).toMatch(/^invalid_request(_object)? fragment\.jwt outer$/);
    const nowhere = { ...test, query: { ...query, redirect_uri: 'https://evil.example' } };
    expect(await outcome(nowhere)).toMatch(/^invalid_request(_object)? page$/);
  });

  it('demands a signed state where there is no nonce (FAPI 1.0 Baseline s5.2.2.3-1)', async () => {
    const pkce = { code_challenge: 'c'.repeat(43), code_challenge_method: 'S256' };
    const code = { response_type: 'code', nonce: undefined, scope: 'payments', ...pkce };
    const test: Case = { client: codeClient, claims: code, query: { response_type: 'code', state: 'outer' } };
    expect(await outcome(test)).toBe('accepted');
    expect(await outcome({ ...test, claims: { ...code, state: undefined } })).toBe(
      'invalid_request_object query outer',
    );
  });
});

describe('authorization requests of FAPI 2.0 clients (Security Profile s5.3.2.2, Message Signing s5.3.1)', () => {
  const fapi2: OAuthClient = { ...client, responseTypes: [], fapiProfile: 'fapi2-security' };
  const signing: OAuthClient = { ...fapi2, fapiProfile: 'fapi2-message-signing' };
  const pkce = { code_challenge: 'c'.repeat(43), code_challenge_method: 'S256' };
  const parameters = {
    client_id: 'c1',
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid payments',
    claims: JSON.stringify(claims.claims),
    ...pkce,
  };
  const verifyPushed = async (
    pushed: PushedRequest | undefined,
    of: OAuthClient = fapi2,
    query: Partial<AuthorizationQuery> = {},
  ): Promise<AuthorizationRequest> =>
    verifyAuthorizationRequest({
      query: { clientId: 'c1', ...(pushed !== undefined && { pushed }), ...query },
      client: of,
      issuer,
      findKeys,
      isIntentOptional: false,
      signingKeys: [],
      profile: defaultProfile,
      now,
    });
  const refusal = async (changes: Record<string, string | undefined>, of = fapi2): Promise<string> => {
    const left = Object.entries({ ...parameters, ...changes }).filter(([, value]) => value !== undefined);
    const pushed = { kind: 'parameters', parameters: Object.fromEntries(left) as Record<string, string> } as const;
    const error: unknown = await verifyPushed(pushed, of).then(
      () => 'accepted',
      (reason: unknown) => reason,
    );
    return error instanceof OAuthError ? `${error.error}: ${error.description}` : String(error);
  };
  const anObject = async (changes: Record<string, unknown> = {}): Promise<PushedRequest> => ({
    kind: 'object',
    request: await sign({ claims: { response_type: 'code', ...pkce, ...changes } }),
  });

  it('takes pushed parameters as they are, without nonce and state', async () => {
    expect(await verifyPushed({ kind: 'parameters', parameters })).toMatchObject({
      clientId: 'c1',
      responseType: 'code',
      responseMode: 'query',
      scope: ['openid', 'payments'],
      intentId: 'intent-1',
      codeChallenge: pkce.code_challenge,
    });
  });

  it.each<[string, Record<string, string | undefined>]>([
    ['s5, s6 neither state nor nonce', { state: undefined, nonce: undefined }],
    ['state, nonce, prompt and max_age', { state: 's', nonce: 'n', prompt: 'consent', max_age: '60' }],
    ['s7 a nonce of 64 characters', { nonce: 'n'.repeat(64) }],
    ['s8 the scope in another order', { scope: 'payments openid' }],
    ['s14 a nonce of 384 characters', { nonce: 'n'.repeat(384) }],
    ['s15 a state of 1000 characters', { state: 's'.repeat(1_000) }],
    ['no openid (plain OAuth 2.0)', { scope: 'payments' }],
  ])('accepts %s, of both profiles', async (_, changes) => {
    expect(await refusal(changes)).toBe('accepted');
    expect(await verifyPushed(await anObject(changes), signing)).toMatchObject({ responseType: 'code' });
  });

  it.each<[string, Record<string, string | undefined>, string]>([
    [
      's53 without PKCE',
      { code_challenge: undefined, code_challenge_method: undefined },
      'invalid_request: code_challenge',
    ],
    ['s56 with plain PKCE', { code_challenge_method: 'plain' }, 'invalid_request: code_challenge_method must be S256'],
    ['s32 for the hybrid flow', { response_type: 'code id_token' }, 'unsupported_response_type'],
    ['s33 for a token', { response_type: 'token' }, 'unsupported_response_type'],
    ['without response_type', { response_type: undefined }, 'invalid_request: response_type is missing'],
    ['without scope', { scope: undefined }, 'invalid_request: scope is missing'],
    ['s29 with a redirect URI of nobody', { redirect_uri: 'https://evil.example/' }, 'invalid_request'],
    ['s19, s31 without redirect_uri', { redirect_uri: undefined }, 'invalid_request: redirect_uri is missing'],
    ['with claims that are not JSON', { claims: '{' }, 'invalid_request: claims is not JSON'],
    ['with claims that are no object', { claims: '[]' }, 'invalid_request: claims is not a JSON object'],
    ['with a claim twice', { claims: '{"id_token":{},"id_token":{}}' }, 'invalid_request: claims has a member twice'],
    ['without an intent', { claims: undefined }, 'invalid_request: openbanking_intent_id is missing'],
    ['with prompt none', { prompt: 'none' }, 'login_required'],
  ])('refuses parameters %s', async (_, changes, expected) => {
    expect(await refusal(changes)).toContain(expected);
    expect(await refusal(changes)).not.toContain('request object');
  });

  it('says which parameter was wrong, as of a request object', async () => {
    for (const [name, value] of Object.entries({ max_age: 'x', state: '\u0000', claims: '{' })) {
      const pushed = { kind: 'parameters', parameters: { ...parameters, [name]: value } } as const;
      await expect(verifyPushed(pushed)).rejects.toMatchObject({ error: 'invalid_request', member: name });
    }
  });

  it('s28 demands a signed request object in Message Signing, and of FAPI 1.0 clients', async () => {
    expect(await refusal({}, signing)).toBe('invalid_request: request is missing; a signed request object is required');
    expect(await refusal({}, codeClient)).toContain('request is missing');
    expect(await verifyPushed(await anObject({ nonce: undefined }), signing)).toMatchObject({ responseType: 'code' });
  });

  it('s30 takes no request that was not pushed; where it goes is decided as for every other error', async () => {
    const request = await sign({ claims: { response_type: 'code', response_mode: 'jwt', ...pkce } });
    const refusal = {
      error: 'invalid_request',
      description: 'this client must push its authorization requests to the PAR endpoint',
    };
    await expect(verifyPushed(undefined, fapi2, { request, redirectUri })).rejects.toMatchObject({
      ...refusal,
      redirect: { redirectUri, state: 'inner-state', signed: { algorithm: 'PS256' } },
    });
    await expect(verifyPushed(undefined, fapi2, { redirectUri })).rejects.toMatchObject(refusal);
    const pushing = { ...codeClient, requirePushedAuthorizationRequests: true };
    await expect(verifyPushed(undefined, pushing, { request })).rejects.toThrow('must push');
    expect(await verifyPushed(await anObject(), pushing)).toMatchObject({ responseType: 'code' });
  });

  describe('at the PAR endpoint', () => {
    const referenceSeconds = 600;
    const verifyThere = (pushed: PushedRequest, of: OAuthClient): Promise<{ expiresInSeconds: number }> =>
      verifyPushedRequest({
        pushed,
        client: of,
        referenceSeconds,
        issuer,
        findKeys,
        isIntentOptional: false,
        signingKeys: [],
        profile: { ...defaultProfile, plainCodeFlow: 'allow' },
        now,
      });

    it('p12 demands PKCE of every client, also where the bank allows a code alone', async () => {
      const withoutPkce = await anObject({ code_challenge: undefined, code_challenge_method: undefined });
      await expect(verifyThere(withoutPkce, codeClient)).rejects.toMatchObject({ error: 'invalid_request' });
      expect(await verifyThere(await anObject(), codeClient)).toEqual({ expiresInSeconds: 300 });
    });

    it('refuses what the authorization endpoint would refuse: a jti that identifies nothing', async () => {
      const refused = verifyThere(await anObject({ jti: 'half \ud83d' }), codeClient);
      await expect(refused).rejects.toMatchObject({ error: 'invalid_request_object', member: 'jti' });
    });

    it.each<[string, OAuthClient, Record<string, unknown>, number]>([
      ['what the bank has set', codeClient, { exp: seconds + 3_600 }, referenceSeconds],
      ['no longer than the request object has', codeClient, { exp: seconds + 50 }, 50],
      ['a second, if the request object ends within the tolerance', codeClient, { exp: seconds, nbf: seconds - 9 }, 1],
      ['below 600 seconds in FAPI 2.0 (s5.3.2.2)', signing, { exp: seconds + 3_600 }, referenceSeconds - 1],
    ])('gives a reference %s', async (_, of, changes, expiresInSeconds) => {
      expect(await verifyThere(await anObject(changes), of)).toEqual({ expiresInSeconds });
    });
  });

  it('keeps a pushed request as text and reads it again', async () => {
    for (const pushed of [await anObject(), { kind: 'parameters', parameters } as const]) {
      expect(parsePushedRequest(formatPushedRequest(pushed))).toEqual(pushed);
    }
  });
});
