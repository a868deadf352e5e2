import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import type { Pool } from 'pg';
import { dataOf, errorsOf, versions, type Version } from '../account-access/access-client.js';
import { expectEndPage } from '../../support/expectations.js';
import { FapiWorld } from '../authorization/fapi-world.js';
import { bob, dave, alice, PageBrowser } from '../../support/page-browser.js';
import { ACR_SCA, type FapiClient } from '../../support/a-client.js';
import { consents, FundsClient, payroll, questions } from './funds-client.js';
import { openTestPool } from '../../support/open-test-pool.js';

const world = new FapiWorld();
let client: FapiClient;
/** the bank's own database */
let bank: Pool;
const clients = new Map<Version, FundsClient>();
const given = new Map<Version, { consentId: string; token: unknown }>();
const scope = 'fundsconfirmations';

beforeAll(async () => {
  await world.start({ ALLOW_AUTHORIZATION_WITHOUT_INTENT: 'false' });
  bank = openTestPool({ connectionString: world.sandbox.postgres.url('sandbox_bank'), max: 2 });
  client = await world.client({
    method: 'private_key_jwt',
    name: 'Shopcard',
    metadata: { grant_types: ['authorization_code', 'client_credentials', 'refresh_token'] },
  });
  for (const { version } of versions) {
    const own = await FundsClient.of(client, version, scope);
    const consentId = await own.stage();
    clients.set(version, own);
    given.set(version, { consentId, token: (await own.agree(consentId, alice))['access_token'] });
  }
});
afterAll(async () => {
  await bank?.end();
  await world.stop();
});

const account = (Identification: string) => ({ DebtorAccount: { ...payroll, Identification } });
const question = (consentId: string, Amount = '20.00') => ({
  ConsentId: consentId,
  InstructedAmount: { Amount, Currency: 'GBP' },
});

/** What the audit trail keeps of the questions of a consent. */
const auditOf = async (consentId: string, action = 'funds.confirmed') =>
  (
    await world.sandbox.database.query(
      `SELECT actor, client_id, interaction_id, details FROM audit_events
       WHERE action = $2 AND details ->> 'consentId' = $1 ORDER BY occurred_at`,
      [consentId, action],
    )
  ).rows;

