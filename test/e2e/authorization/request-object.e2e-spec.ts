import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createPublicKey, createSecretKey, X509Certificate } from 'node:crypto';
import { leastMilliseconds } from '../../support/least-milliseconds.js';
import { expectErrorPage, expectErrorRedirect, expectHybridResponse, expectSignIn } from './expect-outcome.js';
import { openAuthorization, seconds, type Difference, type FapiClient, type SigningDifference } from './fapi-client.js';
import { FapiWorld, intentClaims } from './fapi-world.js';

const world = new FapiWorld();
beforeAll(() => world.start());
afterAll(() => world.stop());

const issuer = (): string => world.sandbox.description.issuer;

/** One invalid change of a request object. */
interface Row {
  rule: string;
  claims?: () => Difference;
  signing?: (client: FapiClient, other: FapiClient) => SigningDifference;
  query?: (claims: Record<string, unknown>) => Difference;
  /** whether the state of the request object is returned; otherwise that of the query */
  isUnverified?: true;
}

const invalidRequestObject: readonly Row[] = [
  { rule: '15 without exp', claims: () => ({ exp: undefined }) },
  { rule: '16 without nbf', claims: () => ({ nbf: undefined }) },
  {
    rule: '17 without scope, which is only in the query',
    claims: () => ({ scope: undefined }),
    query: () => ({ scope: 'openid payments' }),
  },
  {
    rule: '19 without nonce, which is only in the query',
    claims: () => ({ nonce: undefined }),
    query: () => ({ nonce: 'outside' }),
  },
  { rule: '21 expired an hour ago', claims: () => ({ exp: seconds() - 3_600 }) },
  { rule: '22 with the aud of another server', claims: () => ({ aud: 'https://www.other1.example.com/' }) },
  { rule: '22 with an aud that is the issuer but for a slash', claims: () => ({ aud: `${issuer()}/` }) },
  {
    rule: '22 with the token endpoint as aud',
    claims: () => ({ aud: issuer().replace(/\/open-banking.*/, '/oauth2/token') }),
  },
  { rule: '23 with exp 70 minutes after nbf', claims: () => ({ exp: seconds() + 4_200 }) },
  { rule: '24 with nbf 70 minutes ago', claims: () => ({ nbf: seconds() - 4_200 }) },
  {
    rule: '24 with nbf an hour and 4 seconds ago, exp within the tolerance',
    claims: () => ({ nbf: seconds() - 3_604, exp: seconds() - 5 }),
  },
  {
    rule: '26 unsecured (alg none)',
    signing: () => ({ header: { alg: 'none' } }),
    query: ({ state }) => ({ state }),
    isUnverified: true,
  },
  {
    rule: '28 signed with the key of another client',
    signing: (_client, other) => ({ key: other.credentials.signingKey }),
    query: ({ state }) => ({ state }),
    isUnverified: true,
  },
  {
    rule: 'under the kid and key of another client',
    signing: (_client, other) => ({ header: { kid: other.credentials.signingKid }, key: other.credentials.signingKey }),
    query: ({ state }) => ({ state }),
    isUnverified: true,
  },
  {
    rule: 'with HS256 over the public key',
    signing: ({ credentials }) => ({
      header: { alg: 'HS256' },
      key: createSecretKey(
        Buffer.from(createPublicKey(credentials.signingKey).export({ type: 'spki', format: 'pem' })),
      ),
    }),
    isUnverified: true,
  },
  {
    rule: 'under a key that it brings along (jwk, x5c)',
    signing: ({ credentials }, other) => ({
      header: {
        kid: credentials.signingKid,
        jwk: createPublicKey(other.credentials.signingKey).export({ format: 'jwk' }),
        x5c: [new X509Certificate(other.credentials.transportCertificate).raw.toString('base64')],
      },
      key: other.credentials.signingKey,
    }),
    isUnverified: true,
  },
  { rule: 'with an unknown crit', signing: () => ({ header: { crit: ['x'], x: 1 } }), isUnverified: true },
  {
    rule: 'with a typ that is not of a request object',
    signing: () => ({ header: { typ: 'at+jwt' } }),
    isUnverified: true,
  },
  { rule: 'with exp in milliseconds', claims: () => ({ exp: Date.now() + 300_000 }) },
  { rule: 'with exp before nbf', claims: () => ({ nbf: seconds() + 40, exp: seconds() + 20 }) },
  { rule: 'with exp as text', claims: () => ({ exp: String(seconds() + 300) }) },
  { rule: 'with nbf in ten minutes', claims: () => ({ nbf: seconds() + 600 }) },
  { rule: 'with iat in ten minutes', claims: () => ({ iat: seconds() + 600 }) },
  { rule: 'without aud', claims: () => ({ aud: undefined }) },
  { rule: 'with an aud that is no text', claims: () => ({ aud: [17] }) },
  { rule: 'with iss of somebody else', claims: () => ({ iss: 'somebody' }) },
  { rule: 'without iss', claims: () => ({ iss: undefined }) },
  {
    rule: 'with client_id of somebody else inside',
    claims: () => ({ client_id: 'somebody' }),
    query: () => ({ client_id: undefined }),
  },
  { rule: 'that could pass as client assertion (sub = client_id)', claims: () => ({}) },
  { rule: 'with request inside', claims: () => ({ request: 'a.b.c' }) },
  { rule: 'with request_uri inside', claims: () => ({ request_uri: 'https://tpp.example/ro' }) },
  { rule: 'whose response_type differs from the query', query: () => ({ response_type: 'code' }) },
  { rule: 'without intent id for payments', claims: () => ({ claims: { id_token: {} } }) },
  { rule: '12 with the intent of a payment under another scope', claims: () => ({ scope: 'openid accounts' }) },
  {
    rule: 'that requests a sub that is no text (OIDC Core s5.5.1)',
    claims: () => ({ claims: { id_token: { sub: { value: 17 } } } }),
  },
  { rule: 'with claims that are no object', claims: () => ({ claims: 'everything' }) },
  { rule: 'with the nonce 4 kB long', claims: () => ({ nonce: 'n'.repeat(4_096) }) },
  { rule: 'with a control character in the nonce', claims: () => ({ nonce: 'a\u0000b' }) },
  {
    rule: 'with an unknown intent id',
    claims: () => ({ claims: intentClaims('0190aaaa-0000-7000-8000-000000000000') }),
  },
  { rule: 'with an intent id that is none', claims: () => ({ claims: intentClaims("' OR 1=1 --") }) },
];

