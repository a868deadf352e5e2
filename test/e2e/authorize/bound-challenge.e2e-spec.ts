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
  signInPage,
  useAuthorizeWorld,
  world,
} from './pages-world.js';
import { backOf } from '../../support/expectations.js';

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

  it('is not answered once the account is blocked: the customer chooses again first', async () => {
    const { consentId, browser, page } = await asked();
    const account = { identification: '20040512345678', name: 'Business current account' };
    const changed = anAccount({ ...account, unusable: 'Blocked' });
    const other = anAccount({ identification: '20040511112222', name: 'Petty cash' });
    world.bank.accounts = { status: 200, body: { accounts: [changed, other] } };
    const late = await browser.submit(page, '/challenge', answer);
    expect([late.status, late.headers.location]).toEqual([303, expect.stringMatching(/^\/consent\?.*ending=Changed/)]);
    expect((await browser.follow(late)).body).toContain('This page was out of date');
    expect(await countOfCodes(consentId)).toBe(0);
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
    expect(over.body).toMatch(/value="[^"]+" required checked/);
    const next = await challengePage(browser, over);
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
