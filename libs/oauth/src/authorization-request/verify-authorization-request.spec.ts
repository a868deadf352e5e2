import { createHash, createSecretKey, generateKeyPairSync } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { CompactSign } from 'jose';
import type { VerificationKey } from '#libs/jws';
import { createErrorResponse } from '../authorization-response/create-authorization-response.js';
import { OAuthError } from '../errors/oauth-error.js';
import type { OAuthClient } from '../oauth-client.js';
import { parseAuthorizationRequest } from './parse-authorization-request.js';
import { verifyAuthorizationRequest } from './verify-authorization-request.js';

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

const keys: VerificationKey[] = [
  { kid: 'r', use: 'sig', key: rsa.publicKey },
  { kid: 'e', use: 'sig', key: ec.publicKey },
  { kid: 'transport', use: 'tls', key: otherRsa.publicKey },
];

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
    findKeys: test.findKeys ?? (async () => keys),
    isIntentOptional: test.isIntentOptional ?? false,
    signingKeys: [],
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
      return redirect ? `${error.error} ${redirect.responseMode} ${redirect.state ?? '-'}` : `${error.error} page`;
    },
  );

const idToken = (members: object) => ({ claims: { id_token: { ...claims.claims.id_token, ...members } } });
const acrOf = async (acr: object) => (await verify({ claims: idToken({ acr }) })).acr;

