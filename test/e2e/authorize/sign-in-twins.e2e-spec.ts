import { describe, expect, it } from '@jest/globals';
import { Browser, type Answer } from './authorize-world.js';
import { credentials, signInPage, useAuthorizeWorld, world } from './pages-world.js';

useAuthorizeWorld();

/** How many challenges the bank has been asked for. */
const starts = (): number => world.calls.filter((call) => call.endsWith('/challenges')).length;

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
