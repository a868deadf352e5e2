import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { anAccount, aPayment, Browser, fragmentOf, honestBank, intentClaims, type Answer } from './authorize-world.js';
import { hiddenFieldsOf } from '../../support/page-browser.js';
import {
  challengePage,
  consentPage,
  credentials,
  expectEndPage,
  expectErrorPage,
  firstAccount,
  signInPage,
  useAuthorizeWorld,
  world,
} from './pages-world.js';
import { backOf } from '../../support/expectations.js';
import { makeInstructionList } from '../../support/make-instruction-list.js';

useAuthorizeWorld();

const answer = { one_time_code: '123456' };

/** What the bank was asked to verify, the latest last. */
function verifications(): { challengeId: string; binding: Record<string, unknown>; oneTimeCode?: string }[] {
  return world.bodies
    .filter(({ path }) => path.endsWith('/verification'))
    .map(({ path, body }) => ({ challengeId: path.split('/').at(-2) ?? '', ...(body as { binding: object }) })) as [];
}

async function countOfCodes(consentId: string): Promise<number> {
  const rows: unknown[] = await world.dataSource.query(
    'SELECT code_hash FROM authorization_codes WHERE consent_id = $1',
    [consentId],
  );
  return rows.length;
}

async function changePayments(consentId: string, payments: object[]): Promise<void> {
  const { instructions, amounts, approvalHash } = makeInstructionList({ Data: { DomesticPayments: payments } });
  await world.dataSource.transaction(async (manager) => {
    // The guards would refuse it.
    await manager.query('SET LOCAL session_replication_role = replica');
    await manager.query('UPDATE instruction_lists SET instructions = $2, amounts = $3 WHERE consent_id = $1', [
      consentId,
      instructions,
      amounts,
    ]);
    await manager.query('UPDATE payment_consents SET approval_hash = $2 WHERE consent_id = $1', [
      consentId,
      approvalHash,
    ]);
  });
}

/** How often the bank was asked for a challenge. */
const starts = (): number => world.calls.filter((call) => call.endsWith('/challenges')).length;

/** @param sql the challenge to store instead */
async function changeChallenge(consentId: string, sql: string): Promise<void> {
  await world.dataSource.query(`UPDATE authorization_sessions SET challenge = ${sql} WHERE consent_id = $1`, [
    consentId,
  ]);
}

/** Where the page of a challenge is. */
const pageOf = (page: Answer) => `/challenge?authorization=${hiddenFieldsOf(page)['authorization']}`;

/** Opens connections first: the tests below are about clicks, not handshakes. */
async function openConnections(browser: Browser, count: number): Promise<void> {
  await Promise.all(Array.from({ length: count }, () => browser.get('/.well-known/security.txt')));
}

async function asked(payments = [aPayment({})], browser?: Browser) {
  world.bank.challenge.body = { ...world.bank.challenge.body, challengeId: randomUUID() };
  const consentId = await world.aConsent({ payments });
  const first = await signInPage({ claims: intentClaims(consentId) }, browser);
  const signedIn = await first.browser.follow(await first.browser.submit(first.page, '/sign-in', credentials));
  return { consentId, browser: first.browser, page: await challengePage(first.browser, signedIn) };
}

