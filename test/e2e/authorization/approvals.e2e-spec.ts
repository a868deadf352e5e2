import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Pool } from 'pg';
import { PaymentApprovalService } from '#libs/authorization-session';
import type { Database } from '#libs/persistence';
import { aPaymentFile } from '../../support/a-payment-file.js';
import { aConsentRequest, anInitiation } from '../../support/a-consent-request.js';
import type { TestTpp } from '../../support/a-tpp.js';
import { until } from '../../support/expectations.js';
import { httpsRequest } from '../../support/https-request.js';
import { expectErrorPage } from './expect-outcome.js';
import type { AuthorizationOutcome, FapiClient } from './fapi-client.js';
import { FapiWorld, intentClaims, PageBrowser } from './fapi-world.js';

const world = new FapiWorld();
let client: FapiClient;
let tpp: TestTpp;
beforeAll(async () => {
  await world.start();
  client = await world.client({ method: 'tls_client_auth', name: 'Traders' });
  tpp = await world.asTpp(client);
});
afterAll(() => world.stop());

const people = {
  alice: { username: 'alice', password: 'alice-password', oneTimeCode: '111111' },
  bob: { username: 'bob', password: 'bob-password', oneTimeCode: '222222' },
  carol: { username: 'carol', password: 'carol-password', oneTimeCode: '333333' },
};
const traders = 'UK.OBIE.SortCodeAccountNumber:20000155779911';
const origin = (): string => new URL(client.provider.authorization_endpoint).origin;

/** A file payment of the account of bob and carol, approved by bob. */
async function aPayment(data: Record<string, unknown> = {}): Promise<string> {
  const file = aPaymentFile({ payments: 3 });
  const staged = await tpp.post('/file-payment-consents', aConsentRequest({ file, data }));
  const { ConsentId: consentId } = staged.json()['Data'] as { ConsentId: string };
  await tpp.upload(consentId, file);
  const browser = new PageBrowser(world.sandbox);
  let page = await browser.get(client.authorizationUrl(client.requestObject({ claims: intentClaims(consentId) })));
  page = await browser.submit(page, '/sign-in', people.bob);
  page = await browser.submit(page, '/second-factor', { one_time_code: people.bob.oneTimeCode });
  // What happens next, and where.
  expect(page.html).toContain(`${origin()}/approvals`);
  const outcome = await browser.submit(page, '/consent', { debtor_account: traders });
  expect(outcome.fragment.has('code')).toBe(true);
  const paid = await tpp.pay({ consentId, initiation: anInitiation(file) });
  expect(paid.status).toBe(201);
  return (paid.json()['Data'] as { FilePaymentId: string }).FilePaymentId;
}

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
  expect(page.html).toContain('Payments that wait for you');
  return { browser, list: page };
}

const open = (browser: PageBrowser, filePaymentId: string): Promise<AuthorizationOutcome> =>
  browser.get(`${origin()}/approvals/payment?file_payment=${filePaymentId}`);

const outcomeOf = ({ html }: AuthorizationOutcome): string | undefined => /id="outcome"[^>]*>([^<]*)</.exec(html)?.[1];

