import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Pool } from 'pg';
import { randomBytes, randomUUID } from 'node:crypto';
import { ApprovalSessionService } from '#libs/authorization-session';
import { hashToken } from '#libs/oauth';
import { PaymentApprovalService } from '#libs/payment-order';
import { type Database, walk } from '#libs/persistence';
import { aPaymentFile } from '../../support/a-payment-file.js';
import type { TestTpp } from '../../support/a-tpp.js';
import { until, expectErrorPage } from '../../support/expectations.js';
import { httpsRequest, openConnections } from '../../support/https-request.js';
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
const aPayment = (data: Record<string, unknown> = {}): Promise<string> =>
  aSharedPayment(world, client, aPaymentFile({ payments: 3 }), data);

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

/** How many further people have decided on a file payment. */
const decisions = async (filePaymentId: string): Promise<unknown> =>
  (
    await world.sandbox.database.query(
      'SELECT count(*)::int AS count FROM payment_approvals WHERE payment_order_id = $1',
      [filePaymentId],
    )
  ).rows;

describe('a file payment of an account that needs two people (OBMultiAuthorisation1)', () => {
  it('waits after the first one: nothing is handed to the bank', async () => {
    const filePaymentId = await aPayment();
    expect(await read(filePaymentId)).toMatchObject({
      Status: 'InitiationPending',
      MultiAuthorisation: { Status: 'AwaitingFurtherAuthorisation', NumberRequired: 2, NumberReceived: 1 },
    });
    const { rows } = await world.sandbox.database.query(
      'SELECT next_attempt_at FROM payment_orders WHERE payment_order_id = $1',
      [filePaymentId],
    );
    expect(rows).toEqual([{ next_attempt_at: null }]);
  });

  it('is approved by the second one, who sees all of it, and is then paid', async () => {
    const filePaymentId = await aPayment();
    const { browser, list } = await signedIn('carol');
    expect(list.html).toContain(filePaymentId);
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
    const done = await browser.submit(await open(browser, filePaymentId), '/approvals/decline');
    expect(outcomeOf(done)).toMatch(/You have declined/);
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

  it('is declined beside the code as well, for a reason: a code that is typed afterwards approves nothing', async () => {
    const [one, two] = [await aPayment(), await aPayment()];
    const { browser } = await signedIn('carol');
    const press = async (id: string) => browser.submit(await open(browser, id), '/approvals/approve');
    const wayBack = async (page: AuthorizationOutcome): Promise<string | undefined> =>
      /id="back"[^>]* href="([^"]+)"/.exec((await browser.openDecline(page)).html)?.[1];
    const first = await press(one);
    expect(await wayBack(first)).toBe('/approvals/challenge');
    await press(two);
    // The other file waits for a code now.
    expect(await wayBack(first)).toBe(`/approvals/payment?file_payment=${one}`);
    const asked = await press(one);
    const done = await browser.submit(asked, '/approvals/decline', { decline_reason: 'SuspectedFraud' });
    expect(outcomeOf(done)).toMatch(/You have declined/);
    expect(done.html).toContain('id="fraud-advice"');
    const late = await browser.submit(asked, '/approvals/challenge', { one_time_code: people.carol.oneTimeCode });
    expect(outcomeOf(late)).toMatch(/You have declined/);
    expect(await read(one)).toMatchObject({ MultiAuthorisation: { Status: 'Rejected', NumberReceived: 1 } });
  });

  it('is counted once for each person, whatever is clicked', async () => {
    const filePaymentId = await aPayment();
    const first = await signedIn('carol');
    const second = await signedIn('carol');
    const pages = await Promise.all([first, second].map(({ browser }) => open(browser, filePaymentId)));
    const asked = await Promise.all(
      [first, second].map(({ browser }, index) => browser.submit(pages[index]!, '/approvals/approve')),
    );
    await Promise.all(
      [first, second, first, second].map(({ browser }, index) =>
        index < 2
          ? browser.submit(asked[index]!, '/approvals/challenge', { one_time_code: people.carol.oneTimeCode })
          : browser.force(pages[index % 2]!, '/approvals/decline'),
      ),
    );
    expect(await decisions(filePaymentId)).toEqual([{ count: 1 }]);
  });

  it('cannot be approved twice by the first one', async () => {
    const filePaymentId = await aPayment();
    const { browser, list } = await signedIn('bob');
    expect(list.html).not.toContain(filePaymentId);
    const page = await open(browser, filePaymentId);
    expect(outcomeOf(page)).toMatch(
      /You have approved this request\. Nothing will be paid unless it gets all its approvals by \d/,
    );
    const forced = await signedIn('bob');
    const csrf = /name="csrf_token" value="([^"]+)"/.exec(forced.list.html)?.[1] ?? '';
    await forced.browser.force(forced.list, '/approvals/approve', {
      csrf_token: csrf,
      file_payment: filePaymentId,
      file_hash: 'x',
    });
    expect(await read(filePaymentId)).toMatchObject({ MultiAuthorisation: { NumberReceived: 1 } });
  });

  it('does not exist for anybody else (CVE-2026-4630)', async () => {
    const filePaymentId = await aPayment();
    const { browser, list } = await signedIn('alice');
    expect(list.html).toContain('id="nothing-waiting"');
    expectErrorPage(await open(browser, filePaymentId), 'NotFound', 404);
    const fields = { file_payment: filePaymentId, file_hash: 'x' };
    for (const path of ['/approvals/approve', '/approvals/decline']) {
      expectErrorPage(await browser.force(list, path, fields), 'NotFound', 404);
    }
    expectErrorPage(await open(browser, 'nonsense'), 'NotFound', 404);
    expect(await read(filePaymentId)).toMatchObject({ Status: 'InitiationPending' });
  });

  it('is bound to the file that was shown', async () => {
    const filePaymentId = await aPayment();
    const { browser } = await signedIn('carol');
    const again = await browser.submit(await open(browser, filePaymentId), '/approvals/approve', { file_hash: 'x' });
    expect(again.status).toBe(400);
    expect(again.html).toContain('FileChanged');
    expect(await read(filePaymentId)).toMatchObject({ MultiAuthorisation: { NumberReceived: 1 } });
  });

  it('asks for one code however often the button is pressed, and takes it though the database fails over', async () => {
    const filePaymentId = await aPayment();
    const { browser } = await signedIn('carol');
    const { database } = world.sandbox;
    const page = await open(browser, filePaymentId);
    await openConnections(world.sandbox.agent, origin(), 5);
    const clicks = await Promise.all(Array.from({ length: 5 }, () => browser.submit(page, '/approvals/approve')));
    for (const { html } of clicks) expect(html).toContain('id="one-time-code"');
    const { rows } = await database.query(
      `SELECT challenges_started FROM approval_sessions WHERE challenge ->> 'filePaymentId' = $1`,
      [filePaymentId],
    );
    // The sign-in has had one too; late clicks may ask again.
    expect(rows[0].challenges_started).toBeLessThan(6);
    const asked = await browser.get(`${origin()}/approvals/challenge`);
    await database.query(
      `CREATE FUNCTION fail_over() RETURNS trigger LANGUAGE plpgsql AS $$
         BEGIN RAISE EXCEPTION 'away' USING ERRCODE = '57P01'; END $$;
       CREATE TRIGGER fail_over BEFORE INSERT ON payment_approvals FOR EACH ROW EXECUTE FUNCTION fail_over()`,
    );
    try {
      const code = { one_time_code: people.carol.oneTimeCode };
      expect((await browser.submit(asked, '/approvals/challenge', code)).status).toBe(503);
    } finally {
      await database.query('DROP TRIGGER fail_over ON payment_approvals; DROP FUNCTION fail_over()');
    }
    expect(outcomeOf(await browser.get(`${origin()}/approvals/challenge`))).toMatch(/You have approved this request/);
  });

  it('is declined elsewhere while a code is checked: the next file is asked for at once', async () => {
    const [one, two] = [await aPayment(), await aPayment()];
    const [typing, declining] = [(await signedIn('carol')).browser, (await signedIn('carol')).browser];
    const asked = await typing.submit(await open(typing, one), '/approvals/approve');
    const page = await open(declining, one);
    // Both decisions wait for the file payment, the decline first.
    const pool = openTestPool({ connectionString: world.sandbox.databaseUrl });
    const holder = await pool.connect();
    const waiting = async (count: number): Promise<void> => {
      await until(async () => {
        const { rows } = await pool.query(
          `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
        );
        return rows.length >= count;
      });
    };
    try {
      await holder.query('BEGIN');
      await holder.query('SELECT FROM payment_orders WHERE payment_order_id = $1 FOR UPDATE', [one]);
      const declined = declining.submit(page, '/approvals/decline');
      await waiting(1);
      const typed = typing.submit(asked, '/approvals/challenge', { one_time_code: people.carol.oneTimeCode });
      await waiting(2);
      await holder.query('COMMIT');
      for (const { html } of [await declined, await typed]) expect(html).toContain('You have declined this request');
    } finally {
      holder.release();
      await pool.end();
    }
    expect(await read(one)).toMatchObject({ MultiAuthorisation: { NumberReceived: 1, Status: 'Rejected' } });
    const done = await approve(typing, await open(typing, two), 'carol');
    expect(outcomeOf(done)).toMatch(/You have approved this request/);
  });

  it('is not approved by a code that is typed where another one is shown', async () => {
    const [one, two] = [await aPayment(), await aPayment()];
    const { browser } = await signedIn('carol');
    const first = await browser.submit(await open(browser, one), '/approvals/approve');
    const second = await browser.submit(await open(browser, two), '/approvals/approve');
    for (const path of ['/approvals/challenge', '/approvals/challenge/again']) {
      const stale = await browser.submit(first, path, { one_time_code: people.carol.oneTimeCode });
      expect([stale.status, stale.html.includes('ChallengeReplaced'), stale.html.includes(two)]).toEqual([
        400,
        true,
        true,
      ]);
    }
    for (const id of [one, two]) expect(await read(id)).toMatchObject({ MultiAuthorisation: { NumberReceived: 1 } });
    await browser.submit(second, '/approvals/challenge', { one_time_code: people.carol.oneTimeCode });
    expect(await read(two)).toMatchObject({ MultiAuthorisation: { NumberReceived: 2 } });
    // The page of what is decided is still open in another tab.
    for (const path of ['/approvals/challenge', '/approvals/challenge/again'])
      expect((await browser.submit(second, path)).html).toContain('Payments waiting for you');
  });

  it('cannot be approved after the deadline of the TPP (OBAuthorisation1)', async () => {
    const CompletionDateTime = new Date(Date.now() + 86_400_000).toISOString();
    const filePaymentId = await aPayment({ Authorisation: { AuthorisationType: 'Any', CompletionDateTime } });
    const { browser } = await signedIn('carol');
    const page = await open(browser, filePaymentId);
    await world.sandbox.database.query(
      `UPDATE payment_consents SET conditions = replace(conditions::text, $2, $3)::json
        WHERE consent_id = (SELECT consent_id FROM payment_orders WHERE payment_order_id = $1)`,
      [filePaymentId, CompletionDateTime.slice(0, 10), '2020-01-01'],
    );
    expect(outcomeOf(await browser.submit(page, '/approvals/approve'))).toMatch(/run out/);
    expect(await read(filePaymentId)).toMatchObject({ MultiAuthorisation: { NumberReceived: 1 } });
  });
});

/** As much of the service's database access as this needs. */
function queryable(pool: FapiWorld['sandbox']['database']): Database {
  const query: Database['query'] = (_name, text, values) => pool.query(text, [...values]);
  return { applicationName: 'test', query } as Database;
}

describe('how the others learn of it', () => {
  let bank: Pool;
  beforeAll(() => {
    const url = new URL(world.sandbox.databaseUrl);
    url.pathname = '/sandbox_bank';
    bank = openTestPool({ connectionString: url.href, max: 1 });
  });
  afterAll(() => bank.end());

  const messagesOf = async (filePaymentId: string): Promise<unknown[]> =>
    (
      await bank.query('SELECT username, text FROM messages JOIN psus USING (psu_id) WHERE idempotency_key = $1', [
        filePaymentId,
      ])
    ).rows;

  it('the bank tells everybody but the first one, once: who asks for how much, and where to decide', async () => {
    const filePaymentId = await aPayment();
    await until(async () => (await messagesOf(filePaymentId)).length > 0);
    const text = expect.stringMatching(
      /^Traders rsa one asks for 3 payments worth 31\.50* GBP .* at https:.*\/approvals /,
    );
    expect(await messagesOf(filePaymentId)).toEqual([{ username: 'carol', text }]);
    const left = async () =>
      (await world.sandbox.database.query('SELECT FROM approval_requests WHERE payment_order_id = $1', [filePaymentId]))
        .rowCount;
    await until(async () => (await left()) === 0);
  });
});

/** A session of somebody who has been asked for the approval of a file payment. */
async function aChallengeOf(psuId: string, filePaymentId: string, approvalHash: Buffer) {
  const sessions = new ApprovalSessionService(queryable(world.sandbox.database));
  const sessionHash = randomBytes(32);
  const now = new Date();
  const challenge = {
    challengeId: randomUUID(),
    method: 'Code' as const,
    expiresAt: new Date(now.getTime() + 60_000).toISOString(),
    interactionId: randomUUID(),
    bound: {},
    filePaymentId,
    approvalHash: approvalHash.toString('hex'),
  };
  const expiresAt = new Date(now.getTime() + 60_000);
  await sessions.start({ sessionId: randomUUID(), sessionHash, psuId, psuName: 'N', now, expiresAt });
  expect(await sessions.enterChallenge({ sessionHash, challenge, started: 1, now })).toBe(true);
  return { sessionHash, challengeId: challenge.challengeId };
}

describe('the statement behind a decision', () => {
  const [schemeName = '', identification = ''] = traders.split(':');
  const shared = { schemeName, identification };
  const [bob, carol, alice] = ['2a02', '2a03', '2a01'].map((end) => `0b7f2c52-4a51-4f0e-9d55-1f6c6f1d${end}`) as [
    string,
    string,
    string,
  ];

  it('takes no decision of the first approver, of somebody without the account, on another file, or once all is decided', async () => {
    const approvals = new PaymentApprovalService(queryable(world.sandbox.database));
    const filePaymentId = await aPayment();
    const hashOf = async (id: string): Promise<Buffer> =>
      (await approvals.find(carol, [shared], id))?.consent.approvalHash ?? Buffer.alloc(0);
    const approvalHash = await hashOf(filePaymentId);
    const challenge = await aChallengeOf(carol, filePaymentId, approvalHash);
    const decide = (difference: Partial<Parameters<typeof approvals.decide>[0]>): Promise<boolean> =>
      approvals.decide({
        outcome: 'Approved',
        psuId: carol,
        accounts: [shared],
        filePaymentId,
        approvalHash,
        acr: 'urn:openbanking:psd2:sca',
        authenticatedAt: new Date(),
        challenge,
        now: new Date(),
        ...difference,
      });
    expect(await decide({ psuId: bob })).toBe(false);
    expect(await decide({ psuId: alice, accounts: [{ ...shared, identification: '20000112345678' }] })).toBe(false);
    expect(await decide({ approvalHash: Buffer.alloc(32) })).toBe(false);
    // One challenge allows one decision: not on another file, nor on other content, nor by somebody else.
    const [other] = [await aPayment()];
    for (const wrong of [
      await aChallengeOf(carol, other ?? '', approvalHash),
      await aChallengeOf(carol, filePaymentId, Buffer.alloc(32)),
      await aChallengeOf(alice, filePaymentId, approvalHash),
      { ...challenge, challengeId: 'another' },
      undefined,
    ]) {
      expect(await decide({ challenge: wrong })).toBe(false);
    }
    const simultaneous = await Promise.all([
      ...Array.from({ length: 200 }, () => decide({})),
      decide({ psuId: 'another holder' }),
      decide({ outcome: 'Declined' }),
    ]);
    expect(simultaneous.filter(Boolean)).toHaveLength(1);
    expect(await decide({ psuId: 'a third holder' })).toBe(false);
    expect(await decisions(filePaymentId)).toEqual([{ count: 1 }]);
    const declined = { filePaymentId: await aPayment() };
    expect(await decide({ ...declined, approvalHash: await hashOf(declined.filePaymentId), outcome: 'Declined' })).toBe(
      true,
    );
    expect(
      await decide({ ...declined, approvalHash: await hashOf(declined.filePaymentId), psuId: 'another holder' }),
    ).toBe(false);
  });
});

describe('a file payment whose further approver never comes', () => {
  it('ends after the bank’s time, and after the TPP’s deadline; one that still may wait does not', async () => {
    const CompletionDateTime = new Date(Date.now() + 86_400_000).toISOString();
    const deadline = { Authorisation: { AuthorisationType: 'Any', CompletionDateTime } };
    const [old, late, waiting] = [await aPayment(), await aPayment(deadline), await aPayment(deadline)];
    const approvals = new PaymentApprovalService(queryable(world.sandbox.database));
    const aged = `UPDATE payment_orders SET created_at = now() - interval '8 days' WHERE payment_order_id = $1`;
    await world.sandbox.database.query(aged, [old]);
    await world.sandbox.database.query(
      `UPDATE payment_consents SET conditions = replace(conditions::text, $2, '2020-01-01')::json
        WHERE consent_id = (SELECT consent_id FROM payment_orders WHERE payment_order_id = $1)`,
      [late, CompletionDateTime.slice(0, 10)],
    );
    // One at a time: a search for the oldest alone would miss the deadline. Those of other tests end as well.
    const step = { now: new Date(), batchSize: 1, approvalSeconds: 604_800 };
    const ended = await walk((after) => approvals.endOverdue(step, after));
    expect(ended).toBeGreaterThanOrEqual(2);
    for (const filePaymentId of [old, late]) {
      expect(await read(filePaymentId)).toMatchObject({
        Status: 'InitiationFailed',
        MultiAuthorisation: { Status: 'Rejected' },
      });
      for (const item of await readItems(filePaymentId)) expect(item).toMatchObject({ Status: 'Rejected' });
    }
    expect(await read(waiting)).toMatchObject({ Status: 'InitiationPending' });
  });
});

/** What the customer reads of one file payment that has been decided. */
const decidedOf = async (browser: PageBrowser, filePaymentId: string): Promise<string> => {
  const { html } = await browser.get(`${origin()}/approvals/decided`);
  expect(html).toContain('What has been decided');
  return itemOf(html, filePaymentId);
};

const itemOf = (html: string, filePaymentId: string): string =>
  html.split('<li><a class="card"').find((item) => item.includes(filePaymentId)) ?? '';

describe('what a customer sees of themselves', () => {
  it('what each has decided and when, and who is still missing, by name', async () => {
    const filePaymentId = await aPayment();
    const [bob, carol] = [await signedIn('bob'), await signedIn('carol')];
    expect(await decidedOf(bob.browser, filePaymentId)).toMatch(
      /You approved this on \d+ \w+ \d{4} at \d\d:\d\d\.[^]*Waiting for <bdi>Carol Clark<\/bdi>\./,
    );
    expect(await decidedOf(carol.browser, filePaymentId)).toBe('');
    expect(itemOf((await carol.browser.get(`${origin()}/approvals`)).html, filePaymentId)).toMatch(
      /<bdi>Bob Brown<\/bdi> approved this on [^]*Waiting for you\./,
    );
    const page = await open(carol.browser, filePaymentId);
    expect(page.html).toMatch(/1 of 2 <span class="more"><bdi>Bob Brown<\/bdi> approved this on /);
    await approve(carol.browser, await open(carol.browser, filePaymentId), 'carol');
    expect(await decidedOf(carol.browser, filePaymentId)).toMatch(
      /<bdi>Bob Brown<\/bdi> approved this on [^]*You approved this on [^]*It has all the approvals it needs\./,
    );
    expect(await decidedOf(bob.browser, filePaymentId)).toMatch(
      /You approved this on [^]*<bdi>Carol Clark<\/bdi> approved this on /,
    );
    const declined = await aPayment();
    await carol.browser.submit(await open(carol.browser, declined), '/approvals/decline');
    expect(await decidedOf(bob.browser, declined)).toMatch(
      /<bdi>Carol Clark<\/bdi> declined this on [^]*Nothing will be paid\./,
    );
  });

  it('nothing of other people’s accounts, nor the name of anybody who shares one they may not pay from', async () => {
    const filePaymentId = await aPayment();
    const { pathname } = new URL(world.sandbox.databaseUrl);
    const bank = openTestPool({
      connectionString: world.sandbox.databaseUrl.replace(pathname, '/sandbox_bank'),
      max: 1,
    });
    try {
      const [schemeName, identification] = traders.split(':');
      await bank.query(
        `INSERT INTO account_holders SELECT psu_id, 9, $1, $2, false FROM psus WHERE username = 'dave'`,
        [schemeName, identification],
      );
      for (const who of ['alice', 'dave'] as const) {
        const { browser, list } = await signedIn(who);
        const decided = await browser.get(`${origin()}/approvals/decided`);
        const page = await open(browser, filePaymentId);
        expectErrorPage(page, 'NotFound', 404);
        expect(list.html + decided.html).not.toContain(filePaymentId);
        expect(list.html + decided.html + page.html).not.toMatch(/Bob Brown|Carol Clark/);
      }
    } finally {
      await bank.query('DELETE FROM account_holders WHERE position = 9');
      await bank.end();
    }
  });

  it('the sessions that are open: one is ended, or all others; never those of somebody else', async () => {
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
    const foreign = (await sessionsOf(others[0]!.browser)).ids.filter((id) => !ids.includes(id));
    const ofBob = (await sessionsOf((await signedIn('bob')).browser)).ids;
    await browser.submit(page, '/approvals/sessions/end', { session: ofBob[0] ?? '' });
    expect(await isIn(bob.browser)).toBe(true);
    expectErrorPage(
      await browser.submit(page, '/approvals/sessions/end', { session: 'others', csrf_token: 'x' }),
      'FormRefused',
      403,
    );
    // Their own session, which only the others list, ends only by signing out.
    await browser.submit(page, '/approvals/sessions/end', { session: foreign[0] ?? '' });
    expect(await isIn(browser)).toBe(true);
    const before = ids.length;
    await browser.submit(page, '/approvals/sessions/end', { session: ids[0] ?? '' });
    expect((await sessionsOf(browser)).ids).toHaveLength(before - 1);
    await browser.submit(page, '/approvals/sessions/end', { session: 'others' });
    expect((await sessionsOf(browser)).ids).toEqual([]);
    for (const other of others) expect(await isIn(other.browser)).toBe(false);
    expect([await isIn(browser), await isIn(bob.browser)]).toEqual([true, true]);
  });

  it('one session for each browser: a new sign-in ends the one that is half done', async () => {
    const browser = new PageBrowser(world.sandbox);
    const page = await browser.get(`${origin()}/approvals`);
    const half = await browser.submit(page, '/approvals/sign-in', people.bob);
    expect(half.html).toContain('id="one-time-code"');
    const count = async (): Promise<number> => {
      const { rows } = await world.sandbox.database.query<{ count: number }>(
        `SELECT count(*)::int AS count FROM approval_sessions WHERE acr IS NULL AND psu_name = (
          SELECT psu_name FROM approval_sessions WHERE acr IS NULL ORDER BY created_at DESC LIMIT 1)`,
      );
      return rows[0]?.count ?? 0;
    };
    const before = await count();
    await browser.force(half, '/approvals/sign-in', people.bob);
    expect(await count()).toBe(before);
  });
});

describe('the sign-in to the approvals', () => {
  it('shows a mistake without saying which, and locks by the bank’s count', async () => {
    const browser = new PageBrowser(world.sandbox);
    const page = await browser.get(`${origin()}/approvals`);
    for (const fields of [
      { username: 'carol', password: 'not-it' },
      { username: 'nobody', password: 'not-it' },
    ]) {
      const again = await browser.submit(page, '/approvals/sign-in', fields);
      expect(again.status).toBe(400);
      expect(again.html).toContain('InvalidCredentials');
      expect(again.html).not.toContain('not-it');
    }
    const missing = await browser.submit(page, '/approvals/sign-in', { username: '', password: '' });
    expect(missing.html).toContain('UsernameMissing');
  });

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
    expect(await decisions(filePaymentId)).toEqual([{ count: 0 }]);
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

  it('gives the browser a new value at each step, and forgets it at the sign-out', async () => {
    const browser = new PageBrowser(world.sandbox);
    const values: (string | undefined)[] = [];
    let page = await browser.get(`${origin()}/approvals`);
    values.push(browser.cookies.get('__Host-approvals'));
    page = await browser.submit(page, '/approvals/sign-in', people.carol);
    values.push(browser.cookies.get('__Host-approvals'));
    page = await browser.submit(page, '/approvals/second-factor', { one_time_code: people.carol.oneTimeCode });
    const value = browser.cookies.get('__Host-approvals');
    values.push(value);
    expect(new Set(values).size).toBe(3);
    await browser.submit(page, '/approvals/sign-out');
    const answer = await httpsRequest({
      url: `${origin()}/approvals`,
      headers: { cookie: `__Host-approvals=${String(value)}` },
      agent: world.sandbox.agent,
    });
    expect(answer.text).toContain('id="sign-in"');
  });
});
