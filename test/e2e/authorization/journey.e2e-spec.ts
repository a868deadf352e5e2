import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { createRemoteJWKSet, customFetch, decodeProtectedHeader, jwtVerify, type JWTPayload } from 'jose';
import {
  expectOAuthError,
  expectEndPage,
  expectErrorPage,
  expectErrorRedirect,
  expectHybridResponse,
  expectUnguessable,
} from '../../support/expectations.js';
import { httpsRequest, type TestResponse } from '../../support/https-request.js';
import { signingReason, whileNothingIsSigned } from '../../support/signing-service-away.js';
import { ACR_CA, ACR_SCA, seconds, type Difference, type FapiClient } from '../../support/a-client.js';
import {
  signIn,
  alice,
  bob,
  approveInPages,
  PageBrowser,
  type AuthorizationOutcome,
} from '../../support/page-browser.js';
import { runUnguarded } from '../../support/unguarded.js';
import { FapiWorld, intentClaims, intentOf, type Authorised, type ClientPair } from './fapi-world.js';

const world = new FapiWorld();
beforeAll(() => world.start());
afterAll(() => world.stop());

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const leftHalf = (text: string): string =>
  createHash('sha256').update(text).digest().subarray(0, 16).toString('base64url');

/**
 * Verifies an ID token with the published key set and every rule of FAPI 1.0 and OIDC Core s3.3 that needs nothing
 * else.
 */
async function readIdToken(client: FapiClient, idToken: unknown, claims: Difference): Promise<JWTPayload> {
  const fetchKeys = async (url: string): Promise<Response> => {
    const { body, status } = await httpsRequest({ url, agent: world.sandbox.agent });
    return new Response(new Uint8Array(body), { status });
  };
  const keys = createRemoteJWKSet(new URL(world.sandbox.description.jwks_uri), {
    [customFetch]: (url) => fetchKeys(url),
  });
  const { payload, protectedHeader } = await jwtVerify(String(idToken), keys, {
    algorithms: [client.credentials.signingAlgorithm],
    issuer: client.provider.issuer,
    audience: client.clientId,
    requiredClaims: ['sub', 'exp', 'iat', 'nonce', 'acr', 'auth_time'],
  });
  expect(protectedHeader.kid).toEqual(expect.any(String));
  expect(Math.abs(Number(payload.iat) - seconds())).toBeLessThan(300);
  expect(Math.abs(Number(payload['auth_time']) - seconds())).toBeLessThan(300);
  expect(payload.sub).toMatch(/^[\x21-\x7e]{1,255}$/);
  expect(payload['nonce']).toBe(claims['nonce']);
  expect(payload['openbanking_intent_id']).toBe(intentOf(claims));
  return payload;
}

const standardClaims = ['iss', 'sub', 'aud', 'exp', 'iat', 'auth_time', 'nonce', 'acr', 'openbanking_intent_id'];

function expectTokenResponse(response: TestResponse): Record<string, unknown> {
  expect({ status: response.status, text: response.status === 200 ? '' : response.text }).toEqual({
    status: 200,
    text: '',
  });
  expect(response.headers).toMatchObject({ 'content-type': 'application/json', 'cache-control': 'no-store' });
  const body = response.json();
  expectUnguessable(body['access_token']);
  expect(String(body['token_type']).toLowerCase()).toBe('bearer');
  expect(body['expires_in']).toBeGreaterThan(0);
  expect(body['expires_in']).toBeLessThanOrEqual(31_536_000);
  expect(body).not.toHaveProperty('error');
  return body;
}