describe.each([
  ['private_key_jwt', 'rsa'],
  ['private_key_jwt', 'ec'],
  ['tls_client_auth', 'rsa'],
  ['tls_client_auth', 'ec'],
] as const)('a request object of a %s client with an %s key', (method, keyType) => {
  let client: FapiClient;
  let other: FapiClient;
  let consentId: string;

  beforeAll(async () => {
    const pair = await world.pair(method, keyType);
    [client, other] = [pair.first, pair.second];
    consentId = await world.stageIntent(client);
  });

  const aRequest = (difference: Difference = {}): Record<string, unknown> =>
    client.requestObject({ claims: intentClaims(consentId), ...difference });

  it('is accepted when it is right', async () => {
    expectSignIn(await client.authorize(aRequest()));
  });

  it.each(invalidRequestObject.map((row) => [row.rule, row] as const))(
    '%s: invalid_request_object in the fragment, with state (6.3, 3.8)',
    async (rule, { claims = () => ({}), signing = () => ({}), query = () => ({}), isUnverified }) => {
      const difference = rule.includes('sub = client_id') ? { sub: client.clientId } : claims();
      const request = aRequest(difference);
      const outer = { client_id: client.clientId, ...query(request) };
      const options = { query: { ...outer, client_id: client.clientId }, ...signing(client, other) };
      const outcome = await client.authorize(request, options);
      const state = isUnverified ? options.query['state' as keyof typeof options.query] : request['state'];
      expectErrorRedirect(outcome, client, 'invalid_request_object', { state });
    },
  );

  it('27 with a flipped signature: invalid_request_object', async () => {
    const request = aRequest();
    const jwt = client.sign(request);
    const spoilt = Buffer.from(jwt.slice(jwt.lastIndexOf('.') + 1), 'base64url');
    spoilt.writeUInt8(spoilt.readUInt8(10) ^ 0x5a, 10);
    const broken = `${jwt.slice(0, jwt.lastIndexOf('.'))}.${spoilt.toString('base64url')}`;
    const outcome = await client.authorize(request, { query: { request: broken } });
    expectErrorRedirect(outcome, client, 'invalid_request_object', { state: undefined });
  });

  if (keyType === 'rsa') {
    it('25 signed with RS256: invalid_request_object', async () => {
      const outcome = await client.authorize(aRequest(), { header: { alg: 'RS256' } });
      expectErrorRedirect(outcome, client, 'invalid_request_object', { state: undefined });
    });
  } else {
    it('with an ES256 signature of zeros: invalid_request_object (CVE-2022-21449)', async () => {
      const request = aRequest();
      const input = client.sign(request).split('.').slice(0, 2).join('.');
      const query = { request: `${input}.${Buffer.alloc(64).toString('base64url')}` };
      const outcome = await client.authorize(request, { query });
      expectErrorRedirect(outcome, client, 'invalid_request_object', { state: undefined });
    });
  }

  it.each([
    ['is no JWT', (): string => 'nonsense'],
    ['has five parts (JWE)', (): string => 'a.b.c.d.e'],
    ['has padded base64url', (): string => client.sign(aRequest()).replace('.', '=.')],
    ['is 90 kB long', (): string => client.sign(aRequest({ x: 'x'.repeat(68_000) }))],
    ['has a payload that is no object', (): string => client.signText('"text"')],
    ['has no JSON in it', (): string => client.signText('{"a":')],
    ['has a member twice', (): string => client.signText(withRaw('"client_id":"another"'))],
  ])('that %s: invalid_request_object', async (_title, make) => {
    const outcome = await client.authorize(aRequest(), { query: { request: make() } });
    expectErrorRedirect(outcome, client, 'invalid_request_object', { state: undefined });
  });

  it('with JSON 1,000 levels deep: refused or passed over, in bounded time', async () => {
    const deep = client.signText(withRaw(`"x":${'['.repeat(1_000)}${']'.repeat(1_000)}`));
    const outcome = await client.authorize(aRequest(), { query: { request: deep } });
    expect([200, 302]).toContain(outcome.status);
    expect(outcome.fragment.get('error') ?? 'invalid_request_object').toBe('invalid_request_object');
  });

  /** The payload of a right request with one more member, as text. */
  function withRaw(member: string): string {
    return JSON.stringify(aRequest()).replace(/}$/, `,${member}}`);
  }

  it('20 without redirect_uri, which is only in the query: a page', async () => {
    const outcome = await client.authorize(aRequest({ redirect_uri: undefined }), {
      query: { redirect_uri: client.redirectUri },
    });
    expectErrorPage(outcome, 'invalid_request');
  });

  it('9 with response_mode=query: invalid_request in the fragment, never a code in the query', async () => {
    const request = aRequest({ response_mode: 'query' });
    expectErrorRedirect(await client.authorize(request), client, 'invalid_request', { state: request['state'] });
  });

  it('31 with response_type=code that is not registered: unsupported_response_type, never unauthorized_client', async () => {
    const request = aRequest({ response_type: 'code' });
    const outcome = await client.authorize(request);
    expectErrorRedirect(outcome, client, 'unsupported_response_type', { state: request['state'], place: 'query' });
  });

  it.each(['id_token', 'token', 'code token', 'code id_token token', 'none', 'code code', 'nonsense'])(
    'with response_type=%s: unsupported_response_type (RFC 6749 s4.1.2.1)',
    async (responseType) => {
      const outcome = await client.authorize(aRequest({ response_type: responseType }));
      const place = responseType.includes('token') || responseType.startsWith('no') ? outcome.fragment : undefined;
      const error = place?.get('error') ?? outcome.fragment.get('error') ?? outcome.query.get('error');
      expect({ kind: outcome.kind, error }).toEqual({ kind: 'redirect', error: 'unsupported_response_type' });
    },
  );

  it('with the words of response_type in the other order: accepted (Multiple Response Types s3)', async () => {
    expectSignIn(await client.authorize(aRequest({ response_type: 'id_token code' })));
  });

  it.each([
    ['beyond what is registered', 'openid payments everything'],
    ['with characters that are not permitted', 'openid "payments"'],
    ['without openid in the hybrid flow', 'payments'],
  ])('with a scope %s: invalid_scope', async (_title, scope) => {
    const request = aRequest({ scope });
    expectErrorRedirect(await client.authorize(request), client, 'invalid_scope', { state: request['state'] });
  });

  const refuseLongScope = async (): Promise<void> => {
    const request = aRequest({ scope: 'a '.repeat(22_000) });
    const outcome = await client.authorize(request, { query: { scope: 'openid payments' } });
    expectErrorRedirect(outcome, client, 'invalid_request_object', { state: request['state'] });
  };

  it('with a scope of 50 kB is refused in next to no time (CVE-2026-4634)', async () => {
    expect(await leastMilliseconds(500, refuseLongScope)).toBeLessThan(500);
  });

  it('with prompt=none: login_required; with a strange max_age: invalid_request (OIDC Core s3.1.2.6)', async () => {
    for (const [difference, error] of [
      [{ prompt: 'none' }, 'login_required'],
      [{ prompt: 'none login' }, 'invalid_request'],
      [{ max_age: -1 }, 'invalid_request'],
    ] as const) {
      const request = aRequest(difference);
      expectErrorRedirect(await client.authorize(request), client, error, { state: request['state'] });
    }
  });

  it.each([
    ['plain', { code_challenge: 'x'.repeat(43), code_challenge_method: 'plain' }],
    ['no method', { code_challenge: 'x'.repeat(43) }],
    ['a challenge that is none', { code_challenge: 'short', code_challenge_method: 'S256' }],
  ])('with PKCE and %s: invalid_request (RFC 7636 s4.4.1)', async (_title, difference) => {
    const request = aRequest(difference);
    expectErrorRedirect(await client.authorize(request), client, 'invalid_request', { state: request['state'] });
  });

  it('with an essential acr that does not exist: access_denied (47)', async () => {
    const request = aRequest({ claims: intentClaims(consentId, { value: 'urn:other', essential: true }) });
    expectErrorRedirect(await client.authorize(request), client, 'access_denied', { state: request['state'] });
  });

  it('46 for the intent of another client: invalid_request_object at the own redirect URI', async () => {
    const request = other.requestObject({ claims: intentClaims(consentId) });
    const outcome = await other.authorize(request);
    expectErrorRedirect(outcome, other, 'invalid_request_object', { state: request['state'] });
  });

  it('a jti is used up by an answer, not by a visit (4e, RFC 9101 s10.3; request-errors tries the answers)', async () => {
    const request = aRequest({ jti: 'once' });
    expectSignIn(await client.authorize(request));
    expectSignIn(await client.authorize(request));
  });
});

