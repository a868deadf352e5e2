import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Browser, intentClaims, type Answer } from './authorize-world.js';
import { textOf } from '../../support/apps/tpp.js';
import { hiddenFieldsOf } from '../../support/page-browser.js';
import {
  challengePage,
  consentPage,
  credentials,
  firstAccount,
  signInPage,
  useAuthorizeWorld,
  world,
} from './pages-world.js';

const code = { one_time_code: '123 456' };
const wrongPassword = { status: 401, body: { reason: 'InvalidCredentials' } };
const sent = new Set<string>();

/** Sends a form, which must lead to a page; reloading that page sends nothing. */
async function send(browser: Browser, page: Answer, path: string, fields: Record<string, string> = {}) {
  return pageAfter(browser, path, await browser.submit(page, path, fields));
}

/** As above, from an old page: what its form was for has ended since. */
async function sendLate(browser: Browser, page: Answer, path: string, fields: Record<string, string>) {
  return pageAfter(browser, path, await browser.post(path, { ...hiddenFieldsOf(page), ...fields }));
}

async function pageAfter(browser: Browser, path: string, answer: Answer): Promise<Answer> {
  sent.add(path);
  expect({ path, status: answer.status }).toEqual({ path, status: 303 });
  return answer.headers.location?.toString().startsWith('/') === true ? browser.follow(answer) : answer;
}

const said = ({ body }: Answer): string | undefined =>
  /<div class="problem"[\s\S]*?<a[^>]*>([^<]+)</.exec(body)?.[1] ?? /id="notice"[^>]*>([^<]+)</.exec(body)?.[1];

async function visit(): Promise<{ browser: Browser; list: Answer }> {
  const browser = new Browser(world);
  const second = await send(browser, await browser.get('/approvals'), '/approvals/sign-in', credentials);
  return { browser, list: await send(browser, second, '/approvals/second-factor', code) };
}

/** Sends forms that another page could send: they are refused, and the bank is not asked. */
async function forge(browser: Browser, page: Answer, paths: readonly string[]): Promise<void> {
  const fields = { ...credentials, ...code, debtor_account: firstAccount, csrf_token: 'x'.repeat(43) };
  for (const path of paths) {
    const asked = world.calls.length;
    const { status } = await browser.post(path, { ...hiddenFieldsOf(page), ...fields });
    expect({ path, status, asked: world.calls.length }).toEqual({ path, status: 403, asked });
  }
}

const asked = (word: string): number => world.calls.filter((call) => call.endsWith(word)).length;

