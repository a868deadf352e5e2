import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import { expectOAuthError, expectHybridResponse } from '../../support/expectations.js';
import { httpsRequest, type TestResponse } from '../../support/https-request.js';
import { pkce, verifier, ACR_SCA, type Difference, type FapiClient } from '../../support/a-client.js';
import { openAuthorization } from '../../support/page-browser.js';
import { FapiWorld, intentClaims } from '../authorization/fapi-world.js';
import { agreeInPages, requestFor } from './access-journey.js';
import { dataOf, type Version } from './access-client.js';

// What the Foundation's suite does for the profile openbanking_uk. A number is that of its module: see
// ../authorization/README.md.

const world = new FapiWorld();
beforeAll(() => world.start({ ALLOW_AUTHORIZATION_WITHOUT_INTENT: 'false' }));
afterAll(() => world.stop());

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const grants = ['authorization_code', 'client_credentials', 'refresh_token'];

interface Tokens {
  accessToken: string;
  refreshToken: string;
  /** of the answer to the browser, where it has one, and of the token endpoint */
  idTokens: readonly string[];
}

/** A way to the tokens of a customer, as one of the suite's variants goes it. */
interface Way {
  readonly title: string;
  readonly version: Version;
  readonly register: (isSecond?: boolean) => Promise<FapiClient>;
  readonly authentication: (client: FapiClient) => ReturnType<FapiClient['authentication']>;
  readonly authorise: (client: FapiClient, consentId: string, difference?: Difference) => Promise<Tokens>;
}

const tokensOf = (response: TestResponse, ...idTokens: string[]): Tokens => {
  expect({ status: response.status, text: response.text }).toMatchObject({ status: 200 });
  const { access_token, refresh_token, id_token, token_type } = response.json();
  expect(String(token_type).toLowerCase()).toBe('bearer');
  return {
    accessToken: String(access_token),
    refreshToken: String(refresh_token),
    idTokens: [...idTokens, String(id_token)],
  };
};

const hybrid = (method: 'private_key_jwt' | 'tls_client_auth', isPushed: boolean): Way => ({
  title: `FAPI 1.0 Advanced, ${method}${isPushed ? ', pushed' : ''}`,
  version: '3.1',
  register: (isSecond = false) =>
    world.client({ method, name: `Uk${method}`.replaceAll('_', ''), isSecond, metadata: { grant_types: grants } }),
  authentication: (client) => client.authentication(),
  authorise: async (client, consentId, difference = {}) => {
    const claims = requestFor(client, consentId, { ...(isPushed && pkce), ...difference });
    const url = isPushed ? await pushed(client, { request: client.sign(claims) }) : client.authorizationUrl(claims);
    const outcome = await agreeInPages(client, url);
    expectHybridResponse(outcome, client, claims);
    const form = client.exchange(outcome.fragment.get('code') ?? '', isPushed ? { code_verifier: verifier } : {});
    return tokensOf(await client.token(form), outcome.fragment.get('id_token') ?? '');
  },
});

/** FAPI 2.0 without DPoP: tokens are bound to the certificate. */
const fapi2: Way = {
  title: 'FAPI 2.0 Security Profile',
  version: '4.0',
  register: (isSecond = false) =>
    world.client({
      method: 'private_key_jwt',
      name: 'UkFapi2',
      isSecond,
      metadata: { fapi_profile: 'fapi2-security', response_types: ['code'], grant_types: grants },
    }),
  authentication: (client) => ({ form: client.assertion({ aud: client.provider.issuer }), headers: {} }),
  authorise: async (client, consentId, difference = {}) => {
    const parameters = {
      client_id: client.clientId,
      redirect_uri: client.redirectUri,
      response_type: 'code',
      scope: 'openid accounts',
      state: randomBytes(6).toString('hex'),
      nonce: randomBytes(6).toString('hex'),
      claims: intentClaims(consentId),
      ...pkce,
      ...difference,
    };
    const url = await pushed(client, { ...parameters, claims: JSON.stringify(parameters.claims) }, fapi2);
    const outcome = await agreeInPages(client, url);
    expect([outcome.query.get('state'), outcome.query.get('iss')]).toEqual([parameters.state, client.provider.issuer]);
    const form = client.exchange(outcome.query.get('code') ?? '', { code_verifier: verifier });
    return tokensOf(await client.token(form, { authentication: fapi2.authentication(client) }));
  },
};