// Each method and each key once; how a client authenticates is no part of what it asks for.
describe.each([
  ['private_key_jwt', 'rsa'],
  ['tls_client_auth', 'ec'],
] as const)('2 the whole journey of %s clients with %s keys', (method, keyType) => {
  let pair: ClientPair;
  let first: Authorised;
  let second: Authorised;
  let secondTokens: TestResponse;

  beforeAll(async () => {
    pair = await world.pair(method, keyType);
    first = await world.authorise(pair.first);
    // Client 2 asks for no acr, sends iat, a long state and its own nonce kind.
    const claims = {
      id_token: { openbanking_intent_id: { value: await world.stageIntent(pair.second), essential: true } },
    };
    second = await world.authorise(pair.second, {
      claims,
      iat: seconds(),
      state: `${'s'.repeat(124)}-._~`,
      nonce: `${'n'.repeat(39)}-._~`,
    });
    secondTokens = await pair.second.token(pair.second.exchange(second.code));
  });

  it('the redirect back has code, id_token, state and iss in the fragment and nothing else', () => {
    expectHybridResponse(first.outcome, pair.first, first.claims);
    expectHybridResponse(second.outcome, pair.second, second.claims);
  });

  it('FP-187 the front channel ID token: claims, signature, c_hash, s_hash, no at_hash, nothing besides', async () => {
    const payload = await readIdToken(pair.first, first.outcome.fragment.get('id_token'), first.claims);
    expect(payload['c_hash']).toBe(leftHalf(first.code));
    expect(payload['s_hash']).toBe(leftHalf(String(first.claims['state'])));
    expect([ACR_SCA, ACR_CA]).toContain(payload['acr']);
    expect(Object.keys(payload).sort()).toEqual([...standardClaims, 'c_hash', 's_hash'].sort());
    await readIdToken(pair.second, second.outcome.fragment.get('id_token'), second.claims);
  });

  it('the token response and its ID token: at_hash of the token, the same sub', async () => {
    const response = await pair.first.token(pair.first.exchange(first.code));
    const body = expectTokenResponse(response);
    const payload = await readIdToken(pair.first, body['id_token'], first.claims);
    const front = await readIdToken(pair.first, first.outcome.fragment.get('id_token'), first.claims);
    expect(payload.sub).toBe(front.sub);
    expect(payload['acr']).toBe(front['acr']);
    expect(payload['at_hash']).toBe(leftHalf(String(body['access_token'])));
    expect(Object.keys(payload).sort()).toEqual([...standardClaims, 'at_hash'].sort());
    expect(decodeProtectedHeader(String(body['id_token'])).alg).toBe(keyType === 'ec' ? 'ES256' : 'PS256');
    const other = expectTokenResponse(secondTokens);
    const otherPayload = await readIdToken(pair.second, other['id_token'], second.claims);
    // Two organisations know one customer by two names (OIDC Core s8.1).
    expect(otherPayload.sub).not.toBe(payload.sub);
  });

  it('8 the resource: Date, interaction id, JSON, the scheme in any case; no token in the query, no foreign certificate', async () => {
    const { second: client, first: foreign } = pair;
    const token = String(secondTokens.json()['access_token']);
    const path = '/open-banking/v3.1/pisp/file-payment-consents/';
    const tpp = await world.asTpp(client);
    const url = `${world.sandbox.description.base_url}${path}${intentOf(second.claims)}`;
    const get = (headers: Record<string, string | undefined>, agent = client.agent, query = '') =>
      httpsRequest({ url: `${url}${query}`, headers: { accept: 'application/json', ...headers }, agent });
    const interactionId = 'c770AEF3-6784-41f7-8e0E-ff5F97bddb3a';
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
      const response = await get({
        authorization: `${scheme} ${tpp.accessToken}`,
        'x-fapi-interaction-id': interactionId,
        'x-fapi-customer-ip-address': '2001:DB8::1893:25c8:1946',
      });
      expect(response.status).toBe(200);
      expect(String(response.headers['x-fapi-interaction-id']).toLowerCase()).toBe(interactionId.toLowerCase());
      expect(Math.abs(Date.parse(String(response.headers.date)) - Date.now())).toBeLessThan(300_000);
      expect(response.headers['content-type']).toMatch(/^application\/json(?:; ?charset=utf-8)?$/i);
    }
    const authorization = `Bearer ${tpp.accessToken}`;
    for (const accept of ['application/json;charset=UTF-8', 'application/json, application/*+json, */*']) {
      expect((await get({ authorization, accept, 'accept-charset': 'UTF-8' })).status).toBe(200);
    }
    expect((await get({ authorization })).headers['x-fapi-interaction-id']).toMatch(uuid);
    expect([400, 401]).toContain((await get({}, client.agent, `?access_token=${token}`)).status);
    const stolen = await get({ authorization }, foreign.agent);
    expect(stolen.status).toBeGreaterThanOrEqual(400);
    expect(stolen.status).toBeLessThan(500);
  });

  it('34 a code of client 1 is of no use to client 2: exactly 400 invalid_grant, and it stays good', async () => {
    const { code } = await world.authorise(pair.first);
    expectOAuthError(await pair.second.token(pair.second.exchange(code)), 400, 'invalid_grant');
    const own = { ...pair.second.exchange(code), redirect_uri: pair.first.redirectUri };
    expectOAuthError(await pair.second.token(own), 400, 'invalid_grant');
    expectTokenResponse(await pair.first.token(pair.first.exchange(code)));
  });

  it('35 a code used again after a second: invalid_grant, and its token ends', async () => {
    const { code } = await world.authorise(pair.first);
    const { access_token: token } = expectTokenResponse(await pair.first.token(pair.first.exchange(code)));
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expectOAuthError(await pair.first.token(pair.first.exchange(code)), 400, 'invalid_grant');
    const url = `${world.sandbox.description.base_url}/open-banking/v3.1/pisp/file-payments/${randomUUID()}`;
    const used = await httpsRequest({
      url,
      headers: { authorization: `Bearer ${String(token)}` },
      agent: pair.first.agent,
    });
    expect(used.status).toBe(401);
  });

  it('3 the customer rejects: access_denied in the fragment, with state and the query of the redirect URI', async () => {
    for (const client of [pair.first, pair.second]) {
      const claims = await world.request(client, { state: `${'s'.repeat(124)}-._~` });
      const outcome = await world.decide(client.authorizationUrl(claims), 'decline');
      expectErrorRedirect(outcome, client, 'access_denied', { state: claims['state'] });
    }
  });

  it('6 PKCE with S256: the right verifier succeeds, a wrong one does not (RFC 7636 s4.6)', async () => {
    const verifier = randomBytes(32).toString('base64url');
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    const pkce = { code_challenge: challenge, code_challenge_method: 'S256' };
    const { code } = await world.authorise(pair.first, pkce);
    const { first: client } = pair;
    const wrong = client.exchange(code, { code_verifier: randomBytes(32).toString('base64url') });
    expectOAuthError(await client.token(wrong), 400, 'invalid_grant');
    expectTokenResponse(await client.token(client.exchange(code, { code_verifier: verifier })));
  });

  it.each([
    [ACR_SCA, { value: ACR_SCA, essential: true }],
    [ACR_CA, { value: ACR_CA, essential: true }],
  ])('47 the essential acr %s is exactly that in both ID tokens', async (acr, request) => {
    const { first: client } = pair;
    const claims = await world.request(client);
    claims['claims'] = intentClaims(intentOf(claims), request);
    const outcome = await world.decide(client.authorizationUrl(claims), 'approve');
    const front = await readIdToken(client, outcome.fragment.get('id_token'), claims);
    const code = outcome.fragment.get('code') ?? '';
    const body = expectTokenResponse(await client.token(client.exchange(code)));
    const back = await readIdToken(client, body['id_token'], claims);
    expect([front['acr'], back['acr']]).toEqual([acr, acr]);
  });

  it('46 the intent of client 1 in a request of client 2: refused at the redirect URI of client 2', async () => {
    const intent = await world.stageIntent(pair.first);
    const claims = pair.second.requestObject({ claims: intentClaims(intent) });
    const outcome = await pair.second.authorize(claims);
    expectErrorRedirect(outcome, pair.second, 'invalid_request_object', { state: claims['state'] });
  });
});

