import { describe, expect, it } from '@jest/globals';
import { until } from '../../support/expectations.js';
import { Browser, type Answer } from './authorize-world.js';
import { credentials, signInPage, useAuthorizeWorld, world } from './pages-world.js';

useAuthorizeWorld();

/** How many challenges the bank has been asked for. */
const starts = (): number => world.calls.filter((call) => call.endsWith('/challenges')).length;

/** How many codes the bank has been sent. */
const checks = (): number => world.calls.filter((call) => call.endsWith('/verification')).length;

const intent = async () => ({
  claims: { id_token: { openbanking_intent_id: { value: await world.aConsent(), essential: true } } },
});

const cookieOf = ({ headers }: Answer): string | undefined =>
  [headers['set-cookie'] ?? []]
    .flat()
    .find((line) => !line.includes('language'))
    ?.split(';')[0];

async function visit(): Promise<{ browser: Browser; page: Answer }> {
  const browser = new Browser(world);
  return { browser, page: await browser.get('/approvals') };
}

describe('two clicks on the button below a password', () => {
  it('send one code to a customer without a TPP, whichever answer the browser keeps', async () => {
    const { browser, page } = await visit();
    const before = starts();
    const clicks = await Promise.all([1, 2, 3].map(() => browser.submit(page, '/approvals/sign-in', credentials)));
    expect(starts()).toBe(before + 1);
    expect(clicks.map(({ status }) => status)).toEqual([303, 303, 303]);
    expect(new Set(clicks.map(cookieOf)).size).toBe(1);
    const asked = await browser.get('/approvals');
    expect(asked.body).toContain('id="one-time-code"');
    const done = await browser.submit(asked, '/approvals/second-factor', { one_time_code: '123456' });
    expect((await browser.follow(done)).body).toContain('id="sign-out"');
  });

  it('send one code in a journey in which both factors come first', async () => {
    world.authorization.bothFactorsFirst = true;
    const { browser, page } = await signInPage(await intent());
    const before = starts();
    const clicks = await Promise.all([1, 2, 3].map(() => browser.submit(page, '/sign-in', credentials)));
    expect(starts()).toBe(before + 1);
    expect(new Set(clicks.map(cookieOf)).size).toBe(1);
    const asked = await browser.follow(clicks[2]!);
    expect(asked.body).toContain('id="one-time-code"');
    const done = await browser.submit(asked, '/second-factor', { one_time_code: '123456' });
    expect((await browser.follow(done)).body).toContain('id="consent-summary"');
  });
});

const latestEnd = async (): Promise<number> => {
  const [{ latest }] = await world.dataSource.query<[{ latest: Date }]>(
    `SELECT max(expires_at) AS latest FROM (
       SELECT expires_at FROM approval_sessions UNION ALL SELECT expires_at FROM authorization_sessions) AS session`,
  );
  return latest.getTime();
};

/** Two clicks, the second while the bank checks the code, and one of a browser that has lost the answer to them. */
async function clickTwice(browser: Browser, page: Answer, path: string, second = '123456') {
  const code = { one_time_code: '123456' };
  const other = new Browser(world);
  for (const [name, value] of browser.cookies) other.cookies.set(name, value);
  const clicks: Promise<Answer>[] = [];
  world.beforeVerified = async () => {
    const before = await latestEnd();
    // It extends the session, and so shows that it has come.
    world.now = new Date(Date.now() + 10_000);
    clicks.push(browser.submit(page, path, { one_time_code: second }));
    await until(async () => (await latestEnd()) > before);
  };
  clicks.unshift(browser.submit(page, path, code));
  const answers = [await clicks[0]!, await clicks[1]!];
  return { answers, other, late: await other.submit(page, path, code) };
}

async function askedAt(path: string): Promise<{ browser: Browser; asked: Answer }> {
  world.authorization.bothFactorsFirst = true;
  const { browser, page } = path.startsWith('/approvals') ? await visit() : await signInPage(await intent());
  return { browser, asked: await browser.press(page, path.replace('second-factor', 'sign-in'), credentials) };
}

describe('two clicks on the button below a code', () => {
  it('sign a customer in without a TPP, whichever answer the browser keeps', async () => {
    const { browser, page } = await visit();
    const asked = await browser.press(page, '/approvals/sign-in', credentials);
    const before = checks();
    const { answers: clicks, other, late } = await clickTwice(browser, asked, '/approvals/second-factor');
    expect([checks() - before, new Set(clicks.map(cookieOf)).size, cookieOf(clicks[0]!)]).toEqual([
      1,
      1,
      expect.stringMatching(/^__Host-approvals=/),
    ]);
    expect((await browser.follow(clicks[0]!)).body).toContain('id="sign-out"');
    // After the new right has come, the old value is worthless.
    expect([cookieOf(late), late.headers.location]).toEqual([undefined, '/approvals?ended=1']);
    const again = await other.press(await other.follow(late), '/approvals/sign-in', credentials);
    expect(again.body).toContain('id="one-time-code"');
  });

  it('lead on in a journey in which both factors come first, whichever answer the browser keeps', async () => {
    world.authorization.bothFactorsFirst = true;
    const { browser, page } = await signInPage(await intent());
    const asked = await browser.press(page, '/sign-in', credentials);
    const before = checks();
    const { answers: clicks, late } = await clickTwice(browser, asked, '/second-factor');
    expect(checks()).toBe(before + 1);
    expect([new Set(clicks.map(cookieOf)).size, cookieOf(clicks[0]!)]).toEqual([1, expect.any(String)]);
    expect((await browser.follow(clicks[0]!)).body).toContain('id="consent-summary"');
    // Nobody has both factors because somebody else gave the second one.
    expect([cookieOf(late), late.status]).toEqual([undefined, 400]);
  });

  const paths = ['/approvals/second-factor', '/second-factor'];

  it.each(paths)('lead nobody on who sends another code while the right one is checked: %s', async (path) => {
    const { browser, asked } = await askedAt(path);
    const { answers } = await clickTwice(browser, asked, path, '654321');
    expect(answers.map(cookieOf)).toEqual([expect.any(String), undefined]);
  });

  it.each(paths)('say to both that it was wrong: %s', async (path) => {
    world.bank.oneTimeCode = { status: 401, body: { reason: 'InvalidCredentials' } };
    const { browser, asked } = await askedAt(path);
    const { answers: clicks } = await clickTwice(browser, asked, path);
    expect(new Set(clicks.map(cookieOf)).size).toBe(1);
    expect((await browser.follow(clicks[0]!)).body).toContain('id="one-time-code-error"');
  });
});