async function pushed(client: FapiClient, form: Difference, { authentication }: Partial<Way> = {}): Promise<string> {
  const endpoint = client.provider.token_endpoint.replace(/token$/, 'par');
  const credentials = authentication && { authentication: authentication(client) };
  const response = await client.token(form, { url: endpoint, ...credentials });
  expect({ status: response.status, text: response.text }).toMatchObject({ status: 201 });
  const url = new URL(client.provider.authorization_endpoint);
  url.searchParams.set('client_id', client.clientId);
  url.searchParams.set('request_uri', String(response.json()['request_uri']));
  return url.href;
}

const base = (version: Version): string => `${world.sandbox.description.base_url}/open-banking/v${version}/aisp/`;

/** The suite's pre-authorisation: a token for accounts alone, and a consent with these headers and no others. */
async function stage(way: Way, client: FapiClient): Promise<string> {
  const form = { grant_type: 'client_credentials', scope: 'accounts' };
  const token = (await client.token(form, { authentication: way.authentication(client) })).json();
  expect(token['expires_in']).toBeGreaterThan(0);
  const response = await httpsRequest({
    url: `${base(way.version)}account-access-consents`,
    method: 'POST',
    agent: client.agent,
    headers: {
      authorization: `Bearer ${String(token['access_token'])}`,
      accept: 'application/json',
      'content-type': 'application/json',
      'x-fapi-auth-date': new Date().toUTCString(),
    },
    body: '{"Data":{"Permissions":["ReadAccountsBasic"]},"Risk":{}}',
  });
  expect(response.status).toBe(201);
  expect(response.headers['x-fapi-interaction-id']).toMatch(uuid);
  expect(response.json()).not.toHaveProperty('error');
  const consentId = dataOf(response)['ConsentId'];
  expect(consentId).toMatch(uuid);
  return String(consentId);
}

describe.each<Way>([hybrid('tls_client_auth', false), hybrid('private_key_jwt', true), fapi2])(
  'openbanking_uk, $title',
  (way) => {
    let first: FapiClient;
    let second: FapiClient;
    let tokens: Tokens;
    let consentId: string;

    const read = (
      accessToken: string,
      headers: Record<string, string | undefined> = {},
      { agent = first.agent, query = '' } = {},
    ) =>
      httpsRequest({
        url: `${base(way.version)}accounts${query}`,
        agent,
        headers: { authorization: `Bearer ${accessToken}`, accept: 'application/json', ...headers },
      });
    beforeAll(async () => {
      [first, second] = [await way.register(), await way.register(true)];
      consentId = await stage(way, first);
      tokens = await way.authorise(first, consentId);
    });

    it('2 every ID token names the consent and how the customer was authenticated', () => {
      for (const idToken of tokens.idTokens) {
        expect(decodeJwt(idToken)).toMatchObject({ openbanking_intent_id: consentId, acr: ACR_SCA });
      }
    });

    it('2, 8 the accounts: Date, interaction id, JSON, each Accept, both kinds of address, the scheme in any case', async () => {
      const { accessToken } = tokens;
      const interactionId = 'c770AEF3-6784-41f7-8e0E-ff5F97bddb3a';
      for (const headers of [
        { 'x-fapi-customer-ip-address': '198.51.100.119' },
        { 'x-fapi-customer-ip-address': '2001:DB8::1893:25c8:1946' },
        { accept: 'application/json;charset=UTF-8', 'accept-charset': 'UTF-8' },
        { accept: 'application/json, application/*+json, */*' },
        { 'x-fapi-auth-date': new Date().toUTCString(), 'x-cheese-sandwich': 'odd' },
        { authorization: `bearer ${accessToken}` },
        { authorization: `BEARER ${accessToken}` },
      ]) {
        const response = await read(accessToken, { 'x-fapi-interaction-id': interactionId, ...headers });
        expect({ headers, status: response.status }).toEqual({ headers, status: 200 });
        expect(response.headers['x-fapi-interaction-id']).toBe(interactionId);
        expect(Math.abs(Date.parse(String(response.headers.date)) - Date.now())).toBeLessThan(300_000);
        expect(response.headers['content-type']).toMatch(/^application\/json(?:; ?charset=utf-8)?$/i);
        expect(dataOf(response)['Account']).toHaveLength(1);
      }
      expect((await read(accessToken)).headers['x-fapi-interaction-id']).toMatch(uuid);
    });

    it('45 a refreshed token opens the accounts, too; that of another client is refused and stays good', async () => {
      const refresh = { grant_type: 'refresh_token', refresh_token: tokens.refreshToken };
      const stolen = await second.token(refresh, { authentication: way.authentication(second) });
      expectOAuthError(stolen, 400, 'invalid_grant');
      const response = await first.token(refresh, { authentication: way.authentication(first) });
      const renewed = String(response.json()['access_token']);
      expect((await read(renewed)).status).toBe(200);
      expect((await read(renewed, {}, { agent: second.agent })).status).toBe(401);
    });
  },
);

