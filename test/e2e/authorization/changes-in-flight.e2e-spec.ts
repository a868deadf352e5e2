import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expectOAuthError, expectEndPage, expectErrorPage } from '../../support/expectations.js';
import type { TestResponse } from '../../support/https-request.js';
import { pkce, type Difference, type FapiClient } from '../../support/a-client.js';
import { openAuthorization, alice, PageBrowser } from '../../support/page-browser.js';
import { FapiWorld } from './fapi-world.js';

const world = new FapiWorld();
beforeAll(() => world.start());
afterAll(() => world.stop());

let count = 0;

/** A separate client of FAPI 2.0, because what is changed here is changed for good. */
function aClient(): Promise<FapiClient> {
  count += 1;
  const grants = ['authorization_code', 'client_credentials', 'refresh_token'];
  const metadata = { fapi_profile: 'fapi2-security', response_types: ['code'], grant_types: grants };
  return world.client({ method: 'private_key_jwt', name: `Inflight${count}`, metadata });
}

const authentication = (client: FapiClient) => ({ form: client.assertion({ aud: client.provider.issuer }) });

function push(client: FapiClient, difference: Difference = {}): Promise<TestResponse> {
  const form = {
    client_id: client.clientId,
    redirect_uri: client.redirectUri,
    response_type: 'code',
    scope: 'openid accounts',
    ...pkce,
    ...difference,
  };
  const url = client.provider.token_endpoint.replace(/token$/, 'par');
  return client.token(form, { url, authentication: authentication(client) });
}

async function pushed(client: FapiClient): Promise<string> {
  const response = await push(client);
  expect(response.status).toBe(201);
  const url = new URL(client.provider.authorization_endpoint);
  url.searchParams.set('client_id', client.clientId);
  url.searchParams.set('request_uri', String(response.json()['request_uri']));
  return url.href;
}

const change = (client: FapiClient, assignments: string): Promise<unknown> =>
  world.sandbox.database.query(`UPDATE clients SET ${assignments} WHERE client_id = $1`, [client.clientId]);

describe('a client that changes between two steps', () => {
  it('moved to Message Signing after it pushed plain parameters: they no longer count', async () => {
    const client = await aClient();
    const url = await pushed(client);
    await change(client, `fapi_profile = 'fapi2-message-signing'`);
    // No valid parameter says where an error may go.
    expectErrorPage(await openAuthorization(world.sandbox.agent, url), 'invalid_request');
    expectOAuthError(await push(client), 400, 'invalid_request');
  });

  it.each<[string, '/consent' | '/challenge']>([
    ['reads', '/consent'],
    ['types the code', '/challenge'],
  ])(
    'moved to FAPI 2.0 while the customer of a hybrid request %s: no code, and the app may ask again',
    async (_, at) => {
      const client = await world.client({ method: 'private_key_jwt', name: `Hybrid${(count += 1)}` });
      const claims = await world.request(client);
      const browser = new PageBrowser(world.sandbox);
      const { username, password, oneTimeCode } = alice;
      let page = await browser.get(client.authorizationUrl(claims));
      page = await browser.submit(page, '/sign-in', { username, password });
      const account = /name="debtor_account"[^>]* value="([^"]+)"/.exec(page.html)?.[1] ?? '';
      const answers = {
        '/consent': { debtor_account: account },
        '/challenge': { one_time_code: oneTimeCode },
      } as const;
      if (at === '/challenge') page = await browser.submit(page, '/consent', answers['/consent']);
      await change(client, `fapi_profile = 'fapi2-security'`);
      const outcome = await browser.submit(page, at, answers[at]);
      expectEndPage(outcome, client, { status: 409, error: 'invalid_request', state: claims['state'] });
      expect(outcome.html).toContain('The rules for this app or website have changed');
      const { rows } = await world.sandbox.database.query<{ status: string; codes: string }>(
        `SELECT status, (SELECT count(*) FROM authorization_codes WHERE client_id = $1) AS codes
       FROM payment_consents WHERE client_id = $1`,
        [client.clientId],
      );
      expect(rows).toEqual([{ status: 'AwaitingAuthorisation', codes: '0' }]);
    },
  );

  it('moved to FAPI 2.0 after the approval: a click after it gets no hybrid answer', async () => {
    const client = await world.client({ method: 'private_key_jwt', name: `Hybrid${(count += 1)}` });
    const browser = new PageBrowser(world.sandbox);
    const page = await browser.get(client.authorizationUrl(await world.request(client)));
    const signedIn = await browser.submit(page, '/sign-in', { username: alice.username, password: alice.password });
    const account = /name="debtor_account"[^>]* value="([^"]+)"/.exec(signedIn.html)?.[1] ?? '';
    const asked = await browser.submit(signedIn, '/consent', { debtor_account: account });
    const code = { one_time_code: alice.oneTimeCode };
    const [first, second] = [
      await browser.submit(asked, '/challenge', code),
      await browser.submit(asked, '/challenge', code),
    ];
    expect(first.fragment.get('code')).toMatch(/^.{43}$/);
    expect(second.fragment.get('code')).toBe(first.fragment.get('code'));
    await change(client, `fapi_profile = 'fapi2-security'`);
    const again = await browser.submit(asked, '/challenge', code);
    expect([again.kind, again.status, again.html.includes('#code=')]).toEqual(['page', 200, false]);
  });
});
