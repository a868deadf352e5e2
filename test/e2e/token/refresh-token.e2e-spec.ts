import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { hashToken } from '#libs/oauth';
import { expectOAuthError, expectUnguessable } from '../../support/expectations.js';
import { httpsRequest, openConnections, type TestResponse } from '../../support/https-request.js';
import type { Difference, FapiClient } from '../../support/a-client.js';
import { FapiWorld } from '../authorization/fapi-world.js';

const world = new FapiWorld();
let metadata: Record<string, unknown>;
beforeAll(async () => {
  // These are the rules of rotation; without it a token stays good: see lasting-access.e2e-spec.ts.
  await world.start({ REFRESH_TOKEN_ROTATION: 'always' });
  const { agent, description } = world.sandbox;
  metadata = (await httpsRequest({ url: description.discovery_uri, agent })).json();
});
afterAll(() => world.stop());

const grants = { grant_types: ['authorization_code', 'client_credentials', 'refresh_token'] };
const scope = 'openid accounts fundsconfirmations';

/** The customer approves what lasts, and the client exchanges the code. */
async function exchange(client: FapiClient, difference: Difference = {}): Promise<Record<string, unknown>> {
  const claims = client.requestObject({ scope, ...difference });
  const outcome = await world.decide(client.authorizationUrl(claims), 'approve');
  const response = await client.token(client.exchange(outcome.fragment.get('code') ?? ''));
  expect(response.status).toBe(200);
  return response.json();
}

const refresh = (client: FapiClient, token: unknown, form: Difference = {}): Promise<TestResponse> =>
  client.token({ grant_type: 'refresh_token', refresh_token: token, ...form });

/** Whether an access token is good: userinfo takes it. */
async function isGood(client: FapiClient, token: unknown): Promise<boolean> {
  const url = String(metadata['userinfo_endpoint']);
  const headers = { authorization: `Bearer ${String(token)}` };
  return (await httpsRequest({ url, headers, agent: client.agent })).status === 200;
}

describe('45 refresh tokens', () => {
  const method = 'private_key_jwt';
  let client: FapiClient;
  let other: FapiClient;
  beforeAll(async () => {
    client = await world.client({ method, metadata: grants });
    other = await world.client({ method, isSecond: true, metadata: grants });
  });

  it('discovery lists the grant, and the token response has one', async () => {
    expect(metadata['grant_types_supported']).toContain('refresh_token');
    expectUnguessable((await exchange(client))['refresh_token']);
  });

  it.each([undefined, 'openid accounts'])('a refresh with scope %s: new tokens, never cached', async (requested) => {
    const first = await exchange(client);
    const response = await refresh(client, first['refresh_token'], { scope: requested });
    expect(response.status).toBe(200);
    expect(response.headers).toMatchObject({ 'content-type': 'application/json', 'cache-control': 'no-store' });
    const next = response.json();
    expect(next).toEqual({
      token_type: 'bearer',
      access_token: expect.any(String),
      refresh_token: expect.any(String),
      expires_in: expect.any(Number),
      scope: requested ?? scope,
      consented_on: first['consented_on'],
    });
    for (const name of ['access_token', 'refresh_token']) {
      expectUnguessable(next[name]);
      expect(next[name]).not.toBe(first[name]);
    }
    expect(await isGood(client, next['access_token'])).toBe(true);
    expect(await isGood(other, next['access_token'])).toBe(false);
    // What was narrowed once is available in full the next time (RFC 6749 s6).
    const again = await refresh(client, next['refresh_token']);
    expect(again.json()['scope']).toBe(scope);
  });

  it('without a certificate, or over another one: refused', async () => {
    const { refresh_token: token } = await exchange(client);
    const form = { grant_type: 'refresh_token', refresh_token: token };
    expectOAuthError(await client.token(form, { agent: other.agent }), 401, 'invalid_client');
    const outcome = await client.token(form, { agent: world.sandbox.agent }).catch(() => undefined);
    if (outcome !== undefined) expectOAuthError(outcome, 401, 'invalid_client');
  });

  it('100 parallel uses: at most one succeeds, and then the grant has ended (CVE-2026-1035)', async () => {
    const { refresh_token: token } = await exchange(client);
    await openConnections(client.agent, client.provider.token_endpoint, 100);
    const responses = await Promise.all(Array.from({ length: 100 }, () => refresh(client, token)));
    const won = responses.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    for (const response of responses.filter(({ status }) => status !== 200))
      expectOAuthError(response, 400, 'invalid_grant');
    const body = won[0]?.json() ?? {};
    expectOAuthError(await refresh(client, body['refresh_token']), 400, 'invalid_grant');
    expect(await isGood(client, body['access_token'])).toBe(false);
  });

  it('is in no table', async () => {
    const { refresh_token: token } = await exchange(client);
    const { rows } = await world.sandbox.database.query('SELECT t::text AS row FROM refresh_tokens AS t');
    expect(JSON.stringify(rows)).not.toContain(String(token));
    const hash = hashToken(String(token)).toString('hex');
    expect(JSON.stringify(rows)).toContain(hash);
  });
});

describe('one kind of secret is not another kind (CVE-2026-4282)', () => {
  it('neither a code, an access token nor a refresh token is accepted as another, and each stays valid', async () => {
    const client = await world.client({ method: 'tls_client_auth', name: 'Kinds', metadata: grants });
    const tokens = await exchange(client);
    const claims = client.requestObject({ scope });
    const outcome = await world.decide(client.authorizationUrl(claims), 'approve');
    const code = outcome.fragment.get('code') ?? '';
    const { access_token: accessToken, refresh_token: refreshToken } = tokens;
    for (const secret of [code, accessToken]) expectOAuthError(await refresh(client, secret), 400, 'invalid_grant');
    for (const secret of [accessToken, refreshToken]) {
      expectOAuthError(await client.token(client.exchange(String(secret))), 400, 'invalid_grant');
    }
    for (const secret of [code, refreshToken]) expect(await isGood(client, secret)).toBe(false);
    expect(await isGood(client, accessToken)).toBe(true);
    expect((await client.token(client.exchange(code))).status).toBe(200);
    expect((await refresh(client, refreshToken)).status).toBe(200);
  });
});

describe('where no refresh token is issued', () => {
  it('for payments: a consent for a file is spent once', async () => {
    const client = await world.client({ method: 'tls_client_auth', name: 'Payer', metadata: grants });
    const { code } = await world.authorise(client);
    expect((await client.token(client.exchange(code))).json()).not.toHaveProperty('refresh_token');
  });

  it('for a client that did not register the grant, which may not use it either', async () => {
    const client = await world.client({ method: 'tls_client_auth', name: 'Unregistered' });
    expect(await exchange(client)).not.toHaveProperty('refresh_token');
    expectOAuthError(await refresh(client, 'x'), 400, 'unauthorized_client');
  });
});
