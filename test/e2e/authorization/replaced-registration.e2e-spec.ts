import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { enrolTpp } from '../../support/apps/sandbox.js';
import { registrationClaims, signJwt } from '../../support/apps/tpp.js';
import { expectOAuthError, expectEndPage, expectErrorPage, expectSignIn } from '../../support/expectations.js';
import { httpsRequest, type TestResponse } from '../../support/https-request.js';
import {
  pkce,
  FapiClient,
  registerFapiClient,
  type AuthenticationMethod,
  type Difference,
} from '../../support/a-client.js';
import {
  openAuthorization,
  type AuthorizationOutcome,
  alice,
  approveInPages,
  PageBrowser,
} from '../../support/page-browser.js';
import { FapiWorld } from './fapi-world.js';

const world = new FapiWorld();
beforeAll(() => world.start({ PLAIN_CODE_FLOW: 'refuse' }));
afterAll(() => world.stop());

const scope = 'openid accounts';
const grants = ['authorization_code', 'client_credentials', 'refresh_token'];
const first = 'https://first.example.com/callback';
const second = 'https://second.example.com/callback';
let count = 0;

/** A client of a software of its own with two redirect URIs, of which it registers the first. */
async function aClient(method: AuthenticationMethod = 'private_key_jwt'): Promise<FapiClient> {
  count += 1;
  const software = { name: `Replaced ${count}`, redirectUris: [first, second], keyType: 'rsa' as const };
  const tpp = await enrolTpp(world.sandbox.directory, software, new Date());
  const metadata = { redirect_uris: [first], grant_types: grants, scope };
  const client = await registerFapiClient(world.sandbox, tpp, { method, redirectUri: first, metadata });
  world.clients.push(client);
  return client;
}

/** PUT /register/{ClientId} (RFC 7592 s2.2) with all that was registered, but for what differs. */
async function replace(client: FapiClient, difference: Difference): Promise<void> {
  const { credentials, provider, method } = client;
  const token = await client.token({ grant_type: 'client_credentials' });
  const claims = {
    ...registrationClaims(provider, credentials),
    token_endpoint_auth_method: method,
    ...(method !== 'private_key_jwt' && { token_endpoint_auth_signing_alg: undefined }),
    redirect_uris: [first],
    grant_types: grants,
    scope,
    id_token_signed_response_alg: credentials.signingAlgorithm,
    jti: randomUUID(),
    ...difference,
  };
  const answer = await httpsRequest({
    url: `${provider.registration_endpoint}/${client.clientId}`,
    method: 'PUT',
    headers: {
      'content-type': 'application/jose',
      accept: 'application/json',
      authorization: `Bearer ${String(token.json()['access_token'])}`,
    },
    body: await signJwt({ claims, credentials, expiresInSeconds: 300 }),
    agent: client.agent,
  });
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
}

/** The same client, authenticating in another way. */
const by = (client: FapiClient, method: AuthenticationMethod): FapiClient =>
  new FapiClient(
    client.sandbox,
    client.credentials,
    client.provider,
    client.agent,
    method,
    client.clientId,
    client.clientSecret,
    client.redirectUri,
  );

const request = (client: FapiClient, difference: Difference = {}): string =>
  client.authorizationUrl(client.requestObject({ scope, ...difference }));

async function codeOf(client: FapiClient, difference: Difference = {}): Promise<string> {
  const outcome = await world.decide(request(client, difference), 'approve');
  return outcome.fragment.get('code') ?? '';
}

const exchange = (client: FapiClient, code: string, difference: Difference = {}): Promise<TestResponse> =>
  client.token(client.exchange(code, difference));
const refresh = (client: FapiClient, token: unknown): Promise<TestResponse> =>
  client.token({ grant_type: 'refresh_token', refresh_token: token });

/** A browser whose customer has signed in and reads the page that asks. */
async function reading(url: string): Promise<{ browser: PageBrowser; page: AuthorizationOutcome }> {
  const browser = new PageBrowser(world.sandbox);
  const { username, password } = alice;
  return { browser, page: await browser.submit(await browser.get(url), '/sign-in', { username, password }) };
}

const bearer = (token: unknown) => ({ authorization: `Bearer ${String(token)}`, accept: 'application/json' });

/** @returns the status of POST account-access-consents with a token of the client's own */
async function stage({ provider, agent }: FapiClient, token: unknown): Promise<number> {
  const url = new URL('/open-banking/v4.0/aisp/account-access-consents', provider.issuer).href;
  const body = JSON.stringify({ Data: { Permissions: ['ReadAccountsBasic'] }, Risk: {} });
  const headers = { ...bearer(token), 'content-type': 'application/json' };
  return (await httpsRequest({ url, method: 'POST', headers, body, agent })).status;
}

/** @returns the status of GET userinfo with a token that a customer gave */
async function userinfo({ provider, agent }: FapiClient, token: unknown): Promise<number> {
  const url = provider.token_endpoint.replace(/token$/, 'userinfo');
  return (await httpsRequest({ url, method: 'GET', headers: bearer(token), agent })).status;
}

