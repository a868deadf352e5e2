import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLocalJWKSet, jwtVerify, type JSONWebKeySet } from 'jose';
import { expectOAuthError, expectErrorPage } from '../../support/expectations.js';
import { httpsRequest, type TestResponse } from '../../support/https-request.js';
import { suiteRuns } from './conformance-plans.js';
import { pkce, verifier, seconds, type Difference, type FapiClient } from '../../support/a-client.js';
import { openAuthorization, decideInPages } from '../../support/page-browser.js';
import { FapiWorld } from './fapi-world.js';

const world = new FapiWorld();

type Profile = 'fapi2-security' | 'fapi2-message-signing';
type Method = 'private_key_jwt' | 'tls_client_auth';

beforeAll(async () => {
  // A bank that wants rotation: FAPI 2.0 clients are spared it all the same.
  await world.start({
    REFRESH_TOKEN_ROTATION: 'always',
    AUTHORIZATION_CODE_SECONDS: '600',
    PUSHED_REQUEST_SECONDS: '600',
  });
});
afterAll(() => world.stop());

/** As the command-line TPP registers, with the profile. One of each kind. */
function aClient(profile: Profile, method: Method = 'private_key_jwt', isSecond = false): Promise<FapiClient> {
  return world.client({
    method,
    name: `${profile}-${method}`.replaceAll(/[^a-z0-9]/g, ''),
    isSecond,
    metadata: {
      fapi_profile: profile,
      response_types: ['code'],
      grant_types: ['authorization_code', 'client_credentials', 'refresh_token'],
    },
  });
}

/** The issuer is the only audience. */
const authentication = (client: FapiClient, aud: unknown = client.provider.issuer) =>
  client.method === 'private_key_jwt' ? { form: client.assertion({ aud }) } : client.authentication();

const token = (client: FapiClient, form: Difference): Promise<TestResponse> =>
  client.token(form, { authentication: authentication(client) });

/** Parameters of an authorization request for identity and what lasts, which needs no intent here. */
const parameters = (client: FapiClient, difference: Difference = {}): Record<string, unknown> => ({
  client_id: client.clientId,
  redirect_uri: client.redirectUri,
  response_type: 'code',
  scope: 'openid accounts',
  state: randomBytes(6).toString('hex'),
  nonce: randomBytes(6).toString('hex'),
  ...pkce,
  ...difference,
});

const anObject = (client: FapiClient, difference: Difference = {}): Record<string, unknown> => ({
  ...parameters(client),
  iss: client.clientId,
  aud: client.provider.issuer,
  nbf: seconds(),
  exp: seconds() + 300,
  ...difference,
});

/** Pushes parameters, or a request object of them, as the profile of the client wants it. */
function push(client: FapiClient, form: Difference, aud?: unknown): Promise<TestResponse> {
  // private_key_jwt shows no certificate there; tls_client_auth uses the alias.
  const isOneWay = client.method === 'private_key_jwt';
  const url = isOneWay
    ? client.provider.authorization_endpoint.replace(/authorize$/, 'par')
    : client.provider.token_endpoint.replace(/token$/, 'par');
  const agent = isOneWay ? world.sandbox.agent : client.agent;
  return client.token(form, { url, agent, authentication: authentication(client, aud) });
}

function address(client: FapiClient, requestUri: unknown, query: Difference = {}): string {
  const url = new URL(client.provider.authorization_endpoint);
  const all = { client_id: client.clientId, request_uri: requestUri, ...query };
  for (const [name, value] of Object.entries(all)) url.searchParams.set(name, String(value));
  return url.href;
}

async function pushed(client: FapiClient, form: Difference): Promise<string> {
  const response = await push(client, form);
  expect({ status: response.status, body: response.json() }).toMatchObject({
    status: 201,
    body: { request_uri: expect.stringMatching(/^urn:ietf:params:oauth:request_uri:/) },
  });
  // Security Profile s5.3.2.2: less than 600 seconds.
  expect(response.json()['expires_in']).toBeLessThan(600);
  return address(client, response.json()['request_uri']);
}

