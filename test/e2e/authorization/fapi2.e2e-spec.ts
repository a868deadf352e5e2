import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLocalJWKSet, jwtVerify, type JSONWebKeySet } from 'jose';
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
const authentication = (client: FapiClient) =>
  client.method === 'private_key_jwt'
    ? { form: client.assertion({ aud: client.provider.issuer }) }
    : client.authentication();

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
function push(client: FapiClient, form: Difference): Promise<TestResponse> {
  // private_key_jwt shows no certificate there; tls_client_auth uses the alias.
  const isOneWay = client.method === 'private_key_jwt';
  const url = isOneWay
    ? client.provider.authorization_endpoint.replace(/authorize$/, 'par')
    : client.provider.token_endpoint.replace(/token$/, 'par');
  const agent = isOneWay ? world.sandbox.agent : client.agent;
  return client.token(form, { url, agent, authentication: authentication(client) });
}

async function pushed(client: FapiClient, form: Difference): Promise<string> {
  const response = await push(client, form);
  expect({ status: response.status, body: response.json() }).toMatchObject({
    status: 201,
    body: { request_uri: expect.stringMatching(/^urn:ietf:params:oauth:request_uri:/) },
  });
  // Security Profile s5.3.2.2: less than 600 seconds.
  expect(response.json()['expires_in']).toBeLessThan(600);
  const url = new URL(client.provider.authorization_endpoint);
  url.searchParams.set('client_id', client.clientId);
  url.searchParams.set('request_uri', String(response.json()['request_uri']));
  return url.href;
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

  it('JARM: the answer is a JWT', async () => {
    const form = formOf(profile, client, { response_mode: 'jwt' });
    const { code } = await readJwt(client, await approve(client, form));
    expect((await token(client, client.exchange(String(code), { code_verifier: verifier }))).status).toBe(200);
  });

  it('s30 a request that was not pushed is refused by value, signed or not', async () => {
    const url = new URL(client.authorizationUrl(anObject(client)));
    const outcome = await openAuthorization(world.sandbox.agent, url.href);
    expect([outcome.kind, outcome.query.get('error')]).toEqual(['redirect', 'invalid_request']);
    url.searchParams.delete('request');
    const unsigned = await openAuthorization(world.sandbox.agent, url.href);
    expect([unsigned.kind, unsigned.query.get('error')]).toEqual(['redirect', 'invalid_request']);
  });
});

describe('fapi2-security: the code', () => {
  it('s38 a code is valid for 60 seconds, although this bank gives others ten minutes', async () => {
    const client = await aClient('fapi2-security');
    await approve(client, parameters(client));
    const { rows } = await world.sandbox.database.query<{ seconds: number }>(
      'SELECT max(extract(epoch FROM expires_at - now()))::float AS seconds FROM authorization_codes WHERE client_id = $1',
      [client.clientId],
    );
    expect(rows[0]?.seconds).toBeLessThanOrEqual(60);
    expect(rows[0]?.seconds).toBeGreaterThan(30);
  });
});

describe('fapi2-message-signing: the request object', () => {
  it('s12, s13, s18 a state and a nonce beside the request object count for nothing', async () => {
    const client = await aClient('fapi2-message-signing');
    const form = { request: client.sign(anObject(client, { state: undefined })), state: 'outer', nonce: 'outer' };
    expect((await approve(client, form)).has('state')).toBe(false);
  });
});
