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
    const challenge = await challengePage(
      browser,
      await browser.follow(await browser.submit(again, '/sign-in', credentials)),
    );
    world.bank.oneTimeCode = { status: 401, body: { reason: 'InvalidCredentials' } };
    const wrong = await browser.press(challenge, '/challenge', { one_time_code: '123456' });
    expect(wrong.status).toBe(400);
    expect(wrong.body).toContain('<title>Error: ');
  });

  // Anybody who knows a user name can have it locked, also while its customer reads. So a lock does not decide on the
  // consent.
  it.each([
    ['locks them at the password', 'password', 423, 403, 'access_denied'],
    ['locks them at the oneTimeCode', 'oneTimeCode', 423, 403, 'access_denied'],
    ['fails at the password', 'password', 503, 503, 'temporarily_unavailable'],
    ['fails at the accounts', 'accounts', 503, 503, 'temporarily_unavailable'],
    ['fails at the oneTimeCode', 'oneTimeCode', 503, 503, 'temporarily_unavailable'],
  ] as const)('tells the PSU when the bank %s, and leaves the consent waiting', async (...row) => {
    const [, step, status, shown, error] = row;
    const consentId = await world.aConsent();
    const { browser, page } = await signInPage({ claims: intentClaims(consentId) });
    world.bank[step] = { status, body: status === 423 ? { reason: 'Locked' } : {} };
    let answer = await browser.press(page, '/sign-in', credentials);
    if (step === 'oneTimeCode') {
      answer = await browser.press(answer, '/consent', { debtor_account: firstAccount });
      answer = await browser.press(answer, '/challenge', { one_time_code: '123456' });
    }
    expectEndPage(answer, shown, error);
    expect(await world.consentStatus(consentId)).toBe('AwaitingAuthorisation');
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

  it('gives the session a new value with the sign-in', async () => {
    const { browser, page } = await signInPage({ claims: intentClaims(await world.aConsent()) });
    const values = [[...browser.cookies.values()][0]];
    await browser.submit(page, '/sign-in', credentials);
    values.push([...browser.cookies.values()][0]);
    expect(new Set(values).size).toBe(2);
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
