import { describe, expect, it } from '@jest/globals';
import { CustomerInBrowser, hasBrowser, screens } from './customer-in-browser.js';

(hasBrowser ? describe : describe.skip)('a customer in a web browser', () => {
  const customer = new CustomerInBrowser();

  it.each([
    ['sign-in', 'AwaitingAuthorisation'],
    ['consent', 'Rejected'],
    ['challenge', 'Rejected'],
    ['challenge, with the keyboard alone', 'Rejected'],
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
      if (stage.startsWith('challenge')) {
        await page.locator('input[name=debtor_account]').first().check();
        await page.click('#approve');
        await page.waitForSelector('#one-time-code');
      }
      const decline = async () => {
        if (!stage.includes('keyboard')) return page.click('#decline');
        for (let presses = 0; presses < 40; presses += 1) {
          if ((await page.evaluate('document.activeElement?.id')) === 'decline') break;
          await page.keyboard.press('Tab');
        }
        await page.keyboard.press('Enter');
      };
      await decline();
      if (stage !== 'sign-in') {
        await page.waitForURL(/decline=/);
        await decline();
      }
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
