import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { runSandboxCommand } from '../../support/apps/commands.js';
import { expectOAuthError, until } from '../../support/expectations.js';
import { httpsRequest, type TestResponse } from '../../support/https-request.js';
import type { Difference, FapiClient } from '../../support/a-client.js';
import { FapiWorld } from '../authorization/fapi-world.js';
import { PageBrowser, signIn } from '../../support/page-browser.js';
import { openTestPool } from '../../support/open-test-pool.js';

const metadata = { grant_types: ['authorization_code', 'client_credentials', 'refresh_token'] };
const scope = 'openid fundsconfirmations';

/** Worlds whose bank is asked in different ways; token-endpoint.e2e-spec.ts has one whose bank is not asked. */
const hard = new FapiWorld();
const soft = new FapiWorld();
beforeAll(async () => {
  await hard.start();
  await soft.start({ CUSTOMER_STATE_CHECK: 'soft' });
});
afterAll(() => Promise.all([hard.stop(), soft.stop()]));

async function aCode(world: FapiWorld, client: FapiClient): Promise<string> {
  const outcome = await world.decide(client.authorizationUrl(client.requestObject({ scope })), 'approve');
  return outcome.fragment.get('code') ?? '';
}

const exchange = (client: FapiClient, code: string): Promise<TestResponse> => client.token(client.exchange(code));
const refresh = (client: FapiClient, token: unknown, form: Difference = {}): Promise<TestResponse> =>
  client.token({ grant_type: 'refresh_token', refresh_token: token, ...form });

async function isGood(client: FapiClient, token: unknown): Promise<boolean> {
  const url = client.provider.token_endpoint.replace(/token$/, 'userinfo');
  const headers = { authorization: `Bearer ${String(token)}` };
  return (await httpsRequest({ url, headers, agent: client.agent })).status === 200;
}

const alice = (world: FapiWorld, state: 'active' | 'locked' | 'closed'): Promise<string> =>
  runSandboxCommand(world.sandbox.directory, ['customer', 'alice', state]);

/** The bank answers 500 to the question, and to nothing else, while this runs. */
async function whileBankCannotSay<T>(world: FapiWorld, run: () => Promise<T>): Promise<T> {
  const bank = openTestPool({ connectionString: world.sandbox.postgres.url('sandbox_bank'), max: 1 });
  await bank.query('ALTER TABLE psus RENAME COLUMN state TO gone');
  try {
    return await run();
  } finally {
    await bank.query('ALTER TABLE psus RENAME COLUMN gone TO state');
    await bank.end();
  }
}

const auditOf = async (world: FapiWorld, client: FapiClient, action: string): Promise<{ details: object }[]> =>
  (
    await world.sandbox.database.query('SELECT details FROM audit_events WHERE client_id = $1 AND action = $2', [
      client.clientId,
      action,
    ])
  ).rows;

describe('customers', () => {
  let client: FapiClient;
  beforeAll(async () => (client = await hard.client({ method: 'private_key_jwt', name: 'Standing', metadata })));
  beforeEach(() => alice(hard, 'active'));

  it('whom the bank has locked: code and refresh token are refused, and good again when the lock ends', async () => {
    const first = (await exchange(client, await aCode(hard, client))).json();
    const code = await aCode(hard, client);
    await alice(hard, 'locked');
    expectOAuthError(await exchange(client, code), 400, 'invalid_grant');
    expectOAuthError(await refresh(client, first['refresh_token']), 400, 'invalid_grant');
    await until(async () => (await auditOf(hard, client, 'psu.locked')).length > 0);
    await alice(hard, 'active');
    expect((await exchange(client, code)).status).toBe(200);
    expect((await refresh(client, first['refresh_token'])).status).toBe(200);
  });

  it('whom the bank has closed: refresh token and access tokens of the approval have ended for good', async () => {
    const first = (await exchange(client, await aCode(hard, client))).json();
    expect(await isGood(client, first['access_token'])).toBe(true);
    await alice(hard, 'closed');
    expectOAuthError(await refresh(client, first['refresh_token']), 400, 'invalid_grant');
    await alice(hard, 'active');
    expectOAuthError(await refresh(client, first['refresh_token']), 400, 'invalid_grant');
    expect(await isGood(client, first['access_token'])).toBe(false);
    expect(await auditOf(hard, client, 'psu.closed')).toEqual([{ details: { psuId: expect.any(String) } }]);
    expect(await auditOf(hard, client, 'refresh-grant.revoke')).toHaveLength(1);
  });

  it('whom the bank has closed: a code gives nothing, now and later', async () => {
    const code = await aCode(hard, client);
    await alice(hard, 'closed');
    expectOAuthError(await exchange(client, code), 400, 'invalid_grant');
    await alice(hard, 'active');
    expectOAuthError(await exchange(client, code), 400, 'invalid_grant');
  });

  it('of whom the bank cannot say: 503, nothing is used up, and the same code is good afterwards', async () => {
    const code = await aCode(hard, client);
    await whileBankCannotSay(hard, async () => {
      const response = await exchange(client, code);
      expectOAuthError(response, 503, 'temporarily_unavailable');
      expect(response.headers['retry-after']).toBe('5');
    });
    expect((await exchange(client, code)).status).toBe(200);
  });

  it('does not concern the client’s own tokens: the bank is not asked', async () => {
    await whileBankCannotSay(hard, async () => {
      const response = await client.token({ grant_type: 'client_credentials', scope: 'payments' });
      expect(response.status).toBe(200);
    });
  });
});

it('a closed customer cannot sign in, and a locked one neither', async () => {
  const client = await hard.client({ method: 'tls_client_auth', name: 'Doors', metadata });
  for (const state of ['locked', 'closed'] as const) {
    await alice(hard, state);
    const url = client.authorizationUrl(client.requestObject({ scope }));
    const browser = new PageBrowser(hard.sandbox);
    const page = await signIn(browser, await browser.get(url));
    expect(page.kind).toBe('page');
    expect(page.html).not.toContain('action="/consent"');
  }
  await alice(hard, 'active');
});

describe('CUSTOMER_STATE_CHECK', () => {
  it('soft: continues without an answer, and records that in the audit trail; a lock is still enforced', async () => {
    const client = await soft.client({ method: 'private_key_jwt', metadata });
    const [code, later] = [await aCode(soft, client), await aCode(soft, client)];
    await whileBankCannotSay(soft, async () => expect((await exchange(client, code)).status).toBe(200));
    await until(async () => (await auditOf(soft, client, 'psu.state-unknown')).length > 0);
    await alice(soft, 'locked');
    expectOAuthError(await exchange(client, later), 400, 'invalid_grant');
  });
});
