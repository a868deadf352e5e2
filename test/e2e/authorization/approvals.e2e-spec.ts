import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { hashToken } from '#libs/oauth';
import { aPaymentFile } from '../../support/a-payment-file.js';
import type { TestTpp } from '../../support/a-tpp.js';
import { until, expectErrorPage } from '../../support/expectations.js';
import type { FapiClient } from '../../support/a-client.js';
import {
  alice,
  bob,
  carol,
  dave,
  type AuthorizationOutcome,
  hiddenFieldsOf,
  PageBrowser,
} from '../../support/page-browser.js';
import { FapiWorld } from './fapi-world.js';
import { aSharedPayment } from './staged-journeys.js';
import { openTestPool } from '../../support/open-test-pool.js';

const world = new FapiWorld();
let client: FapiClient;
let tpp: TestTpp;
beforeAll(async () => {
  await world.start();
  client = await world.client({ method: 'tls_client_auth', name: 'Traders' });
  tpp = await world.asTpp(client);
});
afterAll(() => world.stop());

const people = { alice, bob, carol, dave };
const traders = 'UK.OBIE.SortCodeAccountNumber:20000155779911';
const origin = (): string => new URL(client.provider.authorization_endpoint).origin;

/** A file payment of the account of bob and carol, approved by bob. */
const aPayment = (): Promise<string> => aSharedPayment(world, client, aPaymentFile({ payments: 3 }));

async function read(filePaymentId: string): Promise<Record<string, unknown>> {
  return (await tpp.get(`/file-payments/${filePaymentId}`)).json()['Data'] as Record<string, unknown>;
}

async function readItems(filePaymentId: string): Promise<Record<string, unknown>[]> {
  const { Data } = (await tpp.get(`/file-payments/${filePaymentId}/report-file`)).json() as {
    Data: { DomesticPayments: Record<string, unknown>[] };
  };
  return Data.DomesticPayments;
}

async function signedIn(who: keyof typeof people): Promise<{ browser: PageBrowser; list: AuthorizationOutcome }> {
  const browser = new PageBrowser(world.sandbox);
  let page = await browser.get(`${origin()}/approvals`);
  expect(page.html).toContain('id="sign-in"');
  page = await browser.submit(page, '/approvals/sign-in', people[who]);
  expect(page.html).toContain('id="one-time-code"');
  page = await browser.submit(page, '/approvals/second-factor', { one_time_code: people[who].oneTimeCode });
  expect(page.html).toContain('Payments waiting for you');
  return { browser, list: page };
}

const open = (browser: PageBrowser, filePaymentId: string): Promise<AuthorizationOutcome> =>
  browser.get(`${origin()}/approvals/payment?file_payment=${filePaymentId}`);

/** The button, and the code for this one file. */
async function approve(
  browser: PageBrowser,
  page: AuthorizationOutcome,
  who: keyof typeof people,
): Promise<AuthorizationOutcome> {
  const asked = await browser.submit(page, '/approvals/approve');
  expect(asked.html).toContain('id="one-time-code"');
  return browser.submit(asked, '/approvals/challenge', { one_time_code: people[who].oneTimeCode });
}

const outcomeOf = ({ html }: AuthorizationOutcome): string | undefined => /id="outcome"[^>]*>([^<]*)</.exec(html)?.[1];

/** Asks the sandbox's bank, which has a database of its own. */
async function inBank(sql: string, values: unknown[] = []): Promise<unknown[]> {
  const url = new URL(world.sandbox.databaseUrl);
  url.pathname = '/sandbox_bank';
  const pool = openTestPool({ connectionString: url.href, max: 1 });
  return pool
    .query(sql, values)
    .then(({ rows }) => rows)
    .finally(() => pool.end());
}

