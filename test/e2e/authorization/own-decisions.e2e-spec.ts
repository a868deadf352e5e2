import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eraseCustomerData } from '#libs/payment-order';
import type { StatementRunner } from '#libs/persistence';
import { aPaymentFile } from '../../support/a-payment-file.js';
import { AccessClient } from '../account-access/access-client.js';
import { parseAccountValues } from '../account-access/access-journey.js';
import { FundsClient } from '../funds-confirmation/funds-client.js';
import type { FapiClient } from '../../support/a-client.js';
import { FapiWorld, intentClaims } from './fapi-world.js';
import { alice, approveInPages, PageBrowser } from '../../support/page-browser.js';
import { aSharedPayment } from './staged-journeys.js';

const world = new FapiWorld();
let client: FapiClient;
beforeAll(async () => {
  await world.start();
  client = await world.client({ method: 'private_key_jwt', name: 'Payroll' });
});
afterAll(() => world.stop());

/** A customer who is sent here with a consent, and has signed in. */
async function reading(consentId: string, scope?: string) {
  const browser = new PageBrowser(world.sandbox);
  const request = client.requestObject({ claims: intentClaims(consentId), ...(scope && { scope }) });
  const start = await browser.get(client.authorizationUrl(request));
  const { username, password } = alice;
  return { browser, page: await browser.submit(start, '/sign-in', { username, password }) };
}

const aFile = async (payments: number) => (await world.asTpp(client)).stageFile(aPaymentFile({ payments }));