describe('openbanking_uk, what the hybrid flow adds', () => {
  const way = hybrid('private_key_jwt', false);
  it('47 one acr, essential: both ID tokens have it', async () => {
    const first = await way.register();
    const consentId = await stage(way, first);
    const claims = intentClaims(consentId, { value: ACR_SCA, essential: true });
    const { idTokens } = await way.authorise(first, consentId, { claims });
    expect(idTokens).toHaveLength(2);
    for (const idToken of idTokens) expect(decodeJwt(idToken)['acr']).toBe(ACR_SCA);
  });
});

/** A client of FAPI 2.0 with account access. */
function registerFapi2(
  { profile, method, isSigned }: { profile: string; method: FapiClient['method']; isSigned: boolean },
  isSecond: boolean,
): Promise<FapiClient> {
  return world.client({
    method,
    name: `Uk2${isSigned ? 'Signed' : ''}${method}`.replaceAll('_', ''),
    isSecond,
    metadata: { fapi_profile: profile, response_types: ['code'], grant_types: grants },
  });
}

describe.each<[string, 'private_key_jwt' | 'tls_client_auth', boolean]>([
  ['fapi2-security', 'tls_client_auth', false],
  ['fapi2-message-signing', 'private_key_jwt', true],
])('openbanking_uk, %s, %s: what the profile adds', (profile, method, isSigned) => {
  const way: Way = { ...fapi2, authentication: (client) => credentialsOf(client) };
  const credentialsOf = (client: FapiClient): ReturnType<FapiClient['authentication']> =>
    method === 'tls_client_auth' ? client.authentication() : fapi2.authentication(client);
  let first: FapiClient;
  let second: FapiClient;
  beforeAll(async () => {
    const kind = { profile, method, isSigned };
    [first, second] = [await registerFapi2(kind, false), await registerFapi2(kind, true)];
  });

  /** What is pushed: the parameters, or a request object of them. */
  function formOf(client: FapiClient, consentId: string, difference: Difference = {}): Difference {
    const claims = requestFor(client, consentId, { response_type: 'code', ...pkce, ...difference });
    if (isSigned) return { request: client.sign(claims) };
    const { iss: _iss, aud: _aud, nbf: _nbf, exp: _exp, ...parameters } = claims;
    return { ...parameters, claims: JSON.stringify(parameters['claims']) };
  }

  it('s63 refuses the intent of client 1 in a request of client 2, at the redirect URI of client 2', async () => {
    const address = await pushed(second, formOf(second, await stage(way, first), { state: 'a-state' }), way);
    const outcome = await openAuthorization(world.sandbox.agent, address);
    expect([outcome.kind, outcome.address]).toEqual(['redirect', second.redirectUri.split('?')[0]]);
    expect(outcome.query.get('error')).toMatch(/^(?:invalid_request|invalid_request_object|access_denied)$/);
    expect([outcome.query.get('state'), outcome.query.has('code')]).toEqual(['a-state', false]);
  });
});