describe('a file payment of an account that needs two people (OBMultiAuthorisation1)', () => {
  it('waits for the second one, who sees all of it, and is paid once they have approved it', async () => {
    const filePaymentId = await aPayment();
    const { browser, list } = await signedIn('carol');
    expect(await read(filePaymentId)).toMatchObject({
      Status: 'InitiationPending',
      MultiAuthorisation: { Status: 'AwaitingFurtherAuthorisation', NumberRequired: 2, NumberReceived: 1 },
    });
    const due = 'SELECT next_attempt_at FROM payment_orders WHERE payment_order_id = $1';
    expect((await world.sandbox.database.query(due, [filePaymentId])).rows).toEqual([{ next_attempt_at: null }]);
    const waiting = list.html.split('<li><a class="card"').find((item) => item.includes(filePaymentId));
    expect(waiting).toMatch(/<bdi>Bob Brown<\/bdi> approved this on [^]*Waiting for you\./);
    const page = await open(browser, filePaymentId);
    for (const words of [
      'id="consent-summary"',
      'Traders rsa one',
      'Brown &amp; Clark Traders',
      '20-00-01 55779911',
      '£31.50',
      'INV-3',
      '1 of 2',
      'id="approve"',
      'id="decline"',
    ]) {
      expect(page.html).toContain(words);
    }
    const asked = await browser.submit(page, '/approvals/approve');
    expect(asked.html.replaceAll(/<[^>]+>/g, '')).toContain('Brown &amp; Clark Traders (ending 9911)');
    expect(asked.html).not.toContain('55779911');
    const anew = await browser.submit(asked, '/approvals/challenge/again');
    expect(anew.html).toContain('The one before no longer works.');
    const [before, after] = [asked, anew].map((each) => hiddenFieldsOf(each)['challenge']);
    expect(after).not.toBe(before);
    const done = await approve(browser, page, 'carol');
    expect(outcomeOf(done)).toBe('You have approved this request. It has all the approvals it needs.');
    expect(done.html).not.toContain('id="approve"');
    expect(await read(filePaymentId)).toMatchObject({
      MultiAuthorisation: { Status: 'Authorised', NumberRequired: 2, NumberReceived: 2 },
    });
    const events = await world.sandbox.database.query<{ interaction_id: string | null }>(
      "SELECT interaction_id FROM audit_events WHERE action = 'payment.approved' AND details ->> 'filePaymentId' = $1",
      [filePaymentId],
    );
    expect(events.rows).toEqual([{ interaction_id: expect.stringMatching(/^[0-9a-f-]{36}$/) }]);
    await until(async () => (await read(filePaymentId))['Status'] === 'InitiationCompleted');
    const again = await browser.get(`${origin()}/approvals`);
    expect(again.html).not.toContain(filePaymentId);
  });

  it('is declined by the second one: nothing of it is ever paid', async () => {
    const filePaymentId = await aPayment();
    const { browser } = await signedIn('carol');
    const fields = { decline_reason: 'SuspectedFraud' };
    const done = await browser.submit(await open(browser, filePaymentId), '/approvals/decline', fields);
    expect(outcomeOf(done)).toMatch(/You have declined/);
    expect(done.html).toContain('id="fraud-advice"');
    expect(await read(filePaymentId)).toMatchObject({
      Status: 'InitiationFailed',
      MultiAuthorisation: { Status: 'Rejected', NumberRequired: 2, NumberReceived: 1 },
    });
    for (const item of await readItems(filePaymentId)) expect(item).toMatchObject({ Status: 'Rejected' });
    const { rows } = await world.sandbox.database.query(
      'SELECT count(*)::int AS count FROM payments WHERE payment_order_id = $1 AND (handed_over_at IS NOT NULL OR next_attempt_at IS NOT NULL)',
      [filePaymentId],
    );
    expect(rows).toEqual([{ count: 0 }]);
  });

  it('is neither there for strangers, nor for somebody who shares the account but may not pay from it (CVE-2026-4630)', async () => {
    const filePaymentId = await aPayment();
    await inBank(
      `INSERT INTO account_holders SELECT psu_id, 9, $1, $2, false FROM psus WHERE username = 'dave'`,
      traders.split(':'),
    );
    try {
      for (const who of ['alice', 'dave'] as const) {
        const { browser, list } = await signedIn(who);
        expect(list.html).toContain('id="nothing-waiting"');
        const fields = { file_payment: filePaymentId, file_hash: 'x' };
        const refused = [await open(browser, filePaymentId), await open(browser, 'nonsense')];
        for (const path of ['/approvals/approve', '/approvals/decline'])
          refused.push(await browser.force(list, path, fields));
        for (const page of refused) expectErrorPage(page, 'NotFound', 404);
        const { html } = await browser.get(`${origin()}/approvals/decided`);
        expect(list.html + html).not.toContain(filePaymentId);
        expect([list, ...refused].map((page) => page.html).join(html)).not.toMatch(/Bob Brown|Carol Clark/);
      }
    } finally {
      await inBank('DELETE FROM account_holders WHERE position = 9');
    }
    expect(await read(filePaymentId)).toMatchObject({ Status: 'InitiationPending' });
  });

  it('the bank tells everybody but the first one, once: who asks for how much, and where to decide', async () => {
    const filePaymentId = await aPayment();
    const sql = 'SELECT username, text FROM messages JOIN psus USING (psu_id) WHERE idempotency_key = $1';
    await until(async () => (await inBank(sql, [filePaymentId])).length > 0);
    const text = expect.stringMatching(
      /^Traders rsa one asks for 3 payments worth 31\.50* GBP .* at https:.*\/approvals /,
    );
    expect(await inBank(sql, [filePaymentId])).toEqual([{ username: 'carol', text }]);
    const left = 'SELECT FROM approval_requests WHERE payment_order_id = $1';
    await until(async () => (await world.sandbox.database.query(left, [filePaymentId])).rowCount === 0);
  });
});