async function approve(client: FapiClient, form: Difference): Promise<URLSearchParams> {
  const outcome = await decideInPages(world.sandbox, await pushed(client, form), 'approve');
  expect([outcome.kind, outcome.address]).toEqual(['redirect', client.redirectUri.split('?')[0]]);
  expect(outcome.fragment.size).toBe(0);
  return outcome.query;
}

async function readJwt(client: FapiClient, query: URLSearchParams): Promise<Record<string, unknown>> {
  const { description, agent } = world.sandbox;
  const keys = (await httpsRequest({ url: description.jwks_uri, agent })).json() as unknown as JSONWebKeySet;
  expect(query.has('code') || query.has('error')).toBe(false);
  const expected = { issuer: description.issuer, audience: client.clientId };
  return (await jwtVerify(query.get('response') ?? '', createLocalJWKSet(keys), expected)).payload;
}

// Each profile and each method; how a client authenticates is no part of what it may ask for.
const kinds: [Profile, Method][] = [
  ['fapi2-security', 'private_key_jwt'],
  ['fapi2-message-signing', 'tls_client_auth'],
];
const formOf = (profile: Profile, client: FapiClient, difference: Difference = {}): Difference =>
  profile === 'fapi2-security'
    ? parameters(client, difference)
    : { request: client.sign(anObject(client, difference)) };

describe('the clients of the suite, which runs by hand alone', () => {
  const plans = suiteRuns.filter(({ plan, keyType }) => plan.startsWith('fapi2') && keyType === 'rsa');

  it.each(plans.map((run, index) => [run.plan, Object.values(run.variant).join(', '), run, index] as const))(
    'register for %s, %s',
    async (_plan, _variant, { method, metadata }, index) => {
      const client = await world.client({ method, name: `Suite${index}`, metadata });
      expect(client.clientId).not.toBe('');
    },
  );
});

