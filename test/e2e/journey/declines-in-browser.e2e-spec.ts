import { describe, expect, it } from '@jest/globals';
import { CustomerInBrowser, hasBrowser, screens } from './customer-in-browser.js';

(hasBrowser ? describe : describe.skip)('a customer in a web browser', () => {
  const customer = new CustomerInBrowser();

  it.each([
    ['sign-in', 'AwaitingAuthorisation'],
    ['consent', 'Rejected'],
    ['challenge', 'Rejected'],
  ])('FP-186 can decline on the page of the %s, and the consent is %s', async (stage, status) => {
    const consentId = await customer.tpp.stageFile();
    const { url, state } = await customer.tpp.createAuthorizationRequest(consentId);
    await customer.openPages(screens[1], async (page, arrivals) => {
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
      if (stage !== 'sign-in') await page.click('#decline');
      await page.waitForSelector('#tpp');
      expect(arrivals).toHaveLength(1);
      const answer = new URLSearchParams(new URL(page.url()).hash.slice(1));
      expect(answer.get('error')).toBe('access_denied');
      expect(answer.get('state')).toBe(state);
      expect(answer.has('code')).toBe(false);
    });
    expect(await customer.tpp.consentStatus(consentId)).toBe(status);
  });
});
