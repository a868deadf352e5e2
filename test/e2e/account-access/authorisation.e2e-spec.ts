import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expectEndPage } from '../../support/expectations.js';
import { FapiWorld } from '../authorization/fapi-world.js';
import { bob, alice, PageBrowser } from '../../support/page-browser.js';
import type { FapiClient } from '../../support/a-client.js';
import { agreeInPages, giveAccess, openConsent, requestFor, parseAccountValues } from './access-journey.js';
import { AccessClient, consents, versions, type Version } from './access-client.js';

const world = new FapiWorld();
let client: FapiClient;
const access = new Map<Version, AccessClient>();

beforeAll(async () => {
  await world.start({ ALLOW_AUTHORIZATION_WITHOUT_INTENT: 'false' });
  client = await world.client({
    method: 'private_key_jwt',
    name: 'Ledger',
    metadata: { grant_types: ['authorization_code', 'client_credentials', 'refresh_token'] },
  });
  for (const { version } of versions) access.set(version, await AccessClient.of(client, version));
});
afterAll(() => world.stop());

const pageFor = (consentId: string, who = alice) =>
  openConsent(client, client.authorizationUrl(requestFor(client, consentId)), who);
const agree = (consentId: string, accounts = 1) => giveAccess(client, consentId, { accounts });

const tokenRow = async (consentId: string) =>
  (
    await world.sandbox.database.query(
      `SELECT status, jsonb_array_length(accounts) AS accounts, psu_id IS NOT NULL AS is_owned FROM access_consents WHERE consent_id = $1`,
      [consentId],
    )
  ).rows[0];

const refresh = (token: unknown) => client.token({ grant_type: 'refresh_token', refresh_token: token });

const accessPage = () => `${new URL(client.provider.authorization_endpoint).origin}/approvals/access`;
const endPage = (consentId: string) => `${accessPage()}/end?grant=${consentId}`;

/** Alice has signed in to see the access that she has given. */
async function openAccess() {
  const browser = new PageBrowser(world.sandbox);
  const page = await browser.get(accessPage());
  await browser.submit(page, '/approvals/sign-in', { username: alice.username, password: alice.password });
  const asked = await browser.get(accessPage());
  await browser.submit(asked, '/approvals/second-factor', { one_time_code: alice.oneTimeCode });
  return { browser, page: await browser.get(accessPage()) };
}

/** Whether a token is good: userinfo takes it. */
async function isGood(token: unknown): Promise<boolean> {
  const origin = new URL(client.provider.token_endpoint).origin;
  const { httpsRequest } = await import('../../support/https-request.js');
  const headers = { authorization: `Bearer ${String(token)}` };
  return (await httpsRequest({ url: `${origin}/oauth2/userinfo`, headers, agent: client.agent })).status === 200;
}