describe('an authorization request without a usable request object', () => {
  let client: FapiClient;
  let consentId: string;
  beforeAll(async () => {
    client = await world.client({ method: 'private_key_jwt' });
    consentId = await world.stageIntent(client);
  });

  it('29 has everything as plain query: invalid_request in the fragment, with state', async () => {
    const claims = client.requestObject({ claims: undefined });
    const query = {
      ...claims,
      claims: JSON.stringify(intentClaims(consentId)),
      request: undefined,
      iss: undefined,
      aud: undefined,
    };
    const outcome = await client.authorize(claims, { query });
    expectErrorRedirect(outcome, client, 'invalid_request', { state: claims['state'] });
  });

  it('30 has redirect_uri nowhere: a page', async () => {
    const outcome = await client.authorize(
      client.requestObject({ claims: intentClaims(consentId), redirect_uri: undefined }),
    );
    expectErrorPage(outcome, 'invalid_request');
  });

  it('by reference: request_uri_not_supported; both: invalid_request (RFC 9101 s5)', async () => {
    const claims = client.requestObject({ claims: intentClaims(consentId) });
    const { state } = claims;
    const reference = { request_uri: 'https://tpp.example/ro', state };
    expectErrorRedirect(
      await client.authorize(claims, { query: { ...reference, request: undefined } }),
      client,
      'request_uri_not_supported',
      { state },
    );
    expectErrorRedirect(await client.authorize(claims, { query: reference }), client, 'invalid_request', { state });
  });

  it('11 names a redirect URI that is not registered: a page, whichever part names it', async () => {
    const random = `${client.redirectUri}/x7Fq`;
    const both = client.requestObject({ claims: intentClaims(consentId), redirect_uri: random });
    expectErrorPage(await client.authorize(both), 'invalid_request');
    const inside = await client.authorize(both, { query: { redirect_uri: client.redirectUri } });
    expectErrorPage(inside, 'invalid_request');
  });

  it.each([
    ['an extra slash', (uri: string) => `${uri}/`],
    ['other case', (uri: string) => uri.toUpperCase()],
    ['other case in the path', (uri: string) => uri.replace('callback', 'Callback')],
    ['a port', (uri: string) => uri.replace('.com', '.com:443')],
    ['userinfo', (uri: string) => uri.replace('https://', 'https://user@')],
    ['a fragment', (uri: string) => `${uri}#x`],
    ['an encoded dot', (uri: string) => uri.replace('.com', '%2ecom')],
    ['a look-alike host', (uri: string) => uri.replace('example', 'exаmple')],
    ['a prefix of the registered one', (uri: string) => uri.slice(0, -1)],
    ['a query', (uri: string) => `${uri}?x=1`],
    ['a dot segment', (uri: string) => uri.replace('/callback', '/x/../callback')],
    ['javascript:', () => 'javascript:alert(1)'],
    ['nothing', () => ''],
  ])('a redirect URI with %s is a page (RFC 9700 s2.1)', async (_title, spoil) => {
    const redirectUri = spoil(client.redirectUri);
    const claims = client.requestObject({ claims: intentClaims(consentId), redirect_uri: redirectUri });
    expectErrorPage(await client.authorize(claims), 'invalid_request');
  });

  it.each(['', 'nobody', '0190aaaa-0000-7000-8000-000000000000', 'x'.repeat(5_000)])(
    'of the unknown client %.20s is a page',
    async (clientId) => {
      const claims = client.requestObject({ claims: intentClaims(consentId) });
      expectErrorPage(await client.authorize(claims, { query: { client_id: clientId } }), 'invalid_request');
    },
  );

  it('with a parameter twice: invalid_request, as a page for client_id and redirect_uri (RFC 6749 s3.1)', async () => {
    const claims = client.requestObject({ claims: intentClaims(consentId) });
    const url = client.authorizationUrl(claims, { query: { state: claims['state'] } });
    const repeat = (name: string, value: string) =>
      openAuthorization(world.sandbox.agent, `${url}&${name}=${encodeURIComponent(value)}`);
    expectErrorRedirect(await repeat('scope', 'openid'), client, 'invalid_request', { state: claims['state'] });
    expectErrorRedirect(await repeat('request', 'a.b.c'), client, 'invalid_request', { state: claims['state'] });
    expectErrorPage(await repeat('redirect_uri', 'https://attacker.example'), 'invalid_request');
    expectErrorPage(await repeat('client_id', 'other'), 'invalid_request');
  });
});

