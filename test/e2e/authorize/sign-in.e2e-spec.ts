import { describe, expect, it } from '@jest/globals';
import { Browser, honestBank, intentClaims, type Answer } from './authorize-world.js';
import {
  challengePage,
  credentials,
  expectEndPage,
  firstAccount,
  signInPage,
  useAuthorizeWorld,
  world,
} from './pages-world.js';

useAuthorizeWorld();

/** How often the bank was asked for a password. */
const passwordsAsked = (): number => world.calls.filter((call) => call.endsWith('/password')).length;

describe('the sign-in', () => {
  it('shows the page again for a wrong password or code, without saying which', async () => {
    const { browser, page } = await signInPage({ claims: intentClaims(await world.aConsent()) });
    world.bank.password = { status: 401, body: { reason: 'InvalidCredentials' } };
    const again = await browser.press(page, '/sign-in', credentials);
    expect(again.status).toBe(400);
    expect(again.body).toContain('InvalidCredentials');
    expect(again.body).not.toContain(credentials.password);
    expect(again.body).toContain('id="decline"');
    world.bank = honestBank();
    const calls = world.calls.length;
    // What no keyboard types does not reach the bank, which might stumble over it.
    for (const strange of [{ username: 'ali\u0000ce' }, { password: 'pass\u0007' }, { username: 'a'.repeat(129) }]) {
      expect((await browser.press(again, '/sign-in', { ...credentials, ...strange })).status).toBe(400);
    }
    expect(world.calls).toHaveLength(calls);
    const challenge = await challengePage(
      browser,
      await browser.follow(await browser.submit(again, '/sign-in', credentials)),
    );
    const asked = world.calls.length;
    expect((await browser.press(challenge, '/challenge', { one_time_code: '1' })).status).toBe(400);
    expect(world.calls).toHaveLength(asked);
    world.bank.oneTimeCode = { status: 401, body: { reason: 'InvalidCredentials' } };
    const wrong = await browser.press(challenge, '/challenge', { one_time_code: '123456' });
    expect(wrong.status).toBe(400);
    expect(wrong.body).toContain('<title>Error: ');
  });

  // Anybody who knows a user name can have it locked, also while its customer reads. So a lock does not decide on the
  // consent.
  it.each(['password', 'challenge', 'oneTimeCode'] as const)(
    'tells a PSU locked at the %s, and leaves the consent waiting',
    async (step) => {
      const consentId = await world.aConsent();
      const { browser, page } = await signInPage({ claims: intentClaims(consentId) });
      world.bank[step] = { status: 423, body: { reason: 'Locked' } };
      let answer = await browser.press(page, '/sign-in', credentials);
      if (step !== 'password') answer = await browser.press(answer, '/consent', { debtor_account: firstAccount });
      if (step === 'oneTimeCode') answer = await browser.press(answer, '/challenge', { one_time_code: '123456' });
      expectEndPage(answer, 403, 'access_denied');
      expect(await world.consentStatus(consentId)).toBe('AwaitingAuthorisation');
    },
  );

  it.each(['password', 'accounts', 'challenge', 'oneTimeCode'] as const)(
    'tells the PSU when the bank fails at %s',
    async (step) => {
      const consentId = await world.aConsent();
      const { browser, page } = await signInPage({ claims: intentClaims(consentId) });
      world.bank[step] = { status: 503, body: {} };
      let answer = await browser.press(page, '/sign-in', credentials);
      if (step === 'challenge' || step === 'oneTimeCode')
        answer = await browser.press(answer, '/consent', { debtor_account: firstAccount });
      if (step === 'oneTimeCode') answer = await browser.press(answer, '/challenge', { one_time_code: '123456' });
      expectEndPage(answer, 503, 'temporarily_unavailable');
      expect(await world.consentStatus(consentId)).toBe('AwaitingAuthorisation');
    },
  );

  it('tells the PSU when the bank answers nonsense', async () => {
    const odd = await signInPage({ claims: intentClaims(await world.aConsent()) });
    world.bank.password = { status: 200, body: { psuId: 7 } };
    expectEndPage(await odd.browser.press(odd.page, '/sign-in', credentials), 500, 'server_error');
  });

  it('stops one password being tried on many customers in one session, and leaves the consent to its own customer', async () => {
    const consentId = await world.aConsent();
    const { browser, page } = await signInPage({ claims: intentClaims(consentId) });
    world.bank.password = { status: 401, body: { reason: 'InvalidCredentials' } };
    const before = passwordsAsked();
    const answers: Answer[] = [];
    for (let count = 0; count < 40; count += 1) {
      answers.push(await browser.press(page, '/sign-in', { username: `customer-${count}`, password: 'Summer2026!' }));
    }
    expect(passwordsAsked() - before).toBe(10);
    expect(answers.map(({ status }) => status)).toEqual([
      ...Array.from({ length: 10 }, () => 400),
      ...Array.from({ length: 30 }, () => 429),
    ]);
    expectEndPage(answers[10]!, 429, 'access_denied');
    // It has ended for good, also for the right password.
    world.bank.password = honestBank().password;
    expect((await browser.press(page, '/sign-in', credentials)).body).toContain('Too many attempts to sign in');
    expect(await world.consentStatus(consentId)).toBe('AwaitingAuthorisation');
  });

  it('asks the bank no more often for 200 simultaneous passwords', async () => {
    const { browser, page } = await signInPage({ claims: intentClaims(await world.aConsent()) });
    world.bank.password = { status: 401, body: { reason: 'InvalidCredentials' } };
    const before = passwordsAsked();
    const guess = (_: unknown, index: number) =>
      browser.submit(page, '/sign-in', { username: `customer-${index}`, password: 'x' });
    await Promise.all(Array.from({ length: 200 }, guess));
    expect(passwordsAsked() - before).toBe(10);
  });

  it('gives the session a new value with the sign-in', async () => {
    const { browser, page } = await signInPage({ claims: intentClaims(await world.aConsent()) });
    const values = [[...browser.cookies.values()][0]];
    await browser.submit(page, '/sign-in', credentials);
    values.push([...browser.cookies.values()][0]);
    expect(new Set(values).size).toBe(2);
  });

  it('survives two clicks on one button, whichever answer the browser keeps', async () => {
    const { browser, page } = await signInPage({ claims: intentClaims(await world.aConsent()) });
    const clicks = await Promise.all([1, 2].map(() => browser.submit(page, '/sign-in', credentials)));
    const cookies = clicks.map(({ headers }) => [headers['set-cookie'] ?? []].flat()[0]?.split(';')[0]);
    expect(cookies[0]).toBeDefined();
    expect(cookies[1]).toBe(cookies[0]);
    expect((await browser.follow(clicks[1]!)).body).toContain('id="consent-summary"');
  });

  it('survives a second click after the first has been answered, but not one of somebody else', async () => {
    const { browser, page } = await signInPage({ claims: intentClaims(await world.aConsent()) });
    const before = new Map(browser.cookies);
    const first = await browser.submit(page, '/sign-in', credentials);
    const late = new Browser(world);
    for (const [name, value] of before) late.cookies.set(name, value);
    const wrong = honestBank();
    world.bank.password = { status: 200, body: { ...wrong.password.body, psuId: 'psu-2' } };
    expect((await late.submit(page, '/sign-in', credentials)).headers['set-cookie']).toBeUndefined();
    world.bank = honestBank();
    const second = await late.submit(page, '/sign-in', credentials);
    expect(second.headers['set-cookie']).toEqual(first.headers['set-cookie']);
    expect((await late.follow(second)).body).toContain('id="consent-summary"');
  });
});