describe.each(versions)(
  'the authorisation of account access of $version',
  ({ version, awaiting, authorised, rejected, revoked, withdrawn }) => {
    const own = () => access.get(version)!;

    it('AA-100 shows who asks, what may be read in plain words, until when, and the accounts to choose from (X-2, X-4, X-16, X-17)', async () => {
      const consentId = await own().stage({
        Permissions: [
          'ReadAccountsBasic',
          'ReadAccountsDetail',
          'ReadBalances',
          'ReadTransactionsBasic',
          'ReadTransactionsCredits',
        ],
        ExpirationDateTime: '2037-05-06T12:00:00+00:00',
        TransactionFromDateTime: '2030-01-02T12:00:00+00:00',
      });
      const { page } = await pageFor(consentId);
      expect(page.status).toBe(200);
      for (const words of [
        'Choose the accounts to share',
        'Your account name, number and sort-code',
        'Your Account Transactions',
        'Your account balance',
        'Your incoming transactions',
        '6 May 2037',
        'Transactions from 2 January 2030.',
      ]) {
        expect(page.html).toContain(words);
      }
      // The detail contains the basic data.
      expect(page.html).not.toContain('Any other name by which you refer');
      expect(parseAccountValues(page.html).length).toBeGreaterThan(1);
      expect(page.html).not.toMatch(/type="checkbox"[^>]* checked/);
      expect(await own().status(consentId)).toBe(awaiting);
    });

    it('AA-101 asks for at least one account, and for none that is not there', async () => {
      const consentId = await own().stage();
      const { browser, page } = await pageFor(consentId);
      for (const accounts of [[], ['UK.OBIE.IBAN:GB00XXXX']]) {
        const again = await browser.submit(page, '/consent', { accounts });
        expect(again.status).toBe(400);
        expect(/id="error-code">([^<]*)</.exec(again.html)?.[1]).toBe('AccountsMissing');
      }
      expect(await own().status(consentId)).toBe(awaiting);
    });

    it('AA-102 is bound to a challenge; then the consent is authorised for the accounts that were chosen', async () => {
      const consentId = await own().stage();
      const { browser, page } = await pageFor(consentId);
      const values = parseAccountValues(page.html);
      let asked = await browser.submit(page, '/consent', { accounts: values });
      expect(asked.html).toContain('id="one-time-code"');
      // What is authenticated: who, what, of which accounts and how long.
      for (const words of ['They can see:', 'Your account name, number and sort-code', 'This access has no end date']) {
        expect(asked.html).toContain(words);
      }
      // Nobody is asked to approve what they have chosen.
      expect(asked.html).toContain('<h1>Confirm it is you</h1>');
      expect(asked.html).toContain('<title>Confirm it is you – Sandbox Bank</title>');
      expect(asked.html).toContain('For these accounts:');
      expect(asked.html.replaceAll(/<[^>]+>/g, '')).toContain('Archer Payroll (ending 5678)');
      const single = await browser.submit(page, '/consent', { accounts: values.slice(0, 1) });
      expect(single.html).toContain('For this account:');
      asked = await browser.submit(page, '/consent', { accounts: values });
      expect(await own().status(consentId)).toBe(awaiting);
      const wrong = await browser.submit(asked, '/challenge', { one_time_code: '000000' });
      expect(wrong.status).toBe(400);
      expect(await own().status(consentId)).toBe(awaiting);
      const outcome = await browser.submit(wrong, '/challenge', { one_time_code: alice.oneTimeCode });
      expect(outcome.kind).toBe('redirect');
      expect(await own().status(consentId)).toBe(authorised);
      expect(await tokenRow(consentId)).toEqual({ status: 'Authorised', accounts: values.length, is_owned: true });
      const { rows } = await world.sandbox.database.query(
        `SELECT details -> 'accounts' AS accounts FROM audit_events WHERE action = 'consent.authorised' AND details ->> 'consentId' = $1`,
        [consentId],
      );
      // Under a key, so that nobody finds an account by trying all numbers.
      const digest = expect.stringMatching(/^sandbox:[0-9a-f]{64}$/);
      expect(rows).toEqual([{ accounts: values.map(() => digest) }]);
    });

    it('AA-103 gives tokens that are valid while the consent is: DELETE ends them', async () => {
      const consentId = await own().stage();
      const tokens = await agree(consentId);
      expect(tokens).toMatchObject({ scope: 'openid accounts', refresh_token: expect.any(String) });
      const renewed = (await refresh(tokens['refresh_token'])).json();
      expect([await isGood(tokens['access_token']), await isGood(renewed['access_token'])]).toEqual([true, true]);
      expect((await own().send('DELETE', `${consents}/${consentId}`)).status).toBe(204);
      expect(await own().status(consentId)).toBe(revoked);
      expect([await isGood(tokens['access_token']), await isGood(renewed['access_token'])]).toEqual([false, false]);
      expect((await refresh(tokens['refresh_token'])).status).toBe(400);
    });

    it('AA-104 refuses a code of a consent that was withdrawn meanwhile', async () => {
      const consentId = await own().stage();
      const { browser, page } = await pageFor(consentId);
      const asked = await browser.submit(page, '/consent', { accounts: parseAccountValues(page.html).slice(0, 1) });
      const outcome = await browser.submit(asked, '/challenge', { one_time_code: alice.oneTimeCode });
      await own().send('DELETE', `${consents}/${consentId}`);
      const response = await client.token(client.exchange(outcome.fragment.get('code') ?? ''));
      expect([response.status, response.json()['error']]).toEqual([400, 'invalid_grant']);
    });

    it('AA-114 is over on the page for the code when the app withdraws the consent meanwhile', async () => {
      const consentId = await own().stage();
      const { browser, page } = await pageFor(consentId);
      const asked = await browser.submit(page, '/consent', { accounts: parseAccountValues(page.html).slice(0, 1) });
      await own().send('DELETE', `${consents}/${consentId}`);
      const outcome = await browser.submit(asked, '/challenge', { one_time_code: alice.oneTimeCode });
      expectEndPage(outcome, client, { status: 409, error: 'invalid_request', state: expect.any(String) });
    });

    it('AA-105 rejects what the customer declines', async () => {
      const consentId = await own().stage();
      const { browser, page } = await pageFor(consentId);
      const outcome = await browser.submit(page, '/decline');
      expect(outcome.fragment.get('error')).toBe('access_denied');
      expect(await own().status(consentId)).toBe(rejected);
    });

    it('AA-106 may be given again by the same customer, for other accounts; a no leaves it as it is', async () => {
      const consentId = await own().stage();
      const first = await agree(consentId);
      const { browser, page } = await pageFor(consentId);
      expect(page.html).toMatch(/type="checkbox"[^>]* checked/);
      await browser.submit(page, '/decline');
      expect(await own().status(consentId)).toBe(authorised);
      expect(await tokenRow(consentId)).toMatchObject({ accounts: 1 });
      const second = await agree(consentId, 2);
      expect(await tokenRow(consentId)).toMatchObject({ accounts: 2 });
      expect([await isGood(first['access_token']), await isGood(second['access_token'])]).toEqual([true, true]);
    });

    it('AA-107 may be given again only by the same customer', async () => {
      const consentId = await own().stage();
      await agree(consentId);
      const { page } = await pageFor(consentId, bob);
      expectEndPage(page, client, { status: 409, error: 'invalid_request', state: expect.any(String) });
      expect(await tokenRow(consentId)).toMatchObject({ status: 'Authorised', accounts: 1 });
    });

    it('AA-109 is shown to its customer, who can end it (X-17, X-26, X-28)', async () => {
      const consentId = await own().stage({ ExpirationDateTime: '2037-05-06T12:00:00+00:00' });
      const tokens = await agree(consentId);
      const { browser, page } = await openAccess();
      const itemOf = ({ html }: { html: string }) =>
        html
          .split('<h2>')
          .find((part) => part.includes(`grant=${consentId}"`))
          ?.replaceAll(/<[^>]+>|\s+/g, ' ');
      expect(itemOf(page)).toMatch(
        /They can see: [^]* Your account balance [^]* Status *Active [^]*You agreed *\d+ \w+ \d{4} at [\d:]+ [^]*Last used *Never *Ends *6 May 2037/,
      );
      const accessToken = String(tokens['access_token']);
      expect((await own().send('GET', '/accounts', { accessToken })).status).toBe(200);
      expect(itemOf(await browser.get(accessPage()))).toMatch(/Last used *\d+ \w+ \d{4} *Ends/);
      const asked = await browser.get(endPage(consentId));
      expect(asked.html).toMatch(/can then no longer see:[^]*Your account balance/);
      expect(asked.html).toContain('Before you end it, contact <strong>');
      const ended = await browser.submit(asked, '/approvals/withdraw');
      expect(ended.html).toContain('You have ended the access of');
      expect(await own().status(consentId)).toBe(withdrawn);
      expect(await isGood(tokens['access_token'])).toBe(false);
      expect((await browser.get(accessPage())).html).not.toContain(`grant=${consentId}"`);
    });

    // Account and Transaction API Profile 4.0.1 and 3.1.10, Access Revocation and Consent Re-authentication.
    it('AA-112 may be given again by the customer who ended it; nothing that came of it before is good then (X-31, X-33)', async () => {
      const consentId = await own().stage();
      const before = await agree(consentId);
      const unused = await agreeInPages(client, client.authorizationUrl(requestFor(client, consentId)));
      const { browser } = await openAccess();
      await browser.submit(await browser.get(endPage(consentId)), '/approvals/withdraw');
      expect((await refresh(before['refresh_token'])).status).toBe(400);
      const { page } = await pageFor(consentId, bob);
      expect(page.html).not.toContain('name="accounts"');
      expect(await own().status(consentId)).toBe(withdrawn);

      const again = await agree(consentId, 2);
      expect(await own().status(consentId)).toBe(authorised);
      expect(await tokenRow(consentId)).toMatchObject({ status: 'Authorised', accounts: 2 });
      expect([await isGood(before['access_token']), await isGood(again['access_token'])]).toEqual([false, true]);
      expect((await refresh(before['refresh_token'])).status).toBe(400);
      expect((await client.token(client.exchange(unused.fragment.get('code') ?? ''))).status).toBe(400);
      expect((await refresh(again['refresh_token'])).status).toBe(200);

      await browser.submit(await browser.get(endPage(consentId)), '/approvals/withdraw');
      await own().send('DELETE', `${consents}/${consentId}`);
      expect(await own().status(consentId)).toBe(revoked);
      const refused = await client.authorize(requestFor(client, consentId));
      expect(refused.fragment.get('error')).toBe('invalid_request');
    });

    it('AA-113 to an account that pays with two approvers only is given by one of them: nothing is paid', async () => {
      const consentId = await own().stage();
      const { browser, page } = await pageFor(consentId, bob);
      const values = parseAccountValues(page.html);
      expect(page.html).toContain('Brown &amp; Clark Traders');
      const asked = await browser.submit(page, '/consent', { accounts: values });
      await browser.submit(asked, '/challenge', { one_time_code: bob.oneTimeCode });
      expect(await own().status(consentId)).toBe(authorised);
      expect(await tokenRow(consentId)).toMatchObject({ status: 'Authorised', accounts: values.length });
    });

    it('AA-110 ends when its time is over', async () => {
      const consentId = await own().stage({ ExpirationDateTime: '2037-05-06T12:00:00+00:00' });
      const tokens = await agree(consentId);
      await world.sandbox.database.query('UPDATE access_consents SET expires_at = $2 WHERE consent_id = $1', [
        consentId,
        new Date(Date.now() - 1_000),
      ]);
      expect(await isGood(tokens['access_token'])).toBe(false);
      expect((await refresh(tokens['refresh_token'])).status).toBe(400);
      expect(await own().status(consentId)).toBe(version === '3.1' ? 'Revoked' : 'EXPD');
    });
  },
);

it('AA-111 comes with no approval of a payment, whatever else its request asks for (RFC 6749 s3.3)', async () => {
  const { code } = await world.authorise(client, { scope: 'openid payments accounts fundsconfirmations' });
  const response = await client.token(client.exchange(code));
  expect([response.status, response.json()['scope']]).toEqual([200, 'openid payments']);
});
