import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PAYMENT_ACCOUNTS_MAX_COUNT } from '#libs/bank';
import { expectEndPage } from '../../support/expectations.js';
import type { FapiClient } from '../../support/a-client.js';
import { FapiWorld } from '../authorization/fapi-world.js';
import { alice, bob, dave } from '../../support/page-browser.js';
import { AccessClient } from './access-client.js';
import { giveAccess, openConsent, requestFor, parseAccountValues } from './access-journey.js';
import { openTestPool } from '../../support/open-test-pool.js';

const most = PAYMENT_ACCOUNTS_MAX_COUNT;
const world = new FapiWorld();
let client: FapiClient;
let access: AccessClient;

beforeAll(async () => {
  await world.start();
  client = await world.client({ method: 'tls_client_auth', name: 'Treasury' });
  access = await AccessClient.of(client, '4.0');
  const bank = openTestPool({ connectionString: world.sandbox.postgres.url('sandbox_bank'), max: 1 });
  await bank.query(
    `WITH alice AS (SELECT psu_id, count(*)::int AS owned FROM psus JOIN account_holders USING (psu_id)
                     WHERE username = 'alice' GROUP BY psu_id),
     more AS (
       INSERT INTO accounts (scheme_name, identification, name, balance_pence, approvals_required, is_blocked)
       SELECT 'UK.OBIE.SortCodeAccountNumber', '401010' || (10000000 + number)::text, 'Site ' || number, 100, 1, false
         FROM alice, generate_series(1, $1 - owned) AS number RETURNING scheme_name, identification)
     INSERT INTO account_holders (psu_id, position, scheme_name, identification)
     SELECT psu_id, 1000 + row_number() OVER (), scheme_name, identification FROM alice, more`,
    [most],
  );
  await bank.query("DELETE FROM account_holders WHERE psu_id = (SELECT psu_id FROM psus WHERE username = 'dave')");
  await bank.query("DELETE FROM account_holders WHERE identification = '20000155779911'");
  await bank.end();
});
afterAll(() => world.stop());

describe('a customer without an account', () => {
  it('is told that there is none to share, and returns to the TPP', async () => {
    const consentId = await access.stage();
    const { page } = await openConsent(client, client.authorizationUrl(requestFor(client, consentId)), dave);
    expectEndPage(page, client, { status: 403, error: 'access_denied', state: expect.any(String) });
    expect(page.html).toContain('You have no account to share');
    expect(page.html).not.toContain('payment');
    expect(await access.status(consentId)).toBe('RJCT');
  });
});

describe('a customer with one account', () => {
  it('does not choose: the page names it, and it is checked', async () => {
    const url = client.authorizationUrl(requestFor(client, await access.stage()));
    const { page } = await openConsent(client, url, bob);
    expect(page.html).toContain('<title>Check the account to share – Sandbox Bank</title>');
    expect(page.html).toContain('<h1>Check the account to share</h1>');
    expect(page.html).toContain('<legend><h2>The account</h2></legend>');
    expect(page.html).toMatch(/<input type="checkbox"[^>]* checked>/);
  });
});

describe('a customer with as many accounts as a bank may name', () => {
  it('gives access to all of them', async () => {
    const consentId = await access.stage();
    await giveAccess(client, consentId, { accounts: most });
    const { rows } = await world.sandbox.database.query(
      'SELECT status, jsonb_array_length(accounts) AS accounts FROM access_consents WHERE consent_id = $1',
      [consentId],
    );
    expect(rows).toEqual([{ status: 'Authorised', accounts: most }]);
  });

  it('cannot send more accounts than the form has', async () => {
    const { browser, page } = await openConsent(
      client,
      client.authorizationUrl(requestFor(client, await access.stage())),
      alice,
    );
    const values = parseAccountValues(page.html);
    expect(values).toHaveLength(most);
    for (const accounts of [[...values, ...values.slice(0, 50)], [...values, ...values].map(() => 'x')]) {
      const refused = await browser.submit(page, '/consent', { accounts });
      expect([400, 413]).toContain(refused.status);
      expect(refused.html).toContain('id="error-code"');
    }
    const accepted = await browser.submit(page, '/consent', { accounts: values });
    expect(accepted.html).toContain('id="one-time-code"');
  });
});