describe.each(kinds)('%s with %s: what must work', (profile, method) => {
  let client: FapiClient;
  beforeAll(async () => {
    client = await aClient(profile, method);
  });

  it('s2 two clients get a code with iss and state, and tokens bound to their certificates', async () => {
    const second = await aClient(profile, method, true);
    for (const own of [client, second]) {
      const sent = { state: 'a-state', scope: 'openid accounts' };
      const query = await approve(own, formOf(profile, own, sent));
      expect([query.get('state'), query.get('iss')]).toEqual(['a-state', own.provider.issuer]);
      const response = await token(own, own.exchange(query.get('code') ?? '', { code_verifier: verifier }));
      expect(response.json()).toMatchObject({ token_type: 'bearer', id_token: expect.any(String) });
    }
  });

  it('s5, s6 without state and nonce: a code, and no state', async () => {
    const query = await approve(client, formOf(profile, client, { state: undefined, nonce: undefined }));
    expect([query.has('code'), query.get('state')]).toEqual([true, null]);
  });

  it('s3 the customer declines: access_denied in the query', async () => {
    const { query } = await decideInPages(world.sandbox, await pushed(client, formOf(profile, client)), 'decline');
    expect([query.get('error'), query.get('iss')]).toEqual(['access_denied', client.provider.issuer]);
  });

  it('s44 refreshes without rotation, though this bank rotates for others (s5.3.2.1-9)', async () => {
    const query = await approve(client, formOf(profile, client));
    const first = await token(client, client.exchange(query.get('code') ?? '', { code_verifier: verifier }));
    const refresh = { grant_type: 'refresh_token', refresh_token: first.json()['refresh_token'] };
    for (let time = 0; time < 2; time += 1) {
      const again = await token(client, refresh);
      expect({ status: again.status, body: again.json() }).toMatchObject({ status: 200 });
      expect([undefined, refresh.refresh_token]).toContain(again.json()['refresh_token']);
    }
  });

  it('JARM: the answer is a JWT, errors too', async () => {
    const form = formOf(profile, client, { response_mode: 'jwt' });
    const { code } = await readJwt(client, await approve(client, form));
    expect((await token(client, client.exchange(String(code), { code_verifier: verifier }))).status).toBe(200);
    const declined = await pushed(client, formOf(profile, client, { response_mode: 'jwt' }));
    const { query } = await decideInPages(world.sandbox, declined, 'decline');
    expect(await readJwt(client, query)).toMatchObject({ error: 'access_denied' });
  });

  it.each([
    ['s53 without PKCE', { code_challenge: undefined, code_challenge_method: undefined }, 'invalid_request'],
    ['s32 for the hybrid flow', { response_type: 'code id_token' }, 'unsupported_response_type'],
  ])('refuses a pushed request %s', async (_title, difference, error) => {
    expectOAuthError(await push(client, formOf(profile, client, difference)), 400, error);
  });

  it('s36, s37 the code is of no use to another client, nor a second time', async () => {
    const stranger = await aClient(profile, method, true);
    const code = (await approve(client, formOf(profile, client))).get('code') ?? '';
    const form = client.exchange(code, { code_verifier: verifier });
    expectOAuthError(await token(stranger, form), 400, 'invalid_grant');
    expect((await token(client, form)).status).toBe(200);
    expectOAuthError(await token(client, form), 400, 'invalid_grant');
  });

  it('s46 the reference is used up by an authorization', async () => {
    const url = await pushed(client, formOf(profile, client));
    await decideInPages(world.sandbox, url, 'approve');
    expectErrorPage(await openAuthorization(world.sandbox.agent, url), 'invalid_request_uri');
  });

  it('s54, s55 exchanges no code without the verifier, nor with another one', async () => {
    for (const code_verifier of [undefined, randomBytes(32).toString('base64url')]) {
      const query = await approve(client, formOf(profile, client));
      const response = await token(client, client.exchange(query.get('code') ?? '', { code_verifier }));
      expectOAuthError(response, 400, 'invalid_grant');
    }
  });

  it('s30 a request that was not pushed is refused by value, signed or not', async () => {
    const url = new URL(client.authorizationUrl(anObject(client)));
    const outcome = await openAuthorization(world.sandbox.agent, url.href);
    expect([outcome.kind, outcome.query.get('error')]).toEqual(['redirect', 'invalid_request']);
    url.searchParams.delete('request');
    const unsigned = await openAuthorization(world.sandbox.agent, url.href);
    expect([unsigned.kind, unsigned.query.get('error')]).toEqual(['redirect', 'invalid_request']);
  });

  it('s50 the reference is of no use to another client', async () => {
    const stranger = await aClient(profile, method, true);
    const reference = new URL(await pushed(client, formOf(profile, client))).searchParams.get('request_uri');
    expectErrorPage(await openAuthorization(world.sandbox.agent, address(stranger, reference)), 'invalid_request_uri');
  });

  it('s51 takes no request_uri at the place where references are given out', async () => {
    const form = { ...formOf(profile, client), request_uri: 'urn:ietf:params:oauth:request_uri:x' };
    expectOAuthError(await push(client, form), 400, 'invalid_request');
  });
});