async function pushed(client: FapiClient): Promise<string> {
  const url = client.provider.token_endpoint.replace(/token$/, 'par');
  const form = { client_id: client.clientId, request: client.sign(client.requestObject({ scope, ...pkce })) };
  const answer = await client.token(form, { url });
  expect(answer.status).toBe(201);
  const address = new URL(client.provider.authorization_endpoint);
  address.searchParams.set('client_id', client.clientId);
  address.searchParams.set('request_uri', String(answer.json()['request_uri']));
  return address.href;
}

describe('a registration that is replaced in the middle of a flow (RFC 7592 s2.2)', () => {
  it('DCR-T091 with another redirect URI: what was pushed for the old one, and what the customer reads, lead there no more', async () => {
    const client = await aClient();
    const reference = await pushed(client);
    const { browser, page } = await reading(request(client));
    await replace(client, { redirect_uris: [second] });
    expectErrorPage(await openAuthorization(world.sandbox.agent, reference), 'invalid_request');
    const outcome = await browser.submit(page, '/consent');
    expect([outcome.kind, outcome.html.includes(first)]).toEqual(['page', false]);
    expectErrorPage(await openAuthorization(world.sandbox.agent, request(client)), 'invalid_request');
    expectSignIn(await openAuthorization(world.sandbox.agent, request(client, { redirect_uri: second })));
  });

  it('with another method of authentication: code and refresh token are good by that one alone', async () => {
    const client = await aClient();
    const tokens = (await exchange(client, await codeOf(client))).json();
    const code = await codeOf(client);
    const method = { token_endpoint_auth_method: 'tls_client_auth', token_endpoint_auth_signing_alg: undefined };
    await replace(client, method);
    expectOAuthError(await exchange(client, code), 401, 'invalid_client');
    expectOAuthError(await refresh(client, tokens['refresh_token']), 401, 'invalid_client');
    const changed = by(client, 'tls_client_auth');
    expect((await exchange(changed, code)).status).toBe(200);
    expect((await refresh(changed, tokens['refresh_token'])).status).toBe(200);
  });

  it('without a grant: the tokens that it gave open nothing, and a customer’s go on while they can be renewed', async () => {
    const client = await aClient();
    const own = (await client.token({ grant_type: 'client_credentials' })).json()['access_token'];
    const customers = (await exchange(client, await codeOf(client))).json()['access_token'];
    const opens = async () => [await stage(client, own), await userinfo(client, customers)];
    expect(await opens()).toEqual([201, 200]);
    await replace(client, { grant_types: ['refresh_token', 'client_credentials'], response_types: [] });
    expect(await opens()).toEqual([201, 200]);
    await replace(client, { grant_types: ['client_credentials'], response_types: [] });
    expect(await opens()).toEqual([201, 401]);
    await replace(client, { grant_types: ['authorization_code'] });
    expect(await opens()).toEqual([401, 200]);
    expectOAuthError(await client.token({ grant_type: 'client_credentials' }), 400, 'unauthorized_client');
  });

  it('with fewer scopes: tokens do not reach what is given up, and the customer who reads cannot give it', async () => {
    const client = await aClient();
    const token = (await client.token({ grant_type: 'client_credentials', scope: 'accounts' })).json()['access_token'];
    expect(await stage(client, token)).toBe(201);
    const { browser, page } = await reading(request(client));
    await replace(client, { scope: 'openid' });
    expect(await stage(client, token)).toBe(403);
    const outcome = await approveInPages(browser, page, alice);
    expect([outcome.kind, outcome.html.includes('no longer has permission')]).toEqual(['page', true]);
    await replace(client, {});
    expect(await stage(client, token)).toBe(201);
  });

  it.each<[string, Difference, Difference]>([
    ['without the hybrid flow', {}, { response_types: ['code'] }],
    [
      'for responses as JWTs',
      { response_type: 'code', ...pkce },
      { response_types: ['code'], authorization_signed_response_alg: 'PS256' },
    ],
  ])('%s: a customer who reads, or types the code, gives no answer of the former kind', async (_, asks, becomes) => {
    const client = await aClient();
    const registered = { response_types: ['code', 'code id_token'] };
    await replace(client, registered);
    const url = () => request(client, { ...asks, state: 'as-sent' });
    const [reader, typist] = [await reading(url()), await reading(url())];
    const asked = await typist.browser.submit(typist.page, '/consent', {});
    await replace(client, becomes);
    const ends = { status: 409, error: 'invalid_request', state: 'as-sent' };
    expectEndPage(await reader.browser.submit(reader.page, '/consent', {}), client, ends);
    const typed = await typist.browser.submit(asked, '/challenge', { one_time_code: alice.oneTimeCode });
    expectEndPage(typed, client, ends);
    await replace(client, registered);
    const outcome = await world.decide(url(), 'approve');
    expect((asks['response_type'] === 'code' ? outcome.query : outcome.fragment).get('code')).toMatch(/^.{43}$/);
  });
});
