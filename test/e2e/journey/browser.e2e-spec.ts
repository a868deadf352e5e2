import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { aTpp, type TestTpp } from '../../support/a-tpp.js';
import { anInitiation } from '../../support/a-consent-request.js';
import { aPaymentFile } from '../../support/a-payment-file.js';
import { findBrowser, launchBrowser, openContext, press } from '../../support/find-browser.js';
import { startTestSandbox, type TestSandbox } from '../../support/start-test-sandbox.js';

const executablePath = findBrowser();
if (!executablePath) {
  process.stderr.write(
    'The tests in a browser are skipped: no Chromium or Chrome found; CHROME_PATH=<file> names one.\n',
  );
}
const describeInBrowser = executablePath ? describe : describe.skip;

const screens = [
  { name: 'desktop', viewport: { width: 1_280, height: 900 }, isMobile: false },
  { name: 'phone', viewport: { width: 360, height: 740 }, isMobile: true },
] as const;

/** Everything fits the width of the screen. */
async function expectNoSidewaysScrolling(page: Page): Promise<void> {
  const width = await page.evaluate<number>('document.documentElement.scrollWidth');
  expect(width).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0);
}

describeInBrowser('a customer in a web browser', () => {
  let sandbox: TestSandbox;
  let tpp: TestTpp;
  let browser: Browser;

  beforeAll(async () => {
    sandbox = await startTestSandbox();
    tpp = await aTpp(sandbox);
    browser = await launchBrowser();
  });

  afterAll(async () => {
    await browser?.close();
    tpp?.close();
    await sandbox?.stop();
  });

  /** Opens the pages of a request without JavaScript, and answers for the TPP's site, which does not exist. */
  async function openPages(
    screen: (typeof screens)[number],
    work: (page: Page, arrivals: string[]) => Promise<void>,
  ): Promise<void> {
    const { name, viewport, isMobile } = screen;
    const context = await openContext(browser, { viewport, isMobile, javaScriptEnabled: false });
    const page = await context.newPage();
    const arrivals: string[] = [];
    await page.route(`${tpp.credentials.redirectUris[0]}**`, async (route) => {
      arrivals.push(route.request().url());
      await route.fulfill({ status: 200, contentType: 'text/html', body: '<h1 id="tpp">Back at the TPP</h1>' });
    });
    try {
      await work(page, arrivals);
    } catch (error) {
      const folder = resolve('coverage', 'screenshots');
      await mkdir(folder, { recursive: true });
      await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
      throw error;
    } finally {
      await context.close();
    }
  }

  it.each(screens)('signs in and approves on a $name, and the TPP makes the payments', async (screen) => {
    const file = aPaymentFile({ payments: 150 });
    const consentId = await tpp.stageFile(file);
    const request = await tpp.createAuthorizationRequest(consentId);
    await openPages(screen, async (page, arrivals) => {
      await page.goto(request.url);
      await page.fill('#username', 'alice');
      await page.fill('#password', 'alice-password');
      await expectNoSidewaysScrolling(page);
      const signInAddress = page.url();
      await press(page, '#sign-in');
      const summary = await page.locator('#consent-summary').innerText();
      expect(summary).toContain('£1,575.00');
      expect(summary).toContain('150 payments');
      expect(summary).toContain('TPP One');
      await expectNoSidewaysScrolling(page);
      expect(new URL(page.url()).pathname).not.toBe(new URL(signInAddress).pathname);
      expect(await page.locator('#decline').count()).toBe(1);
      await page.locator('input[name=debtor_account]').first().check();
      await press(page, '#approve');
      await page.fill('#one-time-code', '111111');
      await expectNoSidewaysScrolling(page);
      expect(await page.locator('#decline').count()).toBe(1);
      await page.click('#continue');
      await page.waitForSelector('#tpp');
      expect(arrivals).toHaveLength(1);
      // The fragment never reaches the TPP's server, so it is the browser that knows it.
      const location = page.url();
      const consent = { consentId, initiation: anInitiation(file), location, request };
      const accessToken = await tpp.exchangeCode(consent);
      expect((await tpp.pay(consent, { accessToken })).status).toBe(201);
    });
  });

  it('is told of a wrong password and of a wrong code, and can try again', async () => {
    const consentId = await tpp.stageFile();
    const { url } = await tpp.createAuthorizationRequest(consentId);
    await openPages(screens[0], async (page) => {
      await page.goto(url);
      await page.fill('#username', 'carol');
      await page.fill('#password', 'not it');
      await page.click('#sign-in');
      expect(await page.locator('#error-code').innerText()).toBe('InvalidCredentials');
      await page.fill('#password', 'carol-password');
      await page.click('#sign-in');
      await page.locator('input[name=debtor_account]').first().check();
      await page.click('#approve');
      await page.fill('#one-time-code', '000000');
      await press(page, '#continue');
      expect(await page.locator('#error').isVisible()).toBe(true);
      await page.fill('#one-time-code', '333333');
      await page.click('#continue');
      await page.waitForSelector('#tpp');
    });
  });

  it.each([
    ['sign-in', 'AwaitingAuthorisation'],
    ['consent', 'Rejected'],
    ['challenge', 'Rejected'],
  ])('FP-186 can decline on the page of the %s, and the consent is %s', async (stage, status) => {
    const consentId = await tpp.stageFile();
    const { url, state } = await tpp.createAuthorizationRequest(consentId);
    await openPages(screens[1], async (page, arrivals) => {
      await page.goto(url);
      if (stage !== 'sign-in') {
        await page.fill('#username', 'bob');
        await page.fill('#password', 'bob-password');
        await page.click('#sign-in');
      }
      if (stage === 'challenge') {
        await page.locator('input[name=debtor_account]').first().check();
        await page.click('#approve');
        await page.waitForSelector('#one-time-code');
      }
      await page.click('#decline');
      if (stage === 'consent') await page.click('#decline');
      await page.waitForSelector('#tpp');
      expect(arrivals).toHaveLength(1);
      const answer = new URLSearchParams(new URL(page.url()).hash.slice(1));
      expect(answer.get('error')).toBe('access_denied');
      expect(answer.get('state')).toBe(state);
      expect(answer.has('code')).toBe(false);
    });
    expect(await tpp.consentStatus(consentId)).toBe(status);
  });
});