describe('the code of an authorisation', () => {
  let client: FapiClient;
  beforeAll(async () => {
    client = await world.client({ method: 'private_key_jwt', name: 'Codes' });
  });

  it('is in no table, and neither is any token', async () => {
    const { code } = await world.authorise(client);
    const { access_token: token } = expectTokenResponse(await client.token(client.exchange(code)));
    for (const table of ['authorization_codes', 'access_tokens', 'authorization_sessions', 'used_jwt_ids', 'clients']) {
      const { rows } = await world.sandbox.database.query(`SELECT t::text AS row FROM ${table} AS t`);
      const text = JSON.stringify(rows);
      for (const secret of [code, String(token), client.clientSecret]) expect(text).not.toContain(secret);
    }
  });
});

describe('the authorization code flow', () => {
  it('answers in the query, without ID token there (OIDC Core s3.1.2.5), errors too', async () => {
    const client = await world.client({
      method: 'private_key_jwt',
      name: 'Plain',
      metadata: { response_types: ['code'] },
    });
    const { claims, outcome, code } = await world.authorise(client, { response_type: 'code' });
    expect(outcome.fragment.toString()).toBe('');
    expect([...outcome.query.keys()].sort()).toEqual(['code', 'iss', 'state']);
    expect(outcome.query.get('state')).toBe(claims['state']);
    const body = expectTokenResponse(await client.token(client.exchange(code)));
    await readIdToken(client, body['id_token'], claims);
    const declined = await world.request(client, { response_type: 'code' });
    const refused = await world.decide(client.authorizationUrl(declined), 'decline');
    expectErrorRedirect(refused, client, 'access_denied', { state: declined['state'], place: 'query' });
    const hybrid = await world.request(client);
    expectErrorRedirect(await client.authorize(hybrid), client, 'unsupported_response_type', {
      state: hybrid['state'],
    });
  });
});