describe('GET /oauth2/authorize, accepted requests', () => {
  it('takes everything from the request object', async () => {
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

  it('ignores a state and a nonce that are only outside (RFC 9101 s6.3)', async () => {
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
    ['several audiences', { claims: { aud: [issuer, 'https://other1.example.com', 'invalid'] } }],
    ['scopes in another order', { claims: { scope: 'payments openid' } }],
    ['a redirect URI with query', { claims: { redirect_uri: withQuery } }],
    [
      'another order of response_type',
      { claims: { response_type: 'id_token code' }, query: { response_type: 'code id_token' } },
    ],
    [
      'nothing outside but client_id and request',
      { query: { redirect_uri: undefined, response_type: undefined, scope: undefined } },
    ],
    ['an unregistered redirect_uri outside, as it does not count', { query: { redirect_uri: 'https://evil.example' } }],
    ['nonce of 384 characters', { claims: { nonce: 'n'.repeat(384) } }],
    ['nonce of 1,024 characters', { claims: { nonce: 'n'.repeat(1024) } }],
    ['state of 1,000 characters', { claims: { state: 's'.repeat(1000) } }],
    ['state of 2,048 characters', { claims: { state: '~'.repeat(2048) } }],
    ['response_mode fragment', { claims: { response_mode: 'fragment' } }],
    ['exp - nbf of 60 minutes', { claims: { exp: seconds + 3600 } }],
    ['nbf 60 minutes ago', { claims: { nbf: seconds - 3600, exp: seconds } }],
    ['exp 9 s ago', { claims: { nbf: seconds - 100, exp: seconds - 9 } }],
    ['nbf 60 s ahead', { claims: { nbf: seconds + 60 } }],
    ['prompt and max_age', { claims: { prompt: 'login consent', max_age: 0 } }],
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
    const test = { client: codeClient, query: { response_type: 'code' } };
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
      'an unregistered redirect_uri',
      { claims: { redirect_uri: `${redirectUri}/x` }, query: { redirect_uri: `${redirectUri}/x` } },
    ],
    ['an unregistered redirect_uri inside', { claims: { redirect_uri: 'https://evil.example' } }],
    ['redirect_uri only outside', { claims: { redirect_uri: undefined } }],
    ['redirect_uri nowhere', { claims: { redirect_uri: undefined }, query: { redirect_uri: undefined } }],
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
    ['no request', { query: { state, request: undefined } }, 'invalid_request fragment outer'],
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
      'invalid_request fragment -',
    ],
    ['request_uri', { query: { request: undefined, request_uri: 'urn:x' } }, 'request_uri_not_supported fragment -'],
    ['request and request_uri', { query: { request_uri: 'urn:x' } }, 'invalid_request fragment -'],
    ['a state with control bytes', { query: { state: 'a\0' } }, 'invalid_request fragment -'],
    ['a state of 4 KB', { query: { state: 's'.repeat(4096) } }, 'invalid_request fragment -'],
    ['a long response_type', { query: { response_type: 'code '.repeat(100) } }, 'invalid_request fragment -'],
  ])('redirects %s', async (_, test, expected) => {
    expect(await outcome(test)).toBe(expected);
  });

  it('redirects a repeated parameter without the value in doubt', async () => {
    const request = await sign({});
    const error = await verifyAuthorizationRequest({
      query: parseAuthorizationRequest(`${toQuery({ ...outer, request })}&state=a&state=b`),
      client,
      issuer,
      findKeys: async () => keys,
      isIntentOptional: false,
      signingKeys: [],
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
    ['alg none', { tamper: (text) => `${none}.${text.split('.')[1]}.` }],
    ['a JWE', { tamper: () => 'a.b.c.d.e' }],
    ['a changed signature', { tamper: (text) => text.replace(/\.[^.]{4}([^.]*)$/, '.AAAA$1') }],
    ['RS256 with the right key', { header: { alg: 'RS256' } }],
    [
      'HS256 with the public key as secret',
      {
        header: { alg: 'HS256' },
        key: createSecretKey(Buffer.from(rsa.publicKey.export({ type: 'spki', format: 'pem' }))),
      },
    ],
    ['ES256 when PS256 is registered', { header: { alg: 'ES256', kid: 'e' }, key: ec.privateKey }],
    ['the key of another client', { key: otherRsa.privateKey }],
    ['a transport key', { key: otherRsa.privateKey, header: { kid: 'transport' } }],
    ['an unknown kid', { header: { kid: 'x' } }],
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
    ['no exp', { claims: { exp: undefined } }],
    ['no nbf', { claims: { nbf: undefined } }],
    ['exp an hour ago', { claims: { exp: seconds - 3600 } }],
    ['exp 10 s ago', { claims: { nbf: seconds - 100, exp: seconds - 10 } }],
    ['exp 70 minutes ahead', { claims: { exp: seconds + 4200 } }],
    ['exp in milliseconds', { claims: { exp: (seconds + 300) * 1000 } }],
    ['exp as text', { claims: { exp: `${seconds + 300}` } }],
    ['nbf 70 minutes ago', { claims: { nbf: seconds - 4200 } }],
    ['nbf just over 60 minutes ago', { claims: { nbf: seconds - 3601, exp: seconds - 1 } }],
    ['nbf 61 s ahead', { claims: { nbf: seconds + 61 } }],
    ['nbf as list', { claims: { nbf: [seconds] } }],
    ['iat 61 s ahead', { claims: { iat: seconds + 61 } }],
    ['no aud', { claims: { aud: undefined } }],
    ['another aud', { claims: { aud: 'https://www.other1.example.com/' } }],
    ['aud as object', { claims: { aud: { 0: issuer } } }],
    ['no iss', { claims: { iss: undefined } }],
    ['another iss', { claims: { iss: 'c2' } }],
    ['no client_id', { claims: { client_id: undefined } }],
    ['another client_id', { claims: { client_id: 'c2' } }],
    ['sub = client_id (RFC 9101 s10.8)', { claims: { sub: 'c1' } }],
    ['a nested request (RFC 9101 s4)', { claims: { request: 'x' } }],
    ['a nested request_uri', { claims: { request_uri: 'urn:x' } }],
    ['no scope', { claims: { scope: undefined } }],
    ['scope as list', { claims: { scope: ['openid'] } }],
    ['a scope of 1,025 characters', { claims: { scope: 'x'.repeat(1025) } }],
    ['no nonce', { claims: { nonce: undefined } }],
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
    ['the intent of a payment without that scope', { claims: { scope: 'openid accounts' } }],
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
  ];
  it.each(invalid)('redirects %s as invalid_request_object with the signed state', async (_, test) => {
    expect(await outcome({ ...test, query: { ...test.query, state: 'outer' } })).toBe(
      'invalid_request_object fragment inner-state',
    );
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
      'code of a hybrid client',
      { claims: { response_type: 'code' }, query: { response_type: 'code' } },
      'unsupported_response_type query',
    ],
    [
      'token',
      { claims: { response_type: 'token' }, query: { response_type: 'token' } },
      'unsupported_response_type fragment',
    ],
    [
      'a repeated word',
      { claims: { response_type: 'code code' }, query: { response_type: 'code code' } },
      'unsupported_response_type fragment',
    ],
    [
      'none',
      { claims: { response_type: 'none' }, query: { response_type: 'none' } },
      'unsupported_response_type fragment',
    ],
    ['response_mode query with hybrid', { claims: { response_mode: 'query' } }, 'invalid_request fragment'],
    ['response_mode form_post', { claims: { response_mode: 'form_post' } }, 'invalid_request fragment'],
    ['response_mode as list', { claims: { response_mode: ['fragment'] } }, 'invalid_request fragment'],
    ['a scope that is not registered', { claims: { scope: 'openid fundsconfirmations' } }, 'invalid_scope fragment'],
    ['a scope with tabs', { claims: { scope: 'openid  \\' } }, 'invalid_scope fragment'],
    ['hybrid without openid', { claims: { scope: 'payments' } }, 'invalid_scope fragment'],
    ['a blank scope', { claims: { scope: '  ' } }, 'invalid_scope fragment'],
    [
      'PKCE plain',
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
      'an essential acr that is unknown',
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
    expect(target && createErrorResponse({ target, issuer, baseUrl: 'https://b', error: error as OAuthError })).toBe(
      `${withQuery}#error=invalid_scope&error_description=scope%20must%20hold%20openid&error_uri=https%3A%2F%2Fb%2Fdocs%2Ferrors%2Finvalid_scope&state=inner-state&iss=${encodeURIComponent(issuer)}`,
    );
  });

  it('accepts code without openid and nonce only from a client registered for code', async () => {
    const test = {
      claims: { response_type: 'code', scope: 'payments', nonce: undefined },
      query: { response_type: 'code' },
    };
    expect(await outcome({ ...test, client: codeClient })).toBe('accepted');
    const blank = { ...test, claims: { ...test.claims, scope: '  ' } };
    expect(await outcome({ ...blank, client: codeClient })).toBe('invalid_scope query inner-state');
  });
});