describe('a file payment of an account that needs two people (OBMultiAuthorisation1)', () => {
  it('waits after the first one: nothing is handed to the bank', async () => {
    const filePaymentId = await aPayment();
    expect(await read(filePaymentId)).toMatchObject({
      Status: 'InitiationPending',
      MultiAuthorisation: { Status: 'AwaitingFurtherAuthorisation', NumberRequired: 2, NumberReceived: 1 },
    });
    const { rows } = await world.sandbox.database.query(
      'SELECT next_attempt_at FROM file_payments WHERE file_payment_id = $1',
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
    const done = await browser.submit(page, '/approvals/approve');
    expect(outcomeOf(done)).toBe('You have approved this file. All approvals are there.');
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
      'SELECT count(*)::int AS count FROM payments WHERE file_payment_id = $1 AND (handed_over_at IS NOT NULL OR next_attempt_at IS NOT NULL)',
      [filePaymentId],
    );
    expect(rows).toEqual([{ count: 0 }]);
  });

  it('is counted once for each person, whatever is clicked', async () => {
    const filePaymentId = await aPayment();
    const first = await signedIn('carol');
    const second = await signedIn('carol');
    const pages = await Promise.all([first, second].map(({ browser }) => open(browser, filePaymentId)));
    await Promise.all(
      [first, second, first, second].map(({ browser }, index) =>
        browser.submit(pages[index % 2]!, index < 2 ? '/approvals/approve' : '/approvals/decline'),
      ),
    );
    const { rows } = await world.sandbox.database.query(
      'SELECT count(*)::int AS count FROM file_payment_approvals WHERE file_payment_id = $1',
      [filePaymentId],
    );
    expect(rows).toEqual([{ count: 1 }]);
  });

  it('cannot be approved twice by the first one', async () => {
    const filePaymentId = await aPayment();
    const { browser, list } = await signedIn('bob');
    expect(list.html).not.toContain(filePaymentId);
    const page = await open(browser, filePaymentId);
    expect(outcomeOf(page)).toMatch(/You have approved this file. It waits/);
    const forced = await signedIn('bob');
    const csrf = /name="csrf_token" value="([^"]+)"/.exec(forced.list.html)?.[1] ?? '';
    await forced.browser.submit(forced.list, '/approvals/approve', {
      csrf_token: csrf,
      file_payment: filePaymentId,
      file_hash: 'x',
    });
    expect(await read(filePaymentId)).toMatchObject({ MultiAuthorisation: { NumberReceived: 1 } });
  });

  it('is nobody else’s business: as if it did not exist (CVE-2026-4630)', async () => {
    const filePaymentId = await aPayment();
    const { browser, list } = await signedIn('alice');
    expect(list.html).toContain('id="nothing-waiting"');
    expectErrorPage(await open(browser, filePaymentId), 'NotFound', 404);
    const fields = { file_payment: filePaymentId, file_hash: 'x' };
    for (const path of ['/approvals/approve', '/approvals/decline']) {
      expectErrorPage(await browser.submit(list, path, fields), 'NotFound', 404);
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

  it('cannot be approved after the deadline of the TPP (OBAuthorisation1)', async () => {
    const CompletionDateTime = new Date(Date.now() + 86_400_000).toISOString();
    const filePaymentId = await aPayment({ Authorisation: { AuthorisationType: 'Any', CompletionDateTime } });
    const { browser } = await signedIn('carol');
    const page = await open(browser, filePaymentId);
    await world.sandbox.database.query(
      `UPDATE file_payment_consents SET authorisation = replace(authorisation, $2, $3)
        WHERE consent_id = (SELECT consent_id FROM file_payments WHERE file_payment_id = $1)`,
      [filePaymentId, CompletionDateTime.slice(0, 10), '2020-01-01'],
    );
    expect(outcomeOf(await browser.submit(page, '/approvals/approve'))).toMatch(/run out/);
    expect(await read(filePaymentId)).toMatchObject({ MultiAuthorisation: { NumberReceived: 1 } });
  });
});

/** As much of the service's database access as this needs. */
function queryable(pool: FapiWorld['sandbox']['database']): Database {
  const query: Database['query'] = (_name, text, values) => pool.query(text, [...values]);
  return { query } as Database;
}

describe('how the others learn of it', () => {
  let bank: Pool;
  beforeAll(() => {
    const url = new URL(world.sandbox.databaseUrl);
    url.pathname = '/sandbox_bank';
    bank = new Pool({ connectionString: url.href, max: 1 });
  });
  afterAll(() => bank.end());

  const messagesOf = async (filePaymentId: string): Promise<unknown[]> =>
    (
      await bank.query('SELECT username, text FROM messages JOIN psus USING (psu_id) WHERE idempotency_key = $1', [
        filePaymentId,
      ])
    ).rows;

  it('the bank tells everybody but the first one, once, of who asks for how much and where to decide', async () => {
    const filePaymentId = await aPayment();
    await until(async () => (await messagesOf(filePaymentId)).length > 0);
    const text = expect.stringMatching(
      /^Traders rsa one asks for 3 payments worth 31\.50* GBP .* at https:.*\/approvals /,
    );
    expect(await messagesOf(filePaymentId)).toEqual([{ username: 'carol', text }]);
    const left = async () =>
      (await world.sandbox.database.query('SELECT FROM approval_requests WHERE file_payment_id = $1', [filePaymentId]))
        .rowCount;
    await until(async () => (await left()) === 0);
  });
});

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
    const found = await approvals.find(carol, [shared], filePaymentId);
    const fileHash = found?.consent.fileHash ?? Buffer.alloc(0);
    const decide = (difference: Partial<Parameters<typeof approvals.decide>[0]>): Promise<boolean> =>
      approvals.decide({
        outcome: 'Approved',
        psuId: carol,
        accounts: [shared],
        filePaymentId,
        fileHash,
        acr: 'urn:openbanking:psd2:sca',
        authenticatedAt: new Date(),
        now: new Date(),
        ...difference,
      });
    expect(await decide({ psuId: bob })).toBe(false);
    expect(await decide({ psuId: alice, accounts: [{ ...shared, identification: '20000112345678' }] })).toBe(false);
    expect(await decide({ fileHash: Buffer.alloc(32) })).toBe(false);
    const simultaneous = await Promise.all([
      decide({}),
      decide({ psuId: 'another holder' }),
      decide({ outcome: 'Declined' }),
    ]);
    expect(simultaneous.filter(Boolean)).toHaveLength(1);
    expect(await decide({ psuId: 'a third holder' })).toBe(false);
    const { rows } = await world.sandbox.database.query(
      'SELECT count(*)::int AS count FROM file_payment_approvals WHERE file_payment_id = $1',
      [filePaymentId],
    );
    expect(rows).toEqual([{ count: 1 }]);
  });
});

describe('a file payment whose further approver never comes', () => {
  it('ends after the bank’s time, and after the TPP’s deadline; one that still may wait does not', async () => {
    const CompletionDateTime = new Date(Date.now() + 86_400_000).toISOString();
    const deadline = { Authorisation: { AuthorisationType: 'Any', CompletionDateTime } };
    const [old, late, waiting] = [await aPayment(), await aPayment(deadline), await aPayment(deadline)];
    const approvals = new PaymentApprovalService(queryable(world.sandbox.database));
    const aged = `UPDATE file_payments SET created_at = now() - interval '8 days' WHERE file_payment_id = $1`;
    await world.sandbox.database.query(aged, [old]);
    await world.sandbox.database.query(
      `UPDATE file_payment_consents SET authorisation = replace(authorisation, $2, '2020-01-01')
        WHERE consent_id = (SELECT consent_id FROM file_payments WHERE file_payment_id = $1)`,
      [late, CompletionDateTime.slice(0, 10)],
    );
    // One at a time, so that whoever looks at the oldest alone misses the deadline; those of other tests end as well.
    const ended = await approvals.endOverdue({ now: new Date(), batchSize: 1, approvalSeconds: 604_800 });
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
