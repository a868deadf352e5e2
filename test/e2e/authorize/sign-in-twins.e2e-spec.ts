import { describe, expect, it } from '@jest/globals';
import { Browser, type Answer } from './authorize-world.js';
import { hiddenFieldsOf } from '../../support/page-browser.js';
import { credentials, expectErrorPage, signInPage, useAuthorizeWorld, world } from './pages-world.js';

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

  it('are two sign-ins where they are of two people', async () => {
    const { browser, page } = await visit();
    const fields = hiddenFieldsOf(page);
    const first = await browser.post('/approvals/sign-in', { ...fields, ...credentials });
    world.bank.password = { status: 200, body: { psuId: 'somebody-else', displayName: 'Somebody Else' } };
    const other = new Browser(world);
    // The same page before the sign-in, as an earlier user of the machine would have left it.
    const cookies = /__Host-approvals=([^;]+)/.exec(cookieOf(page) ?? '');
    other.cookies.set('__Host-approvals', cookies?.[1] ?? '');
    const second = await other.post('/approvals/sign-in', { ...fields, username: 'sam', password: 'another one' });
    expect([first.status, second.status]).toEqual([303, 303]);
    expect(cookieOf(second)).not.toBe(cookieOf(first));
  });

  it('may be repeated where the bank could not be asked', async () => {
    const { browser, page } = await visit();
    const { challenge } = world.bank;
    world.bank.challenge = { status: 503, body: {} };
    expectErrorPage(await browser.submit(page, '/approvals/sign-in', credentials), 503);
    world.bank.challenge = challenge;
    const before = starts();
    await browser.submit(page, '/approvals/sign-in', credentials);
    expect(starts()).toBe(before + 1);
    expect((await browser.get('/approvals')).body).toContain('id="one-time-code"');
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
