import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import {
  expectOAuthError,
  expectErrorPage,
  expectErrorRedirect,
  expectHybridResponse,
  expectSignIn,
} from '../../support/expectations.js';
import { httpsAgent, httpsRequest, type TestResponse } from '../../support/https-request.js';
import { pkce, verifier, type Difference, type FapiClient } from '../../support/a-client.js';
import {
  openAuthorization,
  type AuthorizationOutcome,
  alice,
  decideInPages,
  PageBrowser,
} from '../../support/page-browser.js';
import { FapiWorld, intentOf } from './fapi-world.js';

const world = new FapiWorld();
let client: FapiClient;
let other: FapiClient;

beforeAll(async () => {
  await world.start();
  client = await world.client({ method: 'private_key_jwt', name: 'Pusher' });
  other = await world.client({ method: 'tls_client_auth', name: 'Stranger' });
});
afterAll(() => world.stop());

const endpoint = (of = client): string => of.provider.token_endpoint.replace(/token$/, 'par');

/** A request object for a new intent, with PKCE. */
const aRequest = (difference: Difference = {}, of = client): Promise<Record<string, unknown>> =>
  world.request(of, { ...pkce, ...difference });

function push(form: Difference, options: Parameters<FapiClient['token']>[1] = {}, of = client): Promise<TestResponse> {
  return of.token(form, { url: endpoint(of), ...options });
}

/** The host without client certificates. */
const oneWay = (of = client): string => of.provider.authorization_endpoint.replace(/authorize$/, 'par');

function pushOneWay(
  form: Difference,
  options: Parameters<FapiClient['token']>[1] = {},
  of = client,
): Promise<TestResponse> {
  return of.token(form, { url: oneWay(of), agent: world.sandbox.agent, ...options });
}

/** @returns the reference of a pushed request object */
async function pushed(claims: Difference, of = client): Promise<string> {
  const response = await push({ request: of.sign(claims) }, {}, of);
  if (response.status !== 201) throw new Error(`Not pushed: ${response.text}`);
  return String(response.json()['request_uri']);
}

function address(requestUri: string, query: Difference = {}, of = client): string {
  const url = new URL(of.provider.authorization_endpoint);
  const all = { client_id: of.clientId, request_uri: requestUri, ...query };
  for (const [name, value] of Object.entries(all)) if (value !== undefined) url.searchParams.set(name, value);
  return url.href;
}

/** The form that pushes a request object. */
const signed = async (difference: Difference): Promise<Difference> => ({
  request: client.sign(await aRequest(difference)),
});

/** Opens the address in its own browser. */
const open = (url: string): Promise<AuthorizationOutcome> => openAuthorization(world.sandbox.agent, url);

/** The answer to a pushed request leads the customer to the bank and back. @returns the code */
async function expectCode(response: TestResponse, own: FapiClient, claims: Difference): Promise<string> {
  expect({ status: response.status, headers: response.headers, body: response.json() }).toMatchObject({
    status: 201,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
    body: { request_uri: expect.stringMatching(/^urn:ietf:params:oauth:request_uri:[\w-]{43}$/), expires_in: 60 },
  });
  const url = address(String(response.json()['request_uri']), {}, own);
  const outcome = await decideInPages(world.sandbox, url, 'approve');
  expectHybridResponse(outcome, own, claims);
  return outcome.fragment.get('code') ?? '';
}