describe('after every form the browser gets a page that it can reload (303)', () => {
  useAuthorizeWorld();

  it('a mistake is said once, and reloading repeats nothing', async () => {
    const { browser, page } = await signInPage({ claims: intentClaims(await world.aConsent()) });
    expect(said(await send(browser, page, '/sign-in'))).toBe('Enter your username');
    const endless = { username: 'u'.repeat(1_200) };
    expect(said(await send(browser, page, '/sign-in', endless))).toBe('Enter your password');
    expect(said(await send(browser, page, '/sign-in', { ...endless, password: 'p' }))).toContain('is wrong');
    world.bank.password = wrongPassword;
    const wrong = await send(browser, page, '/sign-in', credentials);
    expect([wrong.status, said(wrong)]).toEqual([400, 'The username or password is wrong. Check both and try again.']);
    expect(wrong.body).toContain('value="alex"');
    const asked = world.calls.filter((call) => call.endsWith('/password')).length;
    const address = /name="authorization" value="([^"]+)"/.exec(page.body)?.[1];
    const again = await browser.get(`/sign-in?authorization=${address}`);
    expect([again.status, said(again)]).toEqual([200, undefined]);
    expect(world.calls.filter((call) => call.endsWith('/password'))).toHaveLength(asked);
  });

  it('in the journey, whatever comes of them', async () => {
    world.authorization.bothFactorsFirst = true;
    const first = await signInPage({ claims: intentClaims(await world.aConsent()) });
    const factor = await send(first.browser, first.page, '/sign-in', credentials);
    expect(said(await send(first.browser, factor, '/second-factor'))).toBe('Enter your one-time code');
    const anew = await send(first.browser, factor, '/second-factor/again');
    expect(said(anew)).toContain('We have sent you a new code.');
    await send(first.browser, anew, '/second-factor', code);
    world.authorization.bothFactorsFirst = false;

    const { browser, page } = await consentPage({ claims: intentClaims(await world.aConsent()) });
    expect(said(await send(browser, page, '/consent'))).toBe('Choose the account to pay from');
    await send(browser, page, '/consent/order', { order: 'Amount' });
    const challenge = await send(browser, page, '/consent', { debtor_account: firstAccount });
    world.bank.oneTimeCode = wrongPassword;
    const wrong = await send(browser, challenge, '/challenge', code);
    expect([wrong.status, said(wrong)]).toEqual([400, 'The one-time code is wrong. Check it and try again.']);
    const renewed = await send(browser, wrong, '/challenge/again');
    expect(said(renewed)).toContain('We have sent you a new code.');
    await send(browser, renewed, '/decline');
  });

  it.each([
    ['TextMessage', ['Send a new code', 'Check that your phone shows', 'We have sent you a new code.']],
    [
      'Device',
      ['Start again with a new code', 'your phone or card reader', 'Use your card reader or your banking app to get'],
    ],
    [undefined, ['Send a new code', 'your phone or card reader', 'We have sent you a new code.']],
    ['Push', ['Ask in the app again', 'Check that your phone shows', 'We have asked you again in your banking app.']],
  ])('asking again says what fits the way to confirm: %s', async (by, [button = '', compare, after]) => {
    const way = by === 'Push' ? { method: by, codeBy: undefined } : { method: 'Code', codeBy: by };
    world.bank.challenge.body = { ...world.bank.challenge.body, ...way };
    const { browser, page } = await consentPage({ claims: intentClaims(await world.aConsent()) });
    const challenge = await challengePage(browser, page);
    expect(textOf(challenge.body, 'again')).toBe(button);
    expect(textOf(challenge.body, 'safety')).toContain(compare);
    expect(said(await send(browser, challenge, '/challenge/again'))).toContain(after);
  });

  it('no form of the journey is taken with the token of another page, and the bank is not asked', async () => {
    world.authorization.bothFactorsFirst = true;
    const first = await signInPage({ claims: intentClaims(await world.aConsent()) });
    await forge(first.browser, first.page, ['/sign-in']);
    const factor = await first.browser.follow(await first.browser.submit(first.page, '/sign-in', credentials));
    await forge(first.browser, factor, ['/second-factor', '/second-factor/again']);
    world.authorization.bothFactorsFirst = false;

    const { browser, page } = await consentPage({ claims: intentClaims(await world.aConsent()) });
    await forge(browser, page, ['/consent', '/decline']);
    await forge(browser, await challengePage(browser, page), ['/challenge', '/challenge/again', '/decline']);
  });

  describe.each([
    ['in the journey', 'authorization_sessions', '/second-factor', `NEW.stage = 'Consent'`],
    ['at the overview', 'approval_sessions', '/approvals/second-factor', 'NEW.acr IS NOT NULL'],
  ])('where the database fails after the bank has accepted a code, %s', (_, table, path, isSignedIn) => {
    async function halfSignedIn(): Promise<{ browser: Browser; factor: Answer }> {
      world.authorization.bothFactorsFirst = true;
      if (path === '/second-factor') {
        const { browser, page } = await signInPage({ claims: intentClaims(await world.aConsent()) });
        return { browser, factor: await send(browser, page, '/sign-in', credentials) };
      }
      const browser = new Browser(world);
      return {
        browser,
        factor: await send(browser, await browser.get('/approvals'), '/approvals/sign-in', credentials),
      };
    }

    async function codeWhileAway(condition: string): Promise<{ browser: Browser; factor: Answer }> {
      const { browser, factor } = await halfSignedIn();
      await world.dataSource.query(
        `CREATE FUNCTION away() RETURNS trigger LANGUAGE plpgsql AS $$
           BEGIN RAISE EXCEPTION 'away' USING ERRCODE = '57P01'; END $$;
         CREATE TRIGGER away BEFORE UPDATE ON ${table} FOR EACH ROW WHEN (${condition}) EXECUTE FUNCTION away()`,
      );
      try {
        expect((await browser.submit(factor, path, code)).status).toBe(503);
      } finally {
        await world.dataSource.query(`DROP TRIGGER away ON ${table}; DROP FUNCTION away()`);
      }
      return { browser, factor };
    }

    it('the sign-in goes on without asking the bank again', async () => {
      const { browser, factor } = await codeWhileAway(isSignedIn);
      const before = asked('/verification');
      const next = await send(browser, factor, path, code);
      expect([next.status, said(next), asked('/verification')]).toEqual([200, undefined, before]);
      expect(next.body).not.toContain('one-time-code');
    });

    it('no page says that a new code was sent before one is', async () => {
      const { browser, factor } = await codeWhileAway(
        'OLD.challenge_checked_at IS NOT NULL AND NEW.challenge_checked_at IS NULL',
      );
      const before = asked('/challenges');
      const next = await send(browser, factor, `${path}/again`);
      expect([next.status, said(next), asked('/challenges')]).toEqual([200, undefined, before]);
      world.now = new Date(Date.now() + 61_000);
      expect(said(await send(browser, next, `${path}/again`))).toContain('We have sent you a new code.');
    });
  });

  it('an end is said by the page of the ended session, also when it is reloaded', async () => {
    const { browser, page } = await consentPage({ claims: intentClaims(await world.aConsent()) });
    const challenge = await challengePage(browser, page);
    world.bank.oneTimeCode = { status: 423, body: { reason: 'Locked' } };
    const end = await send(browser, challenge, '/challenge', code);
    expect(end.status).toBe(403);
    expect(end.body).toContain('id="back-to-tpp"');
  });

  it('somebody who asks for too many codes is signed out, and may sign in again', async () => {
    const browser = new Browser(world);
    let page = await send(browser, await browser.get('/approvals'), '/approvals/sign-in', credentials);
    for (let more = 1; more < 10; more += 1) page = await send(browser, page, '/approvals/second-factor/again');
    const refused = await browser.submit(page, '/approvals/second-factor/again');
    expect([refused.status, refused.body.includes('We signed you out to keep you safe.')]).toEqual([429, true]);
    const next = await send(browser, await browser.get('/approvals'), '/approvals/sign-in', credentials);
    expect((await send(browser, next, '/approvals/second-factor', code)).body).toContain('id="sign-out"');
  });

  it('at the overview', async () => {
    const stranger = new Browser(world);
    const door = await stranger.get('/approvals');
    expect(said(await send(stranger, door, '/approvals/sign-in'))).toBe('Enter your username');
    const endless = { username: 'u'.repeat(1_200) };
    expect(said(await send(stranger, door, '/approvals/sign-in', endless))).toBe('Enter your password');
    world.bank.password = { status: 423, body: { reason: 'Locked' } };
    const locked = await send(stranger, door, '/approvals/sign-in', credentials);
    expect([locked.status, locked.body.includes('Your access is locked.')]).toEqual([403, true]);
    world.bank.password = { status: 200, body: { psuId: 'psu-1', displayName: 'Alex' } };
    const factor = await send(stranger, door, '/approvals/sign-in', credentials);
    expect(said(await send(stranger, factor, '/approvals/second-factor/again'))).toContain('a new code');

    const { browser, list } = await visit();
    await sendLate(browser, list, '/approvals/withdraw', { grant: 'none' });
    await sendLate(browser, list, '/approvals/sessions/end', { session: 'others' });
    await send(browser, list, '/approvals/sign-out');

    world.bank.challenge.body = { ...world.bank.challenge.body, method: 'Push', codeBy: undefined };
    const waiting = await send(browser, await browser.get('/approvals'), '/approvals/sign-in', credentials);
    const [, status = ''] = / data-status="([^"]+)" data-own="\/approvals\?/.exec(waiting.body) ?? [];
    expect((await browser.get(status)).body).toBe('Pending');
  });

  it('which are all forms of the pages, but those of a payment that waits (approvals.e2e-spec.ts)', () => {
    const folder = join(import.meta.dirname, '../../../apps/authorize/src/pages/templates');
    const text = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
    const actions = [...text.join('').matchAll(/(?:form)?action="(\/[a-z/-]+)"/g)].map(([, action = '']) => action);
    const elsewhere = ['/approvals/approve'];
    expect([...new Set(actions)].filter((action) => !sent.has(action) && !elsewhere.includes(action))).toEqual([]);
  });
});