describe('the sessions of a customer', () => {
  it('are listed elsewhere: one is ended, or all others; never those of somebody else', async () => {
    const { browser, list } = await signedIn('carol');
    const others = [await signedIn('carol'), await signedIn('carol')];
    const bob = await signedIn('bob');
    expect(list.html).toContain('id="sign-out"');
    expect((await browser.get(`${origin()}/approvals`)).html).toContain('id="other-sessions"');
    const sessionsOf = async (of: PageBrowser): Promise<{ page: AuthorizationOutcome; ids: string[] }> => {
      const page = await of.get(`${origin()}/approvals/sessions`);
      const ids = [...page.html.matchAll(/name="session" value="([0-9a-f-]{36})"/g)].map(([, id = '']) => id);
      return { page, ids };
    };
    const isIn = async (of: PageBrowser): Promise<boolean> =>
      (await of.get(`${origin()}/approvals`)).html.includes('Payments waiting for you');
    const { page, ids } = await sessionsOf(browser);
    expect(page.html).toContain('id="own-session"');
    expect(ids.length).toBeGreaterThanOrEqual(2);
    const end = (session = '', fields = {}) => browser.submit(page, '/approvals/sessions/end', { session, ...fields });
    expectErrorPage(await end('others', { csrf_token: 'x' }), 'FormRefused', 403);
    await end((await sessionsOf((await signedIn('bob')).browser)).ids[0]);
    // Their own session, which only the others list, ends only by signing out.
    await end((await sessionsOf(others[0]!.browser)).ids.find((id) => !ids.includes(id)));
    expect([await isIn(browser), await isIn(bob.browser)]).toEqual([true, true]);
    await end(ids[0]);
    expect((await sessionsOf(browser)).ids).toHaveLength(ids.length - 1);
    await end('others');
    expect((await sessionsOf(browser)).ids).toEqual([]);
    for (const other of others) expect(await isIn(other.browser)).toBe(false);
    expect([await isIn(browser), await isIn(bob.browser)]).toEqual([true, true]);
  });
});

describe('the sign-in to the approvals', () => {
  it('takes no form that it did not make, and no list without both factors', async () => {
    const browser = new PageBrowser(world.sandbox);
    const page = await browser.get(`${origin()}/approvals`);
    const forged = await browser.submit(page, '/approvals/sign-in', { ...people.carol, csrf_token: 'x' });
    expectErrorPage(forged, 'FormRefused', 403);
    const half = await browser.submit(page, '/approvals/sign-in', people.carol);
    expect(half.html).toContain('id="one-time-code"');
    const list = await browser.get(`${origin()}/approvals`);
    expect(list.html).toContain('id="one-time-code"');
    expect((await open(browser, '0190aaaa-0000-7000-8000-000000000000')).html).toContain('id="one-time-code"');
    const wrong = await browser.submit(list, '/approvals/second-factor', { one_time_code: '000000' });
    expect(wrong.status).toBe(400);
  });

  it('tells an inactive customer that they are signed out and have decided nothing', async () => {
    const filePaymentId = await aPayment();
    const { browser } = await signedIn('carol');
    const page = await open(browser, filePaymentId);
    const value = browser.cookies.get('__Host-approvals') ?? '';
    const { rowCount } = await world.sandbox.database.query(
      `UPDATE approval_sessions SET expires_at = now() - interval '1 second' WHERE session_hash = $1`,
      [hashToken(value)],
    );
    expect(rowCount).toBe(1);
    for (const late of [
      await browser.submit(page, '/approvals/approve'),
      await browser.force(page, '/approvals/decline'),
      await open(browser, filePaymentId),
      await browser.get(`${origin()}/approvals/decided`),
    ]) {
      expect(outcomeOf(late)).toMatch(/^You are signed out, [^]*Your last step was not carried out\./);
      expect(late.html).toContain('id="sign-in"');
    }
    expect(await read(filePaymentId)).toMatchObject({ MultiAuthorisation: { NumberReceived: 1 } });
    // A first visit, or one after a sign-out, is not told so.
    const fresh = await new PageBrowser(world.sandbox).get(`${origin()}/approvals/decided`);
    const { browser: leaving, list } = await signedIn('carol');
    for (const other of [fresh, await leaving.submit(list, '/approvals/sign-out')]) {
      expect(other.html).toContain('id="sign-in"');
      expect(outcomeOf(other)).toBeUndefined();
    }
  });

  it('tells nobody with a current session that they are signed out', async () => {
    const { browser, list } = await signedIn('carol');
    const { database } = world.sandbox;
    await database.query(
      `CREATE FUNCTION keep_session() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'kept'; END $$;
       CREATE TRIGGER keep_session BEFORE DELETE ON approval_sessions FOR EACH ROW EXECUTE FUNCTION keep_session()`,
    );
    try {
      expect((await browser.submit(list, '/approvals/sign-out')).status).toBe(500);
    } finally {
      await database.query('DROP TRIGGER keep_session ON approval_sessions; DROP FUNCTION keep_session()');
    }
    const again = await browser.get(`${origin()}/approvals`);
    expect(again.html).toContain('Payments waiting for you');
    await browser.submit(again, '/approvals/sign-out');
    expect((await browser.get(`${origin()}/approvals`)).html).toContain('id="sign-in"');
  });
});