describe('an authorisation without an intent (section 9)', () => {
  it('is possible for scopes without payments, with its own page', async () => {
    const client = await world.client({ method: 'tls_client_auth', name: 'Identity' });
    const claims = client.requestObject({ scope: 'openid fundsconfirmations' });
    const { body: page } = await new PageBrowser(world.sandbox).get(client.authorizationUrl(claims));
    expect(page).toContain('is asking you to confirm who you are');
    const outcome = await world.decide(client.authorizationUrl(claims), 'approve');
    expectHybridResponse(outcome, client, claims);
    const body = expectTokenResponse(await client.token(client.exchange(outcome.fragment.get('code') ?? '')));
    expect(body['scope']).toBe('openid fundsconfirmations');
    const withPayments = client.requestObject({ scope: 'openid payments' });
    expectErrorRedirect(await client.authorize(withPayments), client, 'invalid_request_object', {
      state: withPayments['state'],
    });
  });
});

describe('a request that names the customer by sub (OIDC Core s3.1.2.2, s5.5.1)', () => {
  it('is answered only for that customer; the consent keeps waiting', async () => {
    const client = await world.client({ method: 'private_key_jwt', name: 'Named' });
    const { outcome: known, claims: first } = await world.authorise(client);
    const { sub: value } = await readIdToken(client, known.fragment.get('id_token'), first);
    const claims = await world.request(client);
    const { id_token: idToken } = claims['claims'] as { id_token: object };
    claims['claims'] = { id_token: { ...idToken, sub: { value } } };
    const url = client.authorizationUrl(claims);
    const browser = new PageBrowser(world.sandbox);
    const other = await signIn(browser, await browser.get(url), bob);
    expectEndPage(other, client, { status: 403, error: 'access_denied', state: claims['state'] });
    expectHybridResponse(await world.decide(url, 'approve'), client, claims);
  });
});

describe('a request with id_token_hint (OIDC Core s3.1.2.1, s3.1.2.2)', () => {
  it('is answered for the customer of that ID token; for another one login_required, and the consent keeps waiting', async () => {
    const client = await world.client({ method: 'private_key_jwt', name: 'Hinting' });
    const { outcome: known } = await world.authorise(client);
    const claims = await world.request(client, { id_token_hint: known.fragment.get('id_token') });
    const url = client.authorizationUrl(claims);
    const browser = new PageBrowser(world.sandbox);
    const other = await signIn(browser, await browser.get(url), bob);
    expectEndPage(other, client, { status: 403, error: 'login_required', state: claims['state'] });
    expectHybridResponse(await world.decide(url, 'approve'), client, claims);
  });
});

describe('POST /oauth2/authorize (OIDC Core s3.1.2.1)', () => {
  let client: FapiClient;
  let endpoint: string;
  beforeAll(async () => {
    client = await world.client({ method: 'tls_client_auth', name: 'Forms' });
    endpoint = client.provider.authorization_endpoint;
  });

  const formOf = (claims: Difference): string => new URL(client.authorizationUrl(claims)).search.slice(1);

  it('leads to the same pages, and a reload of them sends nothing again', async () => {
    const claims = await world.request(client, { jti: randomUUID(), padding: 'x'.repeat(30_000) });
    const first = await httpsRequest({
      url: endpoint,
      method: 'POST',
      agent: world.sandbox.agent,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: formOf({ ...claims, jti: randomUUID() }),
    });
    expect({ status: first.status, location: first.headers.location }).toEqual({
      status: 303,
      location: expect.stringMatching(/^\/sign-in\?authorization=/),
    });
    const browser = new PageBrowser(world.sandbox);
    const form = formOf(claims);
    let page = await browser.post(endpoint, form);
    expect(page.html).toContain('id="username"');
    // This browser is already working on the request.
    page = await browser.post(endpoint, form);
    page = await signIn(browser, page, alice);
    expectHybridResponse(await approveInPages(browser, page, alice), client, claims);
  });

  it('refuses as GET does: with 303 at the client’s address, or on a page', async () => {
    const claims = await world.request(client, { exp: seconds() - 100 });
    const refused = await new PageBrowser(world.sandbox).post(endpoint, formOf(claims));
    expectErrorRedirect(refused, client, 'invalid_request_object', { state: claims['state'] });
    expect(refused.status).toBe(303);
    const send = (form: string, path = '') => new PageBrowser(world.sandbox).post(`${endpoint}${path}`, form);
    expectErrorPage(await send('client_id=nobody'), 'invalid_request');
    expectErrorPage(await send(formOf(claims), `?client_id=${client.clientId}`), 'invalid_request');
    expectErrorPage(await send(`client_id=x&${'x'.repeat(100_000)}`), 'RequestUnreadable', 413);
  });
});

