import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { anInitiation } from '../../support/a-consent-request.js';
import { aPaymentFile } from '../../support/a-payment-file.js';
import { goBack, press } from '../../support/find-browser.js';
import { CustomerInBrowser, hasBrowser, screens } from './customer-in-browser.js';

/** Everything fits the width of the screen. */
async function expectNoSidewaysScrolling(page: Page): Promise<void> {
  const width = await page.evaluate<number>('document.documentElement.scrollWidth');
  expect(width).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0);
}

(hasBrowser ? describe : describe.skip)('a customer in a web browser', () => {
  const customer = new CustomerInBrowser();

  it.each(screens)('signs in and approves on a $name, and the TPP makes the payments', async (screen) => {
    const file = aPaymentFile({ payments: 150 });
    const consentId = await customer.tpp.stageFile(file);
    const request = await customer.tpp.createAuthorizationRequest(consentId);
    await customer.openPages(screen, async (page, arrivals) => {
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
      // The fragment never reaches the TPP's server, so only the browser knows it.
      const location = page.url();
      const consent = { consentId, initiation: anInitiation(file), location, request };
      const accessToken = await customer.tpp.exchangeCode(consent);
      expect((await customer.tpp.pay(consent, { accessToken })).status).toBe(201);
      await goBack(page);
      expect(await page.locator('h1').innerText()).toBe('You have approved this');
    });
  });

  it('is told of a wrong password and of a wrong code, and can try again', async () => {
    const consentId = await customer.tpp.stageFile();
    const { url } = await customer.tpp.createAuthorizationRequest(consentId);
    await customer.openPages(screens[0], async (page) => {
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
});