describe.each<Method>(['private_key_jwt', 'tls_client_auth'])('the client credentials grant with %s', (method) => {
  const grant = { grant_type: 'client_credentials', scope: 'accounts' };
  let client: FapiClient;
  beforeAll(async () => {
    client = await aClient('fapi2-security', method);
  });

  const ask = (accessToken: string, scheme: string, agent = client.agent): Promise<TestResponse> =>
    httpsRequest({
      url: `${world.sandbox.description.base_url}/open-banking/v4.0/aisp/account-access-consents/none`,
      agent,
      headers: { authorization: `${scheme} ${accessToken}` },
    });

  it('c1 a token bound to the certificate, without an ID token; the scheme in any letter case', async () => {
    const response = await token(client, grant);
    expect({ status: response.status, body: response.json() }).toMatchObject({
      status: 200,
      body: { token_type: 'bearer', scope: 'accounts', expires_in: expect.any(Number) },
    });
    expect(response.json()).not.toHaveProperty('id_token');
    expect(response.json()).not.toHaveProperty('refresh_token');
    const accessToken = String(response.json()['access_token']);
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) expect((await ask(accessToken, scheme)).status).toBe(400);
    const stranger = await aClient('fapi2-security', method, true);
    expect((await ask(accessToken, 'Bearer', stranger.agent)).status).toBe(401);
  });

  it('c2 the identity of another client is refused, and so is a connection without certificate', async () => {
    const stranger = await aClient('fapi2-security', method, true);
    const mixed = { ...authentication(client).form, client_id: stranger.clientId };
    expect((await client.token(grant, { authentication: { form: mixed } })).status).toBeGreaterThanOrEqual(400);
    const sent = client.token(grant, { authentication: authentication(client), agent: world.sandbox.agent });
    await expect(sent).rejects.toThrow();
  });
});

describe('fapi2-security-profile: the code and the client assertion', () => {
  it('s38 a code is valid for 60 seconds, although this bank gives others ten minutes', async () => {
    const client = await aClient('fapi2-security');
    const query = await approve(client, parameters(client));
    const { rows } = await world.sandbox.database.query<{ seconds: number }>(
      'SELECT max(extract(epoch FROM expires_at - now()))::float AS seconds FROM authorization_codes WHERE client_id = $1',
      [client.clientId],
    );
    expect(rows[0]?.seconds).toBeLessThanOrEqual(60);
    expect(rows[0]?.seconds).toBeGreaterThan(30);
    await world.sandbox.database.query(
      `UPDATE authorization_codes SET expires_at = now() - interval '1 second' WHERE client_id = $1`,
      [client.clientId],
    );
    const late = await token(client, client.exchange(query.get('code') ?? '', { code_verifier: verifier }));
    expectOAuthError(late, 400, 'invalid_grant');
  });

  it.each([
    [
      's60 the PAR endpoint',
      (client: FapiClient) => client.provider.authorization_endpoint.replace(/authorize$/, 'par'),
    ],
    [
      's59 an array with the PAR endpoint',
      ({ provider }: FapiClient) => [provider.issuer, provider.authorization_endpoint.replace(/authorize$/, 'par')],
    ],
    ['s61 the token endpoint', ({ provider }: FapiClient) => provider.token_endpoint],
  ])('refuses %s as audience', async (_title, audienceOf) => {
    const client = await aClient('fapi2-security');
    expectOAuthError(await push(client, parameters(client), audienceOf(client)), 401, 'invalid_client');
  });

  it.each([
    ['s48 takes iat and nbf 8 seconds ahead', 8, 201],
    ['s49 refuses iat and nbf more than 60 seconds ahead', 70, 401],
  ])('%s', async (_title, ahead, status) => {
    const client = await aClient('fapi2-security');
    const time = seconds() + ahead;
    const form = client.assertion({ aud: client.provider.issuer, iat: time, nbf: time, exp: time + 60 });
    const url = client.provider.authorization_endpoint.replace(/authorize$/, 'par');
    const response = await client.token(parameters(client), { url, authentication: { form } });
    expect(response.status).toBe(status);
  });
});

describe('fapi2-message-signing: the request object', () => {
  let client: FapiClient;
  beforeAll(async () => {
    client = await aClient('fapi2-message-signing');
  });

  it('s28 refuses parameters that are not signed', async () => {
    expectOAuthError(await push(client, parameters(client)), 400, 'invalid_request');
  });

  it('s20 refuses one that has expired', async () => {
    const request = client.sign(anObject(client, { exp: seconds() - 3_600 }));
    expectOAuthError(await push(client, { request }), 400, 'invalid_request_object');
  });

  it('s12, s13, s18 a state and a nonce beside the request object count for nothing', async () => {
    const form = { request: client.sign(anObject(client, { state: undefined })), state: 'outer', nonce: 'outer' };
    expect((await approve(client, form)).has('state')).toBe(false);
  });
});