/** What somebody reads at /approvals/decided, one text for each decision. */
async function decidedBy(
  who: { username: string; password: string; oneTimeCode: string },
  language = 'en',
): Promise<string[]> {
  const browser = new PageBrowser(world.sandbox);
  const origin = new URL(client.provider.authorization_endpoint).origin;
  const half = await browser.submit(await browser.get(`${origin}/approvals`), '/approvals/sign-in', who);
  await browser.submit(half, '/approvals/second-factor', { one_time_code: who.oneTimeCode });
  const { html } = await browser.get(`${origin}/approvals/decided?language=${language}`);
  const list = /<ul class="cards" id="decided">([^]*)<form/.exec(html)?.[1] ?? '';
  const items = list.split(/<li>(?=<(?:a|span|strong) class="card")/).slice(1);
  return items.map((item) =>
    item
      .replaceAll(/<\/?(?:bdi|span)[^>]*>/g, '')
      .replaceAll(/<[^>]+>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  );
}

describe('what a customer has decided alone', () => {
  it('is shown to them, with the time and with why they declined, the latest first', async () => {
    const approved = await reading(await aFile(1));
    await approveInPages(approved.browser, approved.page, alice);
    const declined = await reading(await aFile(2));
    await declined.browser.submit(declined.page, '/decline', { decline_reason: 'NotRecognised' });
    const access = await AccessClient.of(client, '4.0');
    const terms = { Permissions: ['ReadAccountsBasic'] };
    const refused = await reading(await access.stage(terms), 'openid accounts');
    await refused.browser.submit(refused.page, '/decline', { decline_reason: 'SuspectedFraud' });
    const silent = await reading(await aFile(3));
    await silent.browser.submit(silent.page, '/decline');
    // Whoever leaves before signing in has decided nothing.
    const stranger = new PageBrowser(world.sandbox);
    const request = client.requestObject({ claims: intentClaims(await aFile(4)) });
    await stranger.submit(await stranger.get(client.authorizationUrl(request)), '/decline');

    const agreed = await reading(await access.stage(terms), 'openid accounts');
    const chosen = parseAccountValues(agreed.page.html).slice(0, 2);
    const asking = await agreed.browser.submit(agreed.page, '/consent', { accounts: chosen });
    await agreed.browser.submit(asking, '/challenge', { one_time_code: alice.oneTimeCode });
    const funds = await FundsClient.of(client, '4.0', 'fundsconfirmations');
    const confirmed = await funds.pageFor(await funds.stage(), alice);
    await approveInPages(confirmed.browser, confirmed.page, alice);

    const items = (await decidedBy(alice)).map((item) => item.replace(/\d+ \w+ \d{4} at \d\d:\d\d/, 'NOW'));
    const asked = 'Requested by Payroll rsa one';
    const account = 'Archer Payroll 20-00-01 12345678';
    expect(items).toEqual([
      `Let Payroll rsa one check that money is available For this account: ${account} You approved this on NOW.`,
      `Let Payroll rsa one see your account information For these accounts: ${account} Archer Suppliers 20-00-01 87654321 You approved this on NOW.`,
      `£31.50 in 3 payments ${asked} You declined this on NOW.`,
      `Let Payroll rsa one see your account information You declined this on NOW. Your reason: I think this is fraud.`,
      `£21.00 in 2 payments ${asked} You declined this on NOW. Your reason: I do not recognise this.`,
      `£10.50 to A Supplier Ltd ${asked}, from Archer Payroll You approved this on NOW.`,
    ]);
    expect((await decidedBy(alice, 'cy')).slice(0, 2)).toEqual([
      expect.stringMatching(
        /^Caniatáu i Payroll rsa one wirio bod arian ar gael Ar gyfer y cyfrif hwn: Archer Payroll 20-00-01/,
      ),
      expect.stringMatching(
        /^Caniatáu i Payroll rsa one weld gwybodaeth eich cyfrifon Ar gyfer y cyfrifon hyn: Archer Payroll/,
      ),
    ]);
  });

  it('is shown to nobody else; the reason for declining on a shared account, only to its author', async () => {
    const [bob, carol] = ['bob', 'carol'].map((name, place) => ({
      username: name,
      password: `${name}-password`,
      oneTimeCode: String(place + 2).repeat(6),
    })) as [typeof alice, typeof alice];
    const filePaymentId = await aSharedPayment(world, client);
    const browser = new PageBrowser(world.sandbox);
    const origin = new URL(client.provider.authorization_endpoint).origin;
    const half = await browser.submit(await browser.get(`${origin}/approvals`), '/approvals/sign-in', carol);
    await browser.submit(half, '/approvals/second-factor', { one_time_code: carol.oneTimeCode });
    const page = await browser.get(`${origin}/approvals/payment?file_payment=${filePaymentId}`);
    await browser.submit(page, '/approvals/decline', { decline_reason: 'WrongDetails' });

    const [ofBob, ofCarol] = [await decidedBy(bob), await decidedBy(carol)];
    expect(ofBob).toEqual([
      expect.stringMatching(/You approved this on [^.]+\. Carol Clark declined this on [^.]+\. Nothing will be paid/),
    ]);
    expect(ofCarol).toEqual([
      expect.stringMatching(/Bob Brown approved this on [^.]+\. You declined this on [^.]+\. Your reason: Some of the/),
    ]);
  });

  it('is shown without its payee once the data of customers is erased', async () => {
    const consentId = await aFile(1);
    const { browser, page } = await reading(consentId);
    await browser.submit(page, '/decline');
    const [latest] = await decidedBy(alice);
    expect(latest).toMatch(/^£10.50 to A Supplier Ltd Requested by Payroll/);

    const { database } = world.sandbox;
    const runner = { query: (_name: string, sql: string, values: unknown[]) => database.query(sql, values) };
    expect(await eraseCustomerData(runner as StatementRunner, { consentId, now: new Date() })).toBe(true);
    const [erased] = await decidedBy(alice);
    expect(erased).toBe(latest?.replace(' to A Supplier Ltd', ''));
  });

  it('is shown whole, however many requests for access they declined before', async () => {
    const before = await decidedBy(alice);
    await world.sandbox.database.query(`
      INSERT INTO access_consents SELECT (jsonb_populate_record(declined, jsonb_build_object(
        'consent_id', gen_random_uuid(), 'status_updated_at', status_updated_at - interval '1 day'))).*
      FROM access_consents AS declined, generate_series(1, 101) WHERE status = 'Rejected' AND psu_id IS NOT NULL`);
    expect((await decidedBy(alice)).slice(0, before.length)).toEqual(before);
  });

  it('is shown by when they decided, however many payments others must approve too, or were asked for later', async () => {
    const [early, late] = [await reading(await aFile(1)), await reading(await aFile(2))];
    await late.browser.submit(late.page, '/decline');
    await early.browser.submit(early.page, '/decline');
    const [first, second, ...before] = await decidedBy(alice);
    expect([first, second]).toEqual([expect.stringMatching(/^£10.50/), expect.stringMatching(/^£21.00/)]);
    await aSharedPayment(world, client);
    await world.sandbox.database.query(`
      WITH shared AS (
        SELECT consent, payment, gen_random_uuid() AS consent_id, gen_random_uuid() AS payment_order_id, (
          SELECT psu_id FROM payment_consents WHERE status = 'Rejected' AND psu_id IS NOT NULL LIMIT 1) AS psu_id
        FROM payment_consents AS consent JOIN payment_orders AS payment USING (consent_id), generate_series(1, 51)
        WHERE payment.approvals_required > 1),
      consents AS (
        INSERT INTO payment_consents SELECT (jsonb_populate_record(consent, jsonb_build_object(
          'consent_id', consent_id, 'psu_id', psu_id, 'created_at', now()))).* FROM shared),
      orders AS (
        INSERT INTO payment_orders SELECT (jsonb_populate_record(payment, jsonb_build_object(
          'consent_id', consent_id, 'payment_order_id', payment_order_id))).* FROM shared)
      INSERT INTO payments SELECT (jsonb_populate_record(listed, jsonb_build_object(
        'payment_id', gen_random_uuid(), 'payment_order_id', shared.payment_order_id))).*
      FROM shared JOIN payments AS listed ON listed.payment_order_id = (payment).payment_order_id`);
    expect((await decidedBy(alice)).filter((item) => !item.includes('Bob'))).toEqual([first, second, ...before]);
  });
});