describe.each(versions)('funds confirmation of $version', ({ version, awaiting, authorised, rejected, revoked }) => {
  const own = () => clients.get(version)!;
  const ofAlice = () => given.get(version)!;
  const code = (name: string, code40: string) => (version === '3.1' ? `UK.OBIE.${name}` : code40);

  it('FC-100 the customer reads who asks, about which account, what it means, and until when (X-21)', async () => {
    const consentId = await own().stage({ ExpirationDateTime: '2037-05-06T12:00:00+00:00' });
    const { browser, page } = await own().pageFor(consentId, alice);
    expect(page.status).toBe(200);
    for (const words of [
      'Let them check that money is available?',
      'Shopcard',
      'ask whether an amount is available in your account; the answer is yes or no, never your balance',
      'Archer Payroll',
      'They can ask until <strong>6 May 2037</strong>.',
      'id="approve"',
      'id="decline"',
    ]) {
      expect(page.html).toContain(words);
    }
    // There is nothing to choose, and nothing of other accounts.
    expect(page.html).not.toContain('type="checkbox"');
    expect(page.html).not.toContain('Archer Suppliers');
    const asked = await browser.submit(page, '/consent');
    for (const words of ['id="one-time-code"', 'Archer Payroll', 'They can ask until <strong>6 May 2037</strong>.']) {
      expect(asked.html).toContain(words);
    }
    expect(await own().status(consentId)).toBe(awaiting);
    const outcome = await browser.submit(asked, '/challenge', { one_time_code: alice.oneTimeCode });
    expect(outcome.kind).toBe('redirect');
    expect(await own().status(consentId)).toBe(authorised);
  });

  it('FC-101 the bank binds its challenge to who asks, what for, the account and the end', async () => {
    const consentId = await own().stage({ ExpirationDateTime: '2037-05-06T12:00:00+00:00' });
    const { browser, page } = await own().pageFor(consentId, alice);
    await browser.submit(page, '/consent');
    const { rows } = await world.sandbox.database.query(
      'SELECT challenge FROM authorization_sessions WHERE consent_id = $1',
      [consentId],
    );
    expect(rows[0]?.['challenge']).toMatchObject({
      bound: {
        purpose: 'Access',
        data: ['ConfirmFunds'],
        accounts: [{ schemeName: payroll.SchemeName, identification: payroll.Identification }],
        endsAt: '2037-05-06T12:00:00+00:00',
        tpp: { clientName: expect.any(String), organisationId: expect.any(String) },
      },
    });
  });

  it.each([
    ['somebody else’s', account('20000122334455'), alice],
    ['nobody’s', account('20000199999999'), alice],
    ['blocked', account('20000144556699'), dave],
    ['one that the customer may not pay from', account('20000144556655'), dave],
  ])('FC-102 an account that is %s leads back to the TPP, and the consent is rejected', async (_what, named, who) => {
    const consentId = await own().stage(named);
    const { page } = await own().pageFor(consentId, who);
    expectEndPage(page, client, { status: 403, error: 'access_denied', state: expect.any(String) });
    expect(page.html).toContain('This account cannot be used');
    expect(await own().status(consentId)).toBe(rejected);
  });

  it('FC-103 an account may be named by its IBAN where the bank has sort code and number', async () => {
    const consentId = await own().stage({
      DebtorAccount: { SchemeName: 'UK.OBIE.IBAN', Identification: ibanOf('20000112345678') },
    });
    const token = (await own().agree(consentId, alice))['access_token'];
    expect(dataOf(await own().ask(token, question(consentId)))['FundsAvailable']).toBe(true);
  });

  it('FC-110 answers yes where there is enough, and no where there is not', async () => {
    const { consentId, token } = ofAlice();
    for (const [amount, isAvailable] of [
      ['0.01', true],
      ['100000000.00', true],
      ['100000000.01', false],
      ['9999999999999', false],
    ] as const) {
      const response = await own().ask(token, question(consentId, amount));
      expect(response.status).toBe(201);
      expect(dataOf(response)).toEqual({
        FundsConfirmationId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        ConsentId: consentId,
        CreationDateTime: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T/),
        FundsAvailable: isAvailable,
        Reference: 'Purchase02',
        InstructedAmount: { Amount: amount, Currency: 'GBP' },
      });
      expect(response.headers['x-jws-signature']).toBeUndefined();
      expect(response.headers['cache-control']).toBe('no-store');
      expect('x-client-id' in response.headers).toBe(version === '4.0');
    }
  });

  it('FC-111 is asked by each request, and recorded in the audit trail with its answer and without the balance', async () => {
    const consentId = await own().stage();
    const token = (await own().agree(consentId, alice))['access_token'];
    const interactionId = randomUUID();
    const headers = { 'x-fapi-interaction-id': interactionId, 'x-idempotency-key': randomUUID() };
    const answers = [];
    // An id in capitals is the same id, and the payer finds both questions by it.
    for (const spelt of [consentId, consentId.toUpperCase()])
      answers.push(dataOf(await own().ask(token, question(spelt), headers)));
    const [one, two] = answers.map((answer) => answer['FundsConfirmationId']);
    expect(one).not.toBe(two);
    const events = await auditOf(consentId);
    expect(events).toHaveLength(2);
    expect(events[0]).toEqual({
      actor: 'api',
      client_id: client.clientId,
      interaction_id: interactionId,
      details: {
        fundsConfirmationId: one,
        consentId,
        psuId: expect.any(String),
        reference: 'Purchase02',
        amount: '20.00',
        currency: 'GBP',
        isAvailable: true,
      },
    });
  });

  it.each([
    ['FC-120', { ConsentId: undefined }, 'Field.Missing', 'U004', 'Data.ConsentId'],
    ['FC-121', { Reference: undefined }, 'Field.Missing', 'U004', 'Data.Reference'],
    ['FC-122', { Reference: 'x'.repeat(36) }, 'Field.Invalid', 'U002', 'Data.Reference'],
    ['FC-123', { InstructedAmount: undefined }, 'Field.Missing', 'U004', 'Data.InstructedAmount'],
    ['FC-124', money('-1.00'), 'Field.Invalid', 'U002', 'Data.InstructedAmount.Amount'],
    ['FC-125', money('0.00'), 'Field.Invalid', 'U002', 'Data.InstructedAmount.Amount'],
    ['FC-126', money('1.001'), 'Field.Invalid', 'U002', 'Data.InstructedAmount.Amount'],
    ['FC-127', money(20), 'Field.Invalid', 'U002', 'Data.InstructedAmount.Amount'],
    ['FC-128', money('1.00', 'EUR'), 'Unsupported.Currency', 'U023', 'Data.InstructedAmount.Currency'],
    ['FC-129', money('1.00', 'gbp'), 'Field.Invalid', 'U002', 'Data.InstructedAmount.Currency'],
  ])('%s refuses %j', async (_id, data, name, code40, path) => {
    const { consentId, token } = ofAlice();
    const response = await own().ask(token, { ConsentId: consentId, ...data });
    expect([response.status, errorsOf(response)]).toEqual([400, [`${code(name, code40)} ${path}`]]);
  });

  it.each(['[]', '{"Data":', '"text"'])('FC-130 refuses the body %s', async (body) => {
    const { token } = ofAlice();
    const response = await own().send('POST', questions, { body, accessToken: String(token) });
    expect([response.status, errorsOf(response)]).toEqual([400, [code('Resource.InvalidFormat', 'U010')]]);
  });

  it('FC-131 refuses headers that are malformed, and a body of another type', async () => {
    const { consentId, token } = ofAlice();
    const faulty = await own().ask(token, question(consentId), { 'x-fapi-interaction-id': 'mine' });
    expect([faulty.status, errorsOf(faulty)]).toEqual([
      400,
      [`${code('Header.Invalid', 'U006')} x-fapi-interaction-id`],
    ]);
    expect((await own().ask(token, question(consentId), { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await own().ask(token, question(consentId), { accept: 'text/csv' })).status).toBe(406);
  });

  it('FC-140 takes the token that the customer approved for this consent, and no other', async () => {
    const { consentId, token } = ofAlice();
    const other = await own().stage();
    const otherToken = (await own().agree(other, alice))['access_token'];
    const refused = async (accessToken: unknown, data = question(consentId)) => {
      const response = await own().ask(accessToken, data);
      return [response.status, response.text === '' ? '' : JSON.stringify(response.json())] as const;
    };
    const binding = await refused(otherToken);
    expect(binding[0]).toBe(403);
    expect(binding[1]).toContain('Token.ConsentBinding');
    const grant = await refused(own().accessToken);
    expect(grant[0]).toBe(403);
    expect(grant[1]).toContain('Token.WrongGrant');
    expect(await refused('x')).toEqual([401, '']);
    const unknown = await own().ask(token, question(randomUUID()));
    expect([unknown.status, errorsOf(unknown)]).toEqual([400, [`${code('Resource.NotFound', 'U011')} Data.ConsentId`]]);
    // The client's own operations take no token of a customer.
    expect((await own().send('GET', `${consents}/${consentId}`, { accessToken: String(token) })).status).toBe(403);
    expect(await auditOf(other)).toEqual([]);
  });

  it('FC-141 is for the client of the consent, in its version and newer ones', async () => {
    const { consentId, token } = ofAlice();
    const stranger = await world.client({ method: 'private_key_jwt', name: 'Stranger' });
    const theirs = await FundsClient.of(stranger, version, scope);
    const consentOfTheirs = await theirs.stage();
    const tokenOfTheirs = (await theirs.agree(consentOfTheirs, alice))['access_token'];
    expect((await theirs.ask(tokenOfTheirs, question(consentId))).status).toBe(403);
    // The token is bound to the certificate of its client.
    expect((await theirs.ask(token, question(consentId))).status).toBe(401);
    const elsewhere = clients.get(version === '3.1' ? '4.0' : '3.1')!;
    const crossed = await elsewhere.ask(token, question(consentId));
    // Release Management: a newer version answers about a consent of an older one, never the other way round.
    if (version === '3.1') expect(crossed.status).toBe(201);
    else
      expect([crossed.status, errorsOf(crossed)]).toEqual([400, ['UK.OBIE.Resource.ConsentMismatch Data.ConsentId']]);
  });

  it('FC-142 ends with the consent: by DELETE of the TPP', async () => {
    const consentId = await own().stage();
    const tokens = await own().agree(consentId, alice);
    expect((await own().ask(tokens['access_token'], question(consentId))).status).toBe(201);
    expect((await own().send('DELETE', `${consents}/${consentId}`)).status).toBe(204);
    expect(await own().status(consentId)).toBe(revoked);
    expect((await own().ask(tokens['access_token'], question(consentId))).status).toBe(401);
    const renewed = await client.token({ grant_type: 'refresh_token', refresh_token: tokens['refresh_token'] });
    expect([renewed.status, renewed.json()['error']]).toEqual([400, 'invalid_grant']);
  });

  it('FC-143 ends with the consent: by the customer, who sees it at /approvals/access and is told what follows (X-27, X-28, X-29)', async () => {
    const consentId = await own().stage({ ExpirationDateTime: '2037-05-06T12:00:00+00:00' });
    const token = (await own().agree(consentId, alice))['access_token'];
    const origin = new URL(client.provider.authorization_endpoint).origin;
    const browser = new PageBrowser(world.sandbox);
    let page = await browser.get(`${origin}/approvals/access`);
    page = await browser.submit(page, '/approvals/sign-in', { username: alice.username, password: alice.password });
    await browser.get(`${origin}/approvals/access`);
    page = await browser.submit(page, '/approvals/second-factor', { one_time_code: alice.oneTimeCode });
    page = await browser.get(`${origin}/approvals/access`);
    expect(page.html).toContain(`grant=${consentId}"`);
    expect(page.html).toContain('never your balance');
    page = await browser.get(`${origin}/approvals/access/end?grant=${consentId}`);
    expect(page.html).toMatch(/contact <strong>[^]*card payments that you make with their card may be declined/);
    const ended = await browser.submit(page, '/approvals/withdraw');
    expect(ended.html).toMatch(/id="notice"[^]*You have ended the access of[^]*those payments may be declined/);
    expect(await own().status(consentId)).toBe(revoked);
    expect((await own().ask(token, question(consentId))).status).toBe(401);
  });

  it('FC-149 the customer reads who asked, when, about which account, and each answer (X-22, X-27)', async () => {
    const consentId = await own().stage({ ExpirationDateTime: '2037-05-06T12:00:00+00:00' });
    const token = (await own().agree(consentId, alice))['access_token'];
    const signedIn = async (who: typeof alice, title: string): Promise<PageBrowser> => {
      const browser = new PageBrowser(world.sandbox);
      const page = await browser.submit(await browser.get(history), '/approvals/sign-in', who);
      const landed = await browser.submit(page, '/approvals/second-factor', { one_time_code: who.oneTimeCode });
      expect(landed.html).toContain(`<h1>${title}</h1>`);
      return browser;
    };
    const list = `${new URL(client.provider.authorization_endpoint).origin}/approvals/access`;
    const history = `${list}/funds?consent=${consentId}`;
    const browser = await signedIn(alice, 'Checks that money was available');
    expect((await browser.get(list)).html).toContain(`href="/approvals/access/funds?consent=${consentId}"`);
    expect((await browser.get(history)).html).toContain('id="no-questions"');
    const lastUse = async (): Promise<string | undefined> => {
      const { html } = await browser.get(list);
      const card = html.split('<h2>').find((part) => part.includes(`?consent=${consentId}"`));
      return /<dt>Last used<\/dt><dd>([^<]+)</.exec(card ?? '')?.[1];
    };
    expect(await lastUse()).toBeUndefined();
    expect((await own().ask(token, question(consentId, '12.34'))).status).toBe(201);
    expect((await own().ask(token, question(consentId, '987654321.00'))).status).toBe(201);
    const used = await lastUse();
    expect(used).toMatch(/^\d+ \w+ \d{4} at [\d:]+$/);
    const text = (await browser.get(history)).html.replaceAll(/(?:<[^>]+>|\s)+/g, ' ');
    expect(text).toMatch(
      /Shopcard [^]*Account Archer Payroll 20-00-01 12345678 Status Active Ends 6 May 2037 at 13:00 [^]*£987,654,321\.00 No, not available \d+ \w+ \d{4} at [\d:]+ Their reference: Purchase02 [^]*£12\.34 Yes, available/,
    );
    const askMore = (from: number, to: number) =>
      world.sandbox.database.query(
        `INSERT INTO audit_events (event_id, occurred_at, actor, action, details)
         SELECT gen_random_uuid(), now() - number * interval '1 hour', 'api', 'funds.unanswered', jsonb_build_object(
           'psuId', (SELECT details ->> 'psuId' FROM audit_events
                      WHERE details ->> 'consentId' = $1 AND action = 'funds.confirmed' LIMIT 1),
           'consentId', $1::text, 'amount', '1.00', 'currency', 'GBP')
         FROM generate_series($2::int, $3::int) AS number`,
        [consentId, from, to],
      );
    await askMore(1, 98);
    expect((await browser.get(history)).html).not.toContain('id="earlier"');
    await askMore(99, 120);
    expect(await lastUse()).toBe(used);
    const [first, earlier] = [await browser.get(history), await browser.get(`${history}&page=1`)];
    const counts = [first, earlier].map(({ html }) => html.match(/<strong class="money"/g)?.length);
    expect(counts).toEqual([100, 22]);
    expect([first.html.includes('id="earlier"'), earlier.html.includes('id="earlier"')]).toEqual([true, false]);
    expect(earlier.html).toContain('No answer: our systems could not check at that time');
    for (const page of ['', '-1', 'x', '99999999']) {
      expect((await browser.get(`${history}&page=${page}`)).html).toContain('id="earlier"');
    }
    const unknown = await browser.get(`${list}/funds?consent=%00`);
    expect(unknown.html).toContain('<h1>Open banking connections</h1>');
    const other = await (await signedIn(bob, 'Open banking connections')).get(history);
    expect(other.html).toContain('<h1>Open banking connections</h1>');
  });

  it('FC-144 ends when its time is over', async () => {
    const consentId = await own().stage({ ExpirationDateTime: '2037-05-06T12:00:00+00:00' });
    const token = (await own().agree(consentId, alice))['access_token'];
    await world.sandbox.database.query('UPDATE access_consents SET expires_at = $2 WHERE consent_id = $1', [
      consentId,
      new Date(Date.now() - 1_000),
    ]);
    expect((await own().ask(token, question(consentId))).status).toBe(401);
    expect(await own().status(consentId)).toBe(version === '3.1' ? 'Revoked' : 'EXPD');
  });

  it('FC-145 answers no of an account that the bank has blocked since', async () => {
    const consentId = await own().stage(account('20000144556688'));
    const token = (await own().agree(consentId, dave))['access_token'];
    const isAvailable = async () => dataOf(await own().ask(token, question(consentId, '0.75')))['FundsAvailable'];
    expect(await isAvailable()).toBe(true);
    const block = 'UPDATE accounts SET is_blocked = $1 WHERE identification = $2';
    await bank.query(block, [true, '20000144556688']);
    expect(await isAvailable()).toBe(false);
    await bank.query(block, [false, '20000144556688']);
  });

  it('FC-147 of an account that pays with two approvers only is agreed to by one of them: nothing is paid', async () => {
    const consentId = await own().stage(account('20000155779911'));
    const token = (await own().agree(consentId, bob))['access_token'];
    expect(await own().status(consentId)).toBe(authorised);
    expect(dataOf(await own().ask(token, question(consentId)))['FundsAvailable']).toBe(true);
  });

  it('FC-148 the ID token has the essential acr', async () => {
    const consentId = await own().stage();
    const { id_token: idToken } = await own().agree(consentId, alice, { value: ACR_SCA, essential: true });
    expect(decodeJwt(String(idToken))).toMatchObject({ openbanking_intent_id: consentId, acr: ACR_SCA });
  });

  it('FC-146 answers 503 while the bank can give no answer, and keeps who asked, but no answer', async () => {
    const consentId = await own().stage();
    const token = (await own().agree(consentId, alice))['access_token'];
    await bank.query('ALTER TABLE accounts RENAME TO accounts_away');
    try {
      const response = await own().ask(token, question(consentId));
      expect([response.status, response.text, response.headers['retry-after']]).toEqual([503, '', '5']);
    } finally {
      await bank.query('ALTER TABLE accounts_away RENAME TO accounts');
    }
    expect(await auditOf(consentId)).toEqual([]);
    expect(await auditOf(consentId, 'funds.unanswered')).toMatchObject([
      { client_id: client.clientId, details: { consentId, amount: '20.00', reason: 'BankUnavailableError' } },
    ]);
    expect((await own().ask(token, question(consentId))).status).toBe(201);
  });
});

function money(Amount: unknown, Currency = 'GBP') {
  return { InstructedAmount: { Amount, Currency } };
}

/** ISO 13616 of an account at NWBK. */
function ibanOf(sortCodeAndNumber: string): string {
  const digits = [...`NWBK${sortCodeAndNumber}GB00`].map((character) => parseInt(character, 36)).join('');
  return `GB${String(98n - (BigInt(digits) % 97n)).padStart(2, '0')}NWBK${sortCodeAndNumber}`;
}
