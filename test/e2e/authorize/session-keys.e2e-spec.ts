import { beforeAll, describe, expect, it } from '@jest/globals';
import { Config } from '#libs/config';
import { fragmentOf, intentClaims, type Answer, type Browser } from './authorize-world.js';
import { challengePage, consentPage, credentials, signInPage, useAuthorizeWorld, world } from './pages-world.js';

useAuthorizeWorld();

/** An instance that already writes with the other key. Both keys are read everywhere. */
let promoted: number;
beforeAll(async () => {
  const { secrets } = world.config;
  const sessionKeys = secrets.sessionKeys.toReversed();
  promoted = await world.startInstance(new Config({ ...world.config, secrets: { ...secrets, sessionKeys } }));
});

const clickAt = async (browser: Browser, port: number | undefined, click: () => Promise<Answer>): Promise<Answer> => {
  browser.port = port;
  return click().finally(() => (browser.port = undefined));
};

const cookieOf = ({ headers }: Answer): string | undefined => [headers['set-cookie'] ?? []].flat()[0]?.split(';')[0];

describe('while the keys of sessions are being changed', () => {
  it.each(['the new key', 'the old key'])('two clicks at two instances yield one session: first %s', async (first) => {
    const { browser, page } = await signInPage({ claims: intentClaims(await world.aConsent()) });
    const before = new Map(browser.cookies);
    const ports = first === 'the new key' ? [promoted, undefined] : [undefined, promoted];
    const answers: Answer[] = [];
    for (const port of ports) {
      browser.cookies.clear();
      for (const [name, value] of before) browser.cookies.set(name, value);
      answers.push(await clickAt(browser, port, () => browser.submit(page, '/sign-in', credentials)));
    }
    expect(cookieOf(answers[0]!)).toMatch(/=[\w-]{43}$/);
    expect(cookieOf(answers[1]!)).toBe(cookieOf(answers[0]!));
    expect((await browser.follow(answers[1]!)).body).toContain('id="consent-summary"');
  });

  it.each(['the new key', 'the old key'])('every click on approve gets the same code: first %s', async (first) => {
    const { browser, page } = await consentPage({ claims: intentClaims(await world.aConsent()) });
    const challenge = await challengePage(browser, page);
    const click = () => browser.submit(challenge, '/challenge', { one_time_code: '123456' });
    const ports = first === 'the new key' ? [promoted, undefined] : [undefined, promoted];
    const codes: (string | undefined)[] = [];
    for (const port of ports) codes.push(fragmentOf(await clickAt(browser, port, click))['code']);
    expect(codes[0]).toMatch(/^[\w-]{43}$/);
    expect(codes[1]).toBe(codes[0]);
  });
});