describe('requests that other servers refuse and this one must accept', () => {
  let client: FapiClient;
  beforeAll(async () => {
    client = await world.client({ method: 'tls_client_auth' });
  });

  const cases: [string, Difference, SigningDifference & { query?: Difference }][] = [
    ['4 aud an array of which one is the issuer', {}, {}],
    ['2 typ of any letter case', {}, { header: { typ: 'OautH-auThZ-REQ+jWt' } }],
    ['2 iat beside nbf', { iat: seconds() }, {}],
    ['10 another nonce in the query', {}, { query: { nonce: 'outside' } }],
    ['10 other scope and state in the query', {}, { query: { state: 'outside', scope: 'openid' } }],
    ['12 a nonce of 384 characters', { nonce: 'n-._~'.repeat(77).slice(0, 384) }, {}],
    ['13 a nonce of 64 characters', { nonce: 'n'.repeat(64) }, {}],
    ['14 a state of 1,000 characters', { state: '-._~abcdef'.repeat(100) }, {}],
    ['2 a state of 128 characters that ends in -._~', { state: `${'s'.repeat(124)}-._~` }, {}],
    ['7 the words of the scope in the other order', { scope: 'payments openid' }, {}],
    ['no kid', {}, { header: { kid: undefined } }],
    ['unknown claims', { vendor: { deep: [1, 2, 3] } }, {}],
    ['a state of characters that mean something elsewhere', { state: `"'><b>&amp;#?%0d%0a=+ /\\` }, {}],
    [
      'parameters of OpenID Connect that need nothing here (s3.1.2.1)',
      {
        display: 'popup',
        ui_locales: 'cy en',
        login_hint: 'alice',
        acr_values: 'urn:x',
        prompt: 'login consent',
      },
      {},
    ],
    [
      '10 response_mode, prompt and PKCE that stand in the query alone',
      {},
      { query: { response_mode: 'query', prompt: 'none', code_challenge: 'x', code_challenge_method: 'plain' } },
    ],
  ];

  it.each(cases)('%s', async (rule, difference, options) => {
    const { issuer } = client.provider;
    const aud = rule.startsWith('4') ? [issuer, 'https://other1.example.com', 'invalid'] : issuer;
    const claims = await world.request(client, { aud, ...difference });
    const outcome = await world.decide(client.authorizationUrl(claims, options), 'approve');
    expectHybridResponse(outcome, client, claims);
    const [, payload = ''] = (outcome.fragment.get('id_token') ?? '').split('.');
    const idToken = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>;
    expect(idToken['nonce']).toBe(claims['nonce']);
  });

  it('5 no state anywhere: no state and no s_hash come back', async () => {
    const claims = await world.request(client, { state: undefined });
    const outcome = await world.decide(client.authorizationUrl(claims), 'approve');
    expectHybridResponse(outcome, client, claims);
    const [, payload = ''] = (outcome.fragment.get('id_token') ?? '').split('.');
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).not.toHaveProperty('s_hash');
  });

  it('18 state only in the query: it is not used', async () => {
    const claims = await world.request(client, { state: undefined });
    const outcome = await world.decide(client.authorizationUrl(claims, { query: { state: 'outside' } }), 'approve');
    expectHybridResponse(outcome, client, claims);
  });

  it('query parameters in the reverse order (2, client 2)', async () => {
    const claims = await world.request(client);
    const url = new URL(client.authorizationUrl(claims));
    const reversed = [...url.searchParams].sort(([one], [other]) => (one < other ? 1 : -1));
    url.search = new URLSearchParams(reversed).toString();
    expectHybridResponse(await world.decide(url.href, 'approve'), client, claims);
  });
});