describe('an approval while the signing service is away', () => {
  it('does not count: the TPP gets temporarily_unavailable, and the customer approves the same consent later', async () => {
    const client = await world.client({ method: 'private_key_jwt', name: 'Unsigned' });
    const claims = await world.request(client);
    const { result: outcome } = await whileNothingIsSigned(world.sandbox.config, () =>
      world.decide(client.authorizationUrl(claims), 'approve'),
    );
    expectEndPage(outcome, client, { status: 503, error: 'temporarily_unavailable', state: claims['state'] });
    expect(outcome.html).not.toContain(signingReason);
    const again = client.requestObject({ claims: intentClaims(intentOf(claims)) });
    expectHybridResponse(await world.decide(client.authorizationUrl(again), 'approve'), client, again);
  });
});

const helpOf = ({ html }: AuthorizationOutcome): string =>
  /id="help-line">([^]*?)<\/p>/.exec(html)?.[1]?.replaceAll(/<[^>]+>/g, '') ?? '';

describe('ways through the pages that lead nowhere', () => {
  let client: FapiClient;
  beforeAll(async () => {
    client = await world.client({ method: 'tls_client_auth', name: 'Detours' });
  });

  it('FP-185, FP-188 an intent that is Consumed: invalid_request with state, and it stays so', async () => {
    const claims = await world.request(client);
    const consent = [intentOf(claims)];
    const consumed = `status = 'Consumed', psu_id = 'p', authorised_at = now(), challenge_id = 'c', approved_hash = '', debtor_account = '{}'`;
    const { database } = world.sandbox;
    await runUnguarded(database, `UPDATE payment_consents SET ${consumed} WHERE consent_id = $1`, consent);
    expectErrorRedirect(await client.authorize(claims), client, 'invalid_request', { state: claims['state'] });
    const { rows } = await database.query('SELECT status FROM payment_consents WHERE consent_id = $1', consent);
    expect(rows).toEqual([{ status: 'Consumed' }]);
  });

  it('an intent that expires during the sign-in: a page that says so and leads back with invalid_request', async () => {
    const claims = await world.request(client);
    const browser = new PageBrowser(world.sandbox);
    const first = await browser.get(client.authorizationUrl(claims));
    await world.sandbox.database.query(
      `UPDATE payment_consents SET expires_at = now() - interval '1 second' WHERE consent_id = $1`,
      [intentOf(claims)],
    );
    const second = await browser.submit(first, '/sign-in', { username: 'alice', password: 'alice-password' });
    expectEndPage(second, client, { status: 409, error: 'invalid_request', state: claims['state'] });
  });

  it('a request used again after the approval: invalid_request, no second code', async () => {
    const claims = await world.request(client);
    const url = client.authorizationUrl(claims);
    expectHybridResponse(await world.decide(url, 'approve'), client, claims);
    expectErrorRedirect(await world.decide(url, 'approve'), client, 'invalid_request', { state: claims['state'] });
  });

  it('says when the page stops working, and of a customer who is signed in, when they are signed out', async () => {
    const browser = new PageBrowser(world.sandbox);
    const asked = await browser.get(client.authorizationUrl(await world.request(client)));
    expect(asked.html).toMatch(/this page will stop working at <strong>/);
    expect(asked.html).not.toContain('sign you out');
    const shown = await signIn(browser, asked, alice);
    expect(shown.html).toMatch(/we will sign you out at <strong>/);
    expect(shown.html).not.toContain('stop working');
  });

  it('says in the reader’s language how to sign in to a sandbox', async () => {
    const browser = new PageBrowser(world.sandbox);
    const address = client.authorizationUrl(await world.request(client, { ui_locales: 'cy' }));
    const page = await browser.get(address);
    expect(helpOf(page)).toBe(
      'Angen help? Yn y blwch tywod, mewngofnodwch fel alice gyda’r cyfrinair alice-password; y cod untro yw 111111.',
    );
    browser.cookies.set('__Host-language', 'en');
    expect(helpOf(await browser.get(address))).toBe(
      'Need help? In the sandbox, sign in as alice with the password alice-password; the one-time code is 111111.',
    );
  });
});
