import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLocalJWKSet, jwtVerify, type JSONWebKeySet, type JWTPayload } from 'jose';
import { httpsRequest } from '../../support/https-request.js';
import type { AuthorizationOutcome, FapiClient } from './fapi-client.js';
import { alice, FapiWorld, PageBrowser } from './fapi-world.js';

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
    ['code', 'jwt', 'query'],
    ['code', 'query.jwt', 'query'],
    ['code', 'fragment.jwt', 'fragment'],
    ['code id_token', 'jwt', 'fragment'],
  ] as const)('%s with %s: a code that the token endpoint exchanges, in the %s', async (response_type, mode, place) => {
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

  it('refuses to register an algorithm that the bank does not sign with', async () => {
    await expect(client('JarmRs', { authorization_signed_response_alg: 'RS256' })).rejects.toThrow(
      'authorization_signed_response_alg',
    );
  });

  it('the customer declines: access_denied as a JWT', async () => {
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

  it('a request object that nobody signed: a page, as nobody knows who wants a JWT', async () => {
    const jarm = await client('JarmForged');
    const other = await world.client({ method: 'private_key_jwt', name: 'JarmOther' });
    const claims = await world.request(jarm, { response_mode: 'jwt' });
    const outcome = await jarm.authorize(claims, { key: other.credentials.signingKey });
    expect([outcome.kind, outcome.status]).toEqual(['page', 400]);
    expect(outcome.html).toContain('invalid_request_object');
  });

  it('two clicks on the last button lead to the same code', async () => {
    const jarm = await client('JarmTwice');
    const claims = await world.request(jarm, { response_mode: 'jwt' });
    const browser = new PageBrowser(world.sandbox);
    const start = await browser.get(jarm.authorizationUrl(claims));
    const page = await browser.submit(start, '/sign-in', { username: alice.username, password: alice.password });
    const account = /name="debtor_account"[^>]* value="([^"]+)"/.exec(page.html)?.[1] ?? '';
    const asked = await browser.submit(page, '/consent', { debtor_account: account });
    const codes: unknown[] = [];
    for (let click = 0; click < 2; click += 1) {
      const outcome = await browser.submit(asked, '/challenge', { one_time_code: alice.oneTimeCode });
      codes.push((await readResponse(jarm, outcome, 'fragment')).payload['code']);
    }
    expect(codes[0]).toBe(codes[1]);
  });
});