// SCA-RTS art. 5: what was authenticated is what is approved, and once.
describe('the challenge of an approval', () => {
  it('is sent to the bank once by 200 parallel twins, which get one code', async () => {
    const { consentId, browser, page } = await asked();
    await openConnections(browser, 200);
    const before = verifications().length;
    const twins = await Promise.all(Array.from({ length: 200 }, () => browser.submit(page, '/challenge', answer)));
    expect(verifications()).toHaveLength(before + 1);
    expect(await countOfCodes(consentId)).toBe(1);
    const codes = twins.filter(({ status }) => status === 303).map((twin) => fragmentOf(twin)['code']);
    expect(new Set(codes).size).toBe(1);
    expect(codes).toHaveLength(200);
  });

  it('of one file does not approve another, in whichever tab the code is typed', async () => {
    const first = await asked();
    const second = await asked([aPayment({ InstructedAmount: { Amount: '9.99', Currency: 'GBP' } })], first.browser);
    const { authorization = '', csrf_token: token = '' } = hiddenFieldsOf(first.page);
    const other = hiddenFieldsOf(second.page);
    // The form of one with the session of the other, both ways round.
    for (const fields of [
      { ...other, csrf_token: token },
      { ...other, authorization },
    ]) {
      expectErrorPage(await first.browser.post('/challenge', { ...fields, ...answer }), 403);
    }
    expect([await countOfCodes(first.consentId), await countOfCodes(second.consentId)]).toEqual([0, 0]);
    expect(fragmentOf(await first.browser.submit(first.page, '/challenge', answer))).toHaveProperty('code');
    expect(verifications().at(-1)?.binding).toMatchObject({ fileId: first.consentId, total: '1234.50' });
    expect(await world.consentStatus(second.consentId)).toBe('AwaitingAuthorisation');
  });

  it('is not answered by a page that shows another one: a code typed there does not reach the bank', async () => {
    const consentId = await world.aConsent();
    const { browser, page } = await consentPage({ claims: intentClaims(consentId) });
    const press = async (account: string): Promise<Answer> => {
      world.bank.challenge.body = { ...world.bank.challenge.body, challengeId: randomUUID() };
      return browser.follow(await browser.submit(page, '/consent', { debtor_account: account }));
    };
    const first = await press(firstAccount);
    const second = await press('UK.OBIE.SortCodeAccountNumber:20040511112222');
    const calls = world.calls.filter((call) => call.includes('/challenges')).length;
    for (const path of ['/challenge', '/challenge/again']) {
      const stale = await browser.press(first, path, answer);
      expect([stale.status, stale.headers.location]).toEqual([400, undefined]);
      expect(stale.body).toContain('Petty cash');
      expect(stale.body).toContain('This page was out of date');
    }
    expect(world.calls.filter((call) => call.includes('/challenges'))).toHaveLength(calls);
    expect(second.body).not.toContain((world.bank.challenge.body as { challengeId: string }).challengeId);
    expect(fragmentOf(await browser.submit(second, '/challenge', answer))).toHaveProperty('code');
  });

  it('keeps waiting while the bank cannot say its status', async () => {
    world.bank.challenge.body = { ...world.bank.challenge.body, method: 'Push', codeBy: undefined };
    const { consentId, browser, page } = await asked();
    const [, status = ''] = /data-status="([^"]+)"/.exec(page.body) ?? [];
    world.bank.findChallengeStatus = 503;
    expect((await browser.get(status)).body).toBe('Pending');
    const waiting = await browser.get(pageOf(page));
    expect([waiting.status, waiting.body.includes('id="waiting"')]).toEqual([200, true]);
    world.bank.findChallengeStatus = 200;
    world.bank.challengeStatus = 'Approved';
    expect(fragmentOf(await browser.get(pageOf(page)))).toHaveProperty('code');
    expect(await countOfCodes(consentId)).toBe(1);
  });

  it.each([
    ['one digit', aPayment({ InstructedAmount: { Amount: '1234.51', Currency: 'GBP' } })],
    [
      'a payee',
      aPayment({
        CreditorAccount: { SchemeName: 'UK.OBIE.SortCodeAccountNumber', Identification: '08080021325699', Name: 'X' },
      }),
    ],
  ])(
    'is of no use once %s of the file has changed: the customer reads it again first (DP-084)',
    async (_title, changed) => {
      const { consentId, browser, page } = await asked();
      await changePayments(consentId, [changed]);
      const before = verifications().length;
      const late = await browser.submit(page, '/challenge', answer);
      expect([late.status, late.headers.location]).toEqual([303, expect.stringMatching(/^\/consent\?.*ending=Used/)]);
      expect(verifications()).toHaveLength(before);
      expect(await world.consentStatus(consentId)).toBe('AwaitingAuthorisation');
      const again = await browser.follow(late);
      expect(again.body).toContain('id="error"');
      expect(again.body).toContain('id="approve"');
    },
  );

  it('of a single payment names amount, currency, payee, account and TPP to the bank (DP-084, X-5, SCA-RTS art. 5(1))', async () => {
    await world.dataSource.query(`UPDATE clients SET on_behalf_of_org = 'Shop Ltd'`);
    const { browser, page } = await asked();
    await browser.submit(page, '/challenge', answer);
    await world.dataSource.query('UPDATE clients SET on_behalf_of_org = NULL');
    const bound = {
      total: '1234.50',
      currency: 'GBP',
      numberOfPayments: 1,
      payee: {
        name: 'ACME <i>Supplies</i>',
        schemeName: 'UK.OBIE.SortCodeAccountNumber',
        identification: '08080021325698',
      },
      debtorAccount: { schemeName: 'UK.OBIE.SortCodeAccountNumber', identification: '20040512345678' },
      tpp: { clientName: expect.stringContaining('PayDay'), organisationId: 'org-1', onBehalfOf: 'Shop Ltd' },
    };
    expect(world.bodies.findLast(({ path }) => path.endsWith('/challenges'))?.body).toMatchObject(bound);
    expect(verifications().at(-1)?.binding).toMatchObject(bound);
    const several = await asked([aPayment({}), aPayment({})]);
    await several.browser.submit(several.page, '/challenge', answer);
    expect(verifications().at(-1)?.binding).toMatchObject({ numberOfPayments: 2 });
    expect(verifications().at(-1)?.binding).not.toHaveProperty('payee');
  });

  it('asks the bank with what is stored when the answer arrives, not with what was stored at the start', async () => {
    const { browser, page } = await asked();
    await browser.submit(page, '/challenge', answer);
    const start = world.bodies.findLast(({ path }) => path.endsWith('/challenges'))?.body;
    expect(verifications().at(-1)).toMatchObject({ oneTimeCode: '123456', binding: start });
  });

  it('approves nothing if the bank says that its values differ', async () => {
    const { consentId, browser, page } = await asked();
    world.bank.oneTimeCode = { status: 409, body: { reason: 'OtherValues' } };
    const late = await browser.submit(page, '/challenge', answer);
    expect([late.status, late.headers.location]).toEqual([303, expect.stringMatching(/^\/consent\?.*ending=Used/)]);
    expect(await countOfCodes(consentId)).toBe(0);
  });

  it('is asked for once by 200 parallel twins of the button', async () => {
    const { browser, page } = await consentPage({ claims: intentClaims(await world.aConsent()) });
    await openConnections(browser, 200);
    const before = starts();
    const press = () => browser.submit(page, '/consent', { debtor_account: firstAccount });
    const twins = await Promise.all(Array.from({ length: 200 }, press));
    expect(starts()).toBe(before + 1);
    for (const twin of twins) {
      expect([twin.status, twin.headers.location]).toEqual([303, expect.stringMatching(/^\/challenge\?/)]);
    }
    expect((await browser.follow(twins.at(-1)!)).body).toContain('id="challenge-summary"');
  });

  it.each([
    ['another total', `jsonb_set(challenge, '{bound,total}', '"1234.51"')`],
    ['no name of the organisation', `challenge #- '{bound,tpp,organisationName}'`],
  ])('is of no use if the bank has bound it to %s: the bank is not asked', async (_title, change) => {
    const { consentId, browser, page } = await asked();
    await changeChallenge(consentId, change);
    const before = verifications().length;
    const late = await browser.submit(page, '/challenge', answer);
    expect([late.status, late.headers.location]).toEqual([303, expect.stringMatching(/^\/consent\?.*ending=Used/)]);
    expect(verifications()).toHaveLength(before);
  });

  it.each([
    ['is blocked', { unusable: 'Blocked' }],
    ['needs another person', { approvalsRequired: 2 }],
  ])('is not answered once the account %s: the customer chooses again first', async (_title, change) => {
    const { consentId, browser, page } = await asked();
    const changed = anAccount({ identification: '20040512345678', name: 'Business current account', ...change });
    const other = anAccount({ identification: '20040511112222', name: 'Petty cash' });
    world.bank.accounts = { status: 200, body: { accounts: [changed, other] } };
    const before = verifications().length;
    const late = await browser.submit(page, '/challenge', answer);
    expect([late.status, late.headers.location]).toEqual([303, expect.stringMatching(/^\/consent\?.*ending=Changed/)]);
    expect((await browser.follow(late)).body).toContain('This page was out of date');
    expect([verifications().length, await countOfCodes(consentId)]).toEqual([before, 0]);
  });

  it('is not answered after the time by which the TPP wants it', async () => {
    const CompletionDateTime = new Date(Date.now() + 60_000).toISOString();
    const consentId = await world.aConsent({ authorisation: { AuthorisationType: 'Any', CompletionDateTime } });
    const { browser, page } = await consentPage({ claims: intentClaims(consentId) });
    const challenge = await challengePage(browser, page);
    world.now = new Date(Date.now() + 61_000);
    expectEndPage(await browser.press(challenge, '/challenge', answer), 409, 'invalid_request');
    expect(await countOfCodes(consentId)).toBe(0);
  });

  it('is started again once the bank no longer accepts an answer to it', async () => {
    const { consentId, browser, page } = await asked();
    world.bank.oneTimeCode = { status: 409, body: { reason: 'Used' } };
    const over = await browser.follow(await browser.submit(page, '/challenge', answer));
    world.bank = honestBank();
    const before = starts();
    expect(over.body).toMatch(/value="[^"]+" required checked/);
    const next = await challengePage(browser, over);
    expect(starts()).toBe(before + 1);
    expect(fragmentOf(await browser.submit(next, '/challenge', answer))).toHaveProperty('code');
    expect(await countOfCodes(consentId)).toBe(1);
  });

  it.each(['Push', 'Code'])(
    'is valid even if the database was unavailable after the bank accepted it (%s)',
    async (method) => {
      world.bank.challenge.body = { ...world.bank.challenge.body, method, codeBy: undefined };
      const { consentId, browser, page } = await asked();
      const before = verifications().length;
      world.bank.challengeStatus = 'Approved';
      const confirm = () =>
        method === 'Push' ? browser.get(pageOf(page)) : browser.submit(page, '/challenge', answer);
      await world.dataSource.query(
        `CREATE FUNCTION fail_over() RETURNS trigger LANGUAGE plpgsql AS $$
           BEGIN RAISE EXCEPTION 'away' USING ERRCODE = '57P01'; END $$;
         CREATE TRIGGER fail_over BEFORE INSERT ON authorization_codes FOR EACH ROW EXECUTE FUNCTION fail_over()`,
      );
      try {
        const failed = await confirm();
        expectErrorPage(failed, 503);
        expect(failed.body).toContain('We cannot tell whether your decision was recorded');
      } finally {
        await world.dataSource.query('DROP TRIGGER fail_over ON authorization_codes; DROP FUNCTION fail_over()');
      }
      world.bank.challengeStatus = 'Used';
      world.bank.oneTimeCode = { status: 409, body: { reason: 'Used' } };
      expect(fragmentOf(await browser.get(pageOf(page)))).toHaveProperty('code');
      expect([verifications().length, await countOfCodes(consentId)]).toEqual([before + 1, 1]);
    },
  );

  it('in the bank’s app, approved for one file, leaves another one waiting', async () => {
    world.bank.challenge.body = { ...world.bank.challenge.body, method: 'Push', codeBy: undefined };
    const first = await asked();
    const second = await asked([aPayment({})], first.browser);
    // The bank takes the approval of the first one alone.
    world.bank.challengeStatus = 'Pending';
    expect((await first.browser.get(pageOf(second.page))).body).toContain('id="waiting"');
    world.bank.challengeStatus = 'Approved';
    await openConnections(first.browser, 50);
    const before = verifications().length;
    const twins = await Promise.all(Array.from({ length: 50 }, () => first.browser.get(pageOf(first.page))));
    expect(verifications().slice(before)).toEqual([
      expect.objectContaining({ binding: expect.objectContaining({ fileId: first.consentId }) }),
    ]);
    expect(verifications().at(-1)).not.toHaveProperty('oneTimeCode');
    // A late click finds the page that says so, and behind its button the same.
    const locations = twins.map((twin) => ({
      ...twin,
      headers: { location: twin.headers.location ?? backOf(twin) },
    }));
    expect(new Set(locations.map((twin) => fragmentOf(twin)['code'])).size).toBe(1);
    expect(await countOfCodes(first.consentId)).toBe(1);
    expect(await world.consentStatus(second.consentId)).toBe('AwaitingAuthorisation');
  });
});

describe('a stranger with the address of an authorization request', () => {
  it('cannot end the consent: neither by the button nor by wrong passwords', async () => {
    const consentId = await world.aConsent();
    const declining = await signInPage({ claims: intentClaims(consentId) });
    await declining.browser.submit(declining.page, '/decline');
    const guessing = await signInPage({ claims: intentClaims(consentId) });
    world.bank.password = { status: 423, body: { reason: 'Locked' } };
    await guessing.browser.submit(guessing.page, '/sign-in', credentials);
    expect(await world.consentStatus(consentId)).toBe('AwaitingAuthorisation');
    world.bank.password = { status: 200, body: { psuId: 'psu-1', displayName: 'Alex' } };
    const { page } = await consentPage({ claims: intentClaims(consentId) });
    expect(page.body).toContain('id="approve"');
  });
});
