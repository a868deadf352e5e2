import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { findBrowser, goBack, launchBrowser, openContext } from '../../support/find-browser.js';
import { aPayment, AuthorizeWorld, intentClaims, redirectUri } from './authorize-world.js';

const executablePath = findBrowser();
if (executablePath === undefined)
  console.log('The pages were not tested in a browser: no Chromium or Chrome was found.');

const describeInBrowser = executablePath === undefined ? describe.skip : describe;
const screenshots = process.env.SCREENSHOT_FOLDER;

describeInBrowser.each([
  ['a phone', { width: 360, height: 740 }],
  ['a desktop', { width: 1280, height: 900 }],
])('the pages on %s, without JavaScript', (device, viewport) => {
  const world = new AuthorizeWorld();
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    await world.start();
    browser = await launchBrowser(`--host-resolver-rules=MAP tpp.example.com ${world.tppAddress}`);
  });

  afterAll(async () => {
    await browser?.close();
    await world.stop();
  });

  async function open(consentId: string): Promise<void> {
    const context = await openContext(browser, { javaScriptEnabled: false, viewport });
    page = await context.newPage();
    await context.route('https://tpp.example.com/**', (route) =>
      route.fulfill({ status: 200, body: 'back at the TPP' }),
    );
    await page.goto(`${world.origin}${await world.authorizePath({ claims: intentClaims(consentId) })}`);
  }

  async function look(name: string): Promise<void> {
    if (screenshots === undefined) return;
    await page.screenshot({ path: `${screenshots}/${device.replace(' ', '-')}-${name}.png`, fullPage: true });
  }

  it('lead a PSU from the sign-in to the approval and back to the TPP', async () => {
    const payments = Array.from({ length: 150 }, (_, index) => aPayment({ InstructionIdentification: `I${index}` }));
    const consentId = await world.aConsent({ payments, initiation: { FileReference: 'Salaries November' } });
    await open(consentId);
    await look('1-sign-in');
    await page.click('#sign-in');
    expect(await page.textContent('#error')).toContain('Enter your username');
    await look('2-sign-in-problem');
    await page.fill('#username', 'alex');
    await page.fill('#password', 'correct horse');
    const signInUrl = page.url();
    await page.click('#sign-in');
    await page.waitForSelector('#consent-summary');
    expect(new URL(page.url()).pathname).not.toBe(new URL(signInUrl).pathname);
    await look('4-consent');
    // No horizontal scrolling (WCAG 1.4.10).
    for (const part of ['main', '#consent-summary', 'table', '#approve', '#decline']) {
      const box = await page.locator(part).boundingBox();
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(viewport.width);
    }
    await page.check('input[name=debtor_account] >> nth=0');
    await look('5-consent-chosen');
    await page.click('#approve');
    await page.waitForSelector('#one-time-code');
    await look('6-challenge');
    await page.fill('#one-time-code', '123456');
    await page.keyboard.press('Enter');
    await page.waitForURL(({ href }) => href.startsWith(`${redirectUri}#code=`), { waitUntil: 'commit' });
    expect(await world.consentStatus(consentId)).toBe('Authorised');
    await goBack(page);
    await page.waitForSelector('#back-to-tpp');
    expect(await page.textContent('h1')).toBe('You have approved this');
    await look('7-decided');
  });

  it('let the PSU decline, from the keyboard too', async () => {
    const consentId = await world.aConsent();
    await open(consentId);
    await page.focus('#decline');
    await look('8-decline-focused');
    await page.keyboard.press('Enter');
    await page.waitForURL(/access_denied/);
    // Nobody has signed in, so it may be anybody.
    expect(await world.consentStatus(consentId)).toBe('AwaitingAuthorisation');
  });

  it('explain an error that cannot go back to the TPP', async () => {
    await open(await world.aConsent());
    await page.goto(`${world.origin}/oauth2/authorize?client_id=x`);
    expect(await page.textContent('#error-code')).toBe('invalid_request');
    await look('9-error');
  });
});
