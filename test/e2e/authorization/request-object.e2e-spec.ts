import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  expectErrorPage,
  expectErrorRedirect,
  expectHybridResponse,
  expectSignIn,
} from '../../support/expectations.js';
import { seconds, type Difference, type FapiClient, type SigningDifference } from '../../support/a-client.js';
import { openAuthorization } from '../../support/page-browser.js';
import { FapiWorld, intentClaims } from './fapi-world.js';

// One request for each answer. Every rule is in libs/oauth/src/authorization-request/verify-authorization-request.spec.ts.
const world = new FapiWorld();
let client: FapiClient;
let consentId: string;

beforeAll(async () => {
  await world.start();
  const pair = await world.pair('private_key_jwt', 'rsa');
  client = pair.first;
  consentId = await world.stageIntent(client);
});
afterAll(() => world.stop());

const aRequest = (difference: Difference = {}): Record<string, unknown> =>
  client.requestObject({ claims: intentClaims(consentId), ...difference });

describe.each([
  ['private_key_jwt', 'rsa'],
  ['tls_client_auth', 'ec'],
] as const)('the signature of a request object of a %s client with an %s key', (method, keyType) => {
  let own: FapiClient;
  let stranger: FapiClient;
  let request: Record<string, unknown>;
  beforeAll(async () => {
    const pair = await world.pair(method, keyType);
    [own, stranger] = [pair.first, pair.second];
    request = own.requestObject({ claims: intentClaims(await world.stageIntent(own)) });
  });

  it('is accepted when it is right', async () => {
    expectSignIn(await own.authorize(request));
  });

  it.each<[string, () => SigningDifference]>([
    ['by the key of another client', () => ({ key: stranger.credentials.signingKey })],
    [
      'under the kid and key of another client',
      () => ({ header: { kid: stranger.credentials.signingKid }, key: stranger.credentials.signingKey }),
    ],
    ['that is missing', () => ({ header: { alg: 'none' } })],
  ])('%s: invalid_request_object, with the state of the query', async (_title, signing) => {
    const outcome = await own.authorize(request, { ...signing(), query: { state: 'outer' } });
    expectErrorRedirect(outcome, own, 'invalid_request_object', { state: 'outer' });
  });
});

describe('the answer to an authorization request', () => {
  it.each<[error: string, title: string, difference: () => Difference, place?: 'query']>([
    ['invalid_request_object', 'an expired one', () => ({ exp: seconds() - 3_600 })],
    ['invalid_request', 'response_mode=query, never with a code in the query', () => ({ response_mode: 'query' })],
    ['unsupported_response_type', 'a type that is not registered', () => ({ response_type: 'code' }), 'query'],
    ['invalid_scope', 'a scope that is not registered', () => ({ scope: 'openid payments everything' })],
    ['login_required', 'prompt=none', () => ({ prompt: 'none' })],
    [
      'access_denied',
      'an essential acr that does not exist',
      () => ({ claims: intentClaims(consentId, { value: 'urn:other', essential: true }) }),
    ],
    // The database decides these.
    [
      'invalid_request_object',
      'an unknown intent',
      () => ({ claims: intentClaims('0190aaaa-0000-7000-8000-000000000000') }),
    ],
    ['invalid_request_object', 'an intent that is none', () => ({ claims: intentClaims("' OR 1=1 --") })],
    ['invalid_request_object', 'the intent of a payment under another scope', () => ({ scope: 'openid accounts' })],
  ])('%s for %s', async (error, _title, difference, place = undefined) => {
    const request = aRequest(difference());
    const expected = { state: request['state'], ...(place && { place }) };
    expectErrorRedirect(await client.authorize(request), client, error, expected);
  });

  it('29 has everything as plain query: invalid_request; a parameter twice: invalid_request', async () => {
    const claims = aRequest();
    const { state } = claims;
    const plain = { ...claims, claims: JSON.stringify(claims['claims']), request: undefined };
    expectErrorRedirect(await client.authorize(claims, { query: plain }), client, 'invalid_request', { state });
    const twice = `${client.authorizationUrl(claims, { query: { state } })}&scope=openid`;
    expectErrorRedirect(await openAuthorization(world.sandbox.agent, twice), client, 'invalid_request', { state });
  });

  it('by reference: request_uri_not_supported; both: invalid_request (RFC 9101 s5)', async () => {
    const claims = aRequest();
    const { state } = claims;
    const reference = { request_uri: 'https://tpp.example/ro', state };
    expectErrorRedirect(await client.authorize(claims, { query: reference }), client, 'invalid_request', { state });
    const alone = { ...reference, request: undefined };
    expectErrorRedirect(await client.authorize(claims, { query: alone }), client, 'request_uri_not_supported', {
      state,
    });
  });

  it('invalid_request_object for one of 90 kB', async () => {
    const outcome = await client.authorize(aRequest({ x: 'x'.repeat(68_000) }));
    expectErrorRedirect(outcome, client, 'invalid_request_object', { state: undefined });
  });

  it.each<[string, Difference, Difference]>([
    ['a redirect URI that is not registered', { redirect_uri: 'https://evil.example/' }, {}],
    ['no redirect URI', { redirect_uri: undefined }, {}],
    ['an unknown client', {}, { client_id: 'nobody' }],
  ])('a page for %s', async (_title, difference, query) => {
    expectErrorPage(await client.authorize(aRequest(difference), { query }), 'invalid_request');
  });

  it('a page for client_id and redirect_uri twice (RFC 6749 s3.1)', async () => {
    const url = client.authorizationUrl(aRequest());
    for (const again of ['redirect_uri=https%3A%2F%2Fattacker.example', 'client_id=other'])
      expectErrorPage(await openAuthorization(world.sandbox.agent, `${url}&${again}`), 'invalid_request');
  });

  it('the sign-in page twice for one jti: an answer uses it up, not a visit (4e, RFC 9101 s10.3)', async () => {
    const request = aRequest({ jti: 'once' });
    expectSignIn(await client.authorize(request));
    expectSignIn(await client.authorize(request));
  });
});

/** The claims of the ID token that a request leads to. */
async function approve(url: string, claims: Record<string, unknown>): Promise<Record<string, unknown>> {
  const outcome = await world.decide(url, 'approve');
  expectHybridResponse(outcome, client, claims);
  const [, payload = ''] = (outcome.fragment.get('id_token') ?? '').split('.');
  return JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>;
}

describe('a request that other servers refuse and this one must accept', () => {
  it('2, 4, 7, 10 has odd headers, members, order and parameters in the query', async () => {
    const claims = await world.request(client, {
      aud: [client.provider.issuer, 'https://other1.example.com', 'invalid'],
      iat: seconds(),
      scope: 'payments openid',
      state: `"'><b>&amp;#?%0d%0a=+ /\\-._~`,
      vendor: { deep: [1, 2, 3] },
      display: 'popup',
      ui_locales: 'cy en',
      login_hint: 'alice',
      acr_values: 'urn:x',
      prompt: 'login consent',
    });
    const query = { nonce: 'outside', state: 'outside', scope: 'openid', response_mode: 'query', prompt: 'none' };
    const url = new URL(
      client.authorizationUrl(claims, { header: { typ: 'OautH-auThZ-REQ+jWt', kid: undefined }, query }),
    );
    url.search = new URLSearchParams([...url.searchParams].toReversed()).toString();
    expect((await approve(url.href, claims))['nonce']).toBe(claims['nonce']);
  });
});