describe('POST /oauth2/par (RFC 9126)', () => {
  it.each(['private_key_jwt', 'tls_client_auth', 'client_secret_basic'] as const)(
    'p19 a %s client pushes, the browser brings the reference alone, and the code is exchanged',
    async (method) => {
      const own = await world.client({ method, name: 'Methods' });
      const claims = await aRequest({}, own);
      const response = await push({ request: own.sign(claims) }, {}, own);
      const code = await expectCode(response, own, claims);
      // FAPI 1.0 Advanced s5.2.2 item 18: the challenge that was pushed counts.
      expectOAuthError(await own.token(own.exchange(code)), 400, 'invalid_grant');
      const tokens = await own.token(own.exchange(code, { code_verifier: verifier }));
      expect({ status: tokens.status, scope: tokens.json()['scope'] }).toEqual({
        status: 200,
        scope: 'openid payments',
      });
    },
  );

  it('p4, p5 takes its own address, the token endpoint and the issuer as audience of an assertion (s2)', async () => {
    const { issuer, token_endpoint: token } = client.provider;
    for (const aud of [endpoint(), token, issuer, [issuer, endpoint()]]) {
      const claims = await aRequest();
      const response = await push(
        { request: client.sign(claims) },
        { authentication: { form: client.assertion({ aud }) } },
      );
      expect({ aud, status: response.status }).toEqual({ aud, status: 201 });
    }
    const elsewhere = { form: client.assertion({ aud: endpoint() }) };
    const response = await client.token({ grant_type: 'client_credentials' }, { authentication: elsewhere });
    expectOAuthError(response, 401, 'invalid_client');
  });

  it.each<[string, () => Promise<Difference> | Difference, string]>([
    [
      'no code_challenge in a request object',
      () => signed({ code_challenge: undefined, code_challenge_method: undefined }),
      'invalid_request',
    ],
    [
      'p17 a redirect URI that is not registered',
      () => signed({ redirect_uri: 'https://evil.example/' }),
      'invalid_request',
    ],
    ['p16 its own address as aud', () => signed({ aud: endpoint() }), 'invalid_request_object'],
    ['70 kB', () => ({ request: 'x'.repeat(70_000) }), 'invalid_request_object'],
    [
      'unsigned parameters (FAPI 1.0 Advanced s5.2.2 item 1)',
      () => ({ response_type: 'code', scope: 'openid' }),
      'invalid_request',
    ],
    ['p10 a request_uri (s2.1)', () => ({ request_uri: 'urn:ietf:params:oauth:request_uri:x' }), 'invalid_request'],
    ['a request_uri beside the request', () => ({ request: 'a.b.c', request_uri: 'urn:x' }), 'invalid_request'],
  ])('refuses %s before the customer hears of it (s2.1, s2.3)', async (_title, form, error) => {
    expectOAuthError(await push(await form()), 400, error);
  });

  it('p11, s52 refuses every other method; a parameter twice, a body of 100 kB, no form', async () => {
    const { form = {} } = client.authentication();
    const body = new URLSearchParams({ ...form, request: 'a.b.c' }).toString();
    const send = (text: string, contentType = 'application/x-www-form-urlencoded', method = 'POST') =>
      httpsRequest({
        url: endpoint(),
        method,
        agent: client.agent,
        headers: { 'content-type': contentType },
        body: text,
      });
    expectOAuthError(await send(`${body}&request=a.b.c`), 400, 'invalid_request');
    expectOAuthError(await send(`${body}&x=${'x'.repeat(100_000)}`), 413, 'invalid_request');
    expectOAuthError(await send('{}', 'application/json'), 400, 'invalid_request');
    for (const method of ['PUT', 'DELETE', 'PATCH']) {
      const response = await send(body, undefined, method);
      expect({ status: response.status, allow: response.headers.allow }).toEqual({ status: 405, allow: 'POST' });
    }
  });

  it('takes a request object of 60 kB', async () => {
    const response = await push({ request: client.sign(await aRequest({ filler: 'x'.repeat(44_000) })) });
    expect(response.status).toBe(201);
  });

  it('is closed to a client that does not authenticate, over no certificate or over another one', async () => {
    const form = { request: client.sign(await aRequest()) };
    expectOAuthError(await push(form, { authentication: {} }), 401, 'invalid_client');
    expectOAuthError(await push(form, { agent: other.agent }), 401, 'invalid_client');
    const nobody = httpsAgent({ ca: world.sandbox.ca });
    await expect(push(form, { agent: nobody })).rejects.toThrow();
    nobody.destroy();
  });

  it('keeps no reference that can be read from the database', async () => {
    const requestUri = await pushed(await aRequest());
    const { rows } = await world.sandbox.database.query(
      'SELECT t::text AS row FROM pushed_authorization_requests AS t',
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(requestUri.slice(-43));
  });
});

describe('POST /oauth2/par on the one-way host (RFC 9126 s2, RFC 8705 s5)', () => {
  it.each(['private_key_jwt', 'client_secret_post'] as const)(
    'a %s client pushes without a certificate, and its code is exchanged with one',
    async (method) => {
      const own = await world.client({ method, name: 'OneWay' });
      const claims = await aRequest({}, own);
      const response = await pushOneWay({ request: own.sign(claims) }, {}, own);
      const code = await expectCode(response, own, claims);
      const tokens = await own.token(own.exchange(code, { code_verifier: verifier }));
      expect(tokens.status).toBe(200);
    },
  );

  it('refuses a tls_client_auth client, whatever certificate its connection shows', async () => {
    const own = await world.client({ method: 'tls_client_auth', name: 'RefusedOneWay' });
    const form = { request: own.sign(await aRequest({}, own)) };
    expectOAuthError(await pushOneWay(form, {}, own), 401, 'invalid_client');
    expectOAuthError(await pushOneWay(form, { agent: own.agent }, own), 401, 'invalid_client');
    expect((await push(form, {}, own)).status).toBe(201);
  });

  it('takes its own address as audience, and an assertion once at both hosts together', async () => {
    const request = client.sign(await aRequest());
    const authentication = { form: client.assertion({ aud: oneWay() }) };
    expect((await pushOneWay({ request }, { authentication })).status).toBe(201);
    expectOAuthError(await pushOneWay({ request }, { authentication }), 401, 'invalid_client');
    expectOAuthError(await push({ request }, { authentication }), 401, 'invalid_client');
    const elsewhere = { form: client.assertion({ aud: oneWay() }) };
    expectOAuthError(
      await client.token({ grant_type: 'client_credentials' }, { authentication: elsewhere }),
      401,
      'invalid_client',
    );
  });

  it('answers a program, not a browser, whatever is wrong', async () => {
    const request = client.sign(await aRequest({ redirect_uri: 'https://evil.example/' }));
    expectOAuthError(await pushOneWay({ request }), 400, 'invalid_request');
    expectOAuthError(await pushOneWay({ request: 'a.b.c' }, { authentication: {} }), 401, 'invalid_client');
    expectOAuthError(await pushOneWay({ request, filler: 'x'.repeat(100_000) }), 413, 'invalid_request');
    expect((await httpsRequest({ url: oneWay(), agent: world.sandbox.agent })).status).toBe(405);
  });
});

describe('GET /oauth2/authorize with the reference of a pushed request (RFC 9126 s4)', () => {
  it('p2 a link preview does not use it up; the first customer to sign in has it, and the TPP hears of one', async () => {
    const claims = await aRequest();
    const url = address(await pushed(claims), { redirect_uri: client.redirectUri, state: 'outer' });
    // Whoever looks ahead by HEAD asks nobody (RFC 9110 s9.2.1).
    const { status } = await httpsRequest({ url, method: 'HEAD', agent: world.sandbox.agent });
    expect(status).toBe(200);
    expectSignIn(await open(url));
    const late = new PageBrowser(world.sandbox);
    const [signIn, decline] = [await late.get(url), await late.get(url)];
    expectHybridResponse(await decideInPages(world.sandbox, url, 'approve'), client, claims);
    expectErrorPage(await open(url), 'invalid_request_uri');
    const { username, password } = alice;
    expectErrorPage(await late.submit(signIn, '/sign-in', { username, password }), 'invalid_request');
    expectErrorPage(await late.submit(decline, '/decline'), 'invalid_request');
  });

  it('p1, s45 a reload in the same browser continues where it was (s7.3)', async () => {
    const claims = await aRequest();
    const url = address(await pushed(claims));
    const browser = new PageBrowser(world.sandbox);
    expectSignIn(await browser.get(url));
    const again = await browser.get(url);
    expectSignIn(again);
    await browser.submit(again, '/sign-in', { username: 'alice', password: 'alice-password' });
    expect((await browser.get(url)).html).toContain('id="consent-summary"');
  });

  it('p9 is valid only for the client that pushed it, and stays valid for it', async () => {
    const url = new URL(address(await pushed(await aRequest())));
    const foreign = new URL(url);
    foreign.searchParams.set('client_id', other.clientId);
    foreign.searchParams.set('redirect_uri', other.redirectUri);
    expectErrorPage(await open(foreign.href), 'invalid_request_uri');
    expectSignIn(await open(url.href));
  });

  it('p3, s47 has run out after its time, and an unknown one never was', async () => {
    const requestUri = await pushed(await aRequest());
    await world.sandbox.database.query(
      "UPDATE pushed_authorization_requests SET expires_at = now() - interval '1 second'",
    );
    expectErrorPage(await open(address(requestUri)), 'invalid_request_uri');
    const unknown = `urn:ietf:params:oauth:request_uri:${randomBytes(32).toString('base64url')}`;
    expectErrorPage(await open(address(unknown)), 'invalid_request_uri');
  });

  it('stands alone: with a request beside it, or twice, it is invalid_request (RFC 9101 s5, RFC 6749 s3.1)', async () => {
    const claims = await aRequest();
    const requestUri = await pushed(claims);
    const query = { redirect_uri: client.redirectUri };
    const both = await open(address(requestUri, { ...query, request: client.sign(claims) }));
    expectErrorRedirect(both, client, 'invalid_request', { state: undefined, place: 'query' });
    const twice = await open(`${address(requestUri, query)}&request_uri=x`);
    expectErrorRedirect(twice, client, 'invalid_request', { state: undefined, place: 'query' });
  });

  it('a response_type beside it that differs is refused; other parameters do not count', async () => {
    const claims = await aRequest();
    const differs = await open(address(await pushed(claims), { response_type: 'code' }));
    expectErrorRedirect(differs, client, 'invalid_request_object', { state: claims['state'] });
    const url = address(await pushed(claims), { scope: 'openid', nonce: 'outside', state: 'outside' });
    expectHybridResponse(await decideInPages(world.sandbox, url, 'approve'), client, claims);
  });

  it('an intent that does not await the customer is reported to the TPP, and the reference is used up', async () => {
    const claims = await aRequest();
    const requestUri = await pushed(claims);
    await world.sandbox.database.query(`UPDATE payment_consents SET status = 'Rejected' WHERE consent_id = $1`, [
      intentOf(claims),
    ]);
    expectErrorRedirect(await open(address(requestUri)), client, 'invalid_request', { state: claims['state'] });
    expectErrorPage(await open(address(requestUri)), 'invalid_request_uri');
  });
});
