import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLocalJWKSet, jwtVerify, type JSONWebKeySet, type JWTPayload } from 'jose';
import { expectOAuthError } from '../../support/expectations.js';
import { httpsRequest } from '../../support/https-request.js';
import { type Difference, type FapiClient } from '../../support/a-client.js';
import { type AuthorizationOutcome } from '../../support/page-browser.js';
import { FapiWorld, intentClaims } from './fapi-world.js';

const world = new FapiWorld();
const client = (name: string, metadata: Record<string, unknown> = {}) =>
  world.client({
    method: 'private_key_jwt',
    name,
    metadata: { response_types: ['code', 'code id_token'], ...metadata },
  });

/** Reads the JWT that an authorization response consists of, as a client does (JARM s2.4). */
async function readResponse(
  { clientId }: FapiClient,
  outcome: AuthorizationOutcome,
  place: 'query' | 'fragment',
): Promise<{ payload: JWTPayload; alg: string }> {
  const other = place === 'query' ? outcome.fragment : outcome.query;
  expect([outcome.kind, [...outcome[place].keys()], [...other.keys()]]).toEqual(['redirect', ['response'], []]);
  const { description, agent } = world.sandbox;
  const keys = (await httpsRequest({ url: description.jwks_uri, agent })).json() as unknown as JSONWebKeySet;
  const { payload, protectedHeader } = await jwtVerify(outcome[place].get('response') ?? '', createLocalJWKSet(keys), {
    issuer: description.issuer,
    audience: clientId,
    requiredClaims: ['exp'],
  });
  expect((payload.exp ?? 0) - Date.now() / 1_000).toBeLessThanOrEqual(600);
  return { payload, alg: protectedHeader.alg };
}

beforeAll(async () => {
  await world.start({ PLAIN_CODE_FLOW: 'refuse' });
});
afterAll(async () => {
  await world.stop();
});

describe('authorization responses as a JWT (JARM)', () => {
  it.each([
    ['j2 code', 'jwt', 'query'],
    ['code', 'query.jwt', 'query'],
    ['code', 'fragment.jwt', 'fragment'],
    ['code id_token', 'jwt', 'fragment'],
  ] as const)('%s with %s: a code that the token endpoint exchanges, in the %s', async (title, mode, place) => {
    const response_type = title.replace('j2 ', '');
    const jarm = await client(`Jarm${mode.replace('.', '')}${response_type.length}`);
    const { outcome, claims } = await world.authorise(jarm, { response_type, response_mode: mode });
    const { payload, alg } = await readResponse(jarm, outcome, place);
    expect(payload).toMatchObject({ state: claims['state'], code: expect.any(String) });
    expect([alg, 'id_token' in payload]).toEqual(['PS256', response_type === 'code id_token']);
    expect((await jarm.token(jarm.exchange(String(payload['code'])))).status).toBe(200);
  });

  it('signs with the algorithm that the client registered', async () => {
    const jarm = await client('JarmEs', { authorization_signed_response_alg: 'ES256' });
    const { outcome } = await world.authorise(jarm, { response_mode: 'jwt' });
    expect((await readResponse(jarm, outcome, 'fragment')).alg).toBe('ES256');
  });

  it('j3 the customer declines: access_denied as a JWT', async () => {
    const jarm = await client('JarmNo');
    const claims = await world.request(jarm, { response_type: 'code', response_mode: 'jwt' });
    const outcome = await world.decide(jarm.authorizationUrl(claims), 'decline');
    const { payload } = await readResponse(jarm, outcome, 'query');
    expect(payload).toMatchObject({ error: 'access_denied', state: claims['state'] });
    expect(payload).not.toHaveProperty('code');
  });

  it('a bad parameter in a signed request: the error as a JWT', async () => {
    const jarm = await client('JarmBad');
    const claims = await world.request(jarm, { response_mode: 'jwt', scope: 'openid unknown' });
    const { payload } = await readResponse(jarm, await jarm.authorize(claims), 'fragment');
    expect(payload).toMatchObject({ error: 'invalid_scope', state: claims['state'] });
  });
});

/**
 * Modules of fapi1-advanced-final-test-plan with fapi_response_mode=jarm: what is told to the client is told in a JWT.
 */
describe('the variant jarm of the FAPI 1.0 plan: response_type code with response_mode jwt', () => {
  let jarm: FapiClient;
  let other: FapiClient;
  let consentId: string;
  beforeAll(async () => {
    jarm = await client('JarmPlan', { authorization_signed_response_alg: 'PS256' });
    other = await world.client({ method: 'private_key_jwt', name: 'JarmPlanOther' });
    consentId = await world.stageIntent(jarm);
  });

  const aRequest = (difference: Difference = {}): Record<string, unknown> =>
    jarm.requestObject({
      claims: intentClaims(consentId),
      response_type: 'code',
      response_mode: 'jwt',
      ...difference,
    });
  const verifier = 'v'.repeat(43);
  const pkce = {
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  };

  it('j5 to j7, j18 a code, in a JWT, without state', async () => {
    const intent = { claims: intentClaims(await world.stageIntent(jarm)) };
    const request = aRequest({ ...intent, ...pkce, state: undefined, scope: 'payments openid' });
    const outcome = await world.decide(jarm.authorizationUrl(request, { query: { state: 'outside' } }), 'approve');
    const { payload } = await readResponse(jarm, outcome, 'query');
    expect(payload).not.toHaveProperty('state');
    expectOAuthError(await jarm.token(jarm.exchange(String(payload['code']))), 400, 'invalid_grant');
    const form = jarm.exchange(String(payload['code']), { code_verifier: verifier });
    expect((await jarm.token(form)).status).toBe(200);
  });

  it('j27, j28 signed with the key of another client: invalid_request_object, in a JWT', async () => {
    // By value the suite sends client_id and redirect_uri beside the request object.
    const options = {
      key: other.credentials.signingKey,
      query: { scope: undefined, response_type: undefined, state: 'outer' },
    };
    const { payload } = await readResponse(jarm, await jarm.authorize(aRequest(), options), 'query');
    expect(payload).toMatchObject({ error: 'invalid_request_object', state: 'outer' });
    expect(payload).not.toHaveProperty('code');
  });

  it.each<[string, Difference]>([
    ['j31 code without a JWT response mode', { response_mode: undefined }],
    ['j9 code with response_mode=query', { response_mode: 'query' }],
  ])('%s, with PKCE or not, by value or pushed: invalid_request, no code', async (_title, difference) => {
    for (const challenge of [{}, pkce]) {
      const request = aRequest({ ...difference, ...challenge });
      const { kind, query } = await jarm.authorize(request);
      expect([kind, query.get('error'), query.get('code')]).toEqual(['redirect', 'invalid_request', null]);
      const url = jarm.provider.token_endpoint.replace(/token$/, 'par');
      expectOAuthError(await jarm.token({ request: jarm.sign(request) }, { url }), 400, 'invalid_request');
    }
  });
});
