import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { aPaymentFile } from '../../support/a-payment-file.js';
import { findBrowser, launchShell, openContext } from '../../support/find-browser.js';
import { runAxe } from '../../support/run-axe.js';
import { AccessClient } from '../account-access/access-client.js';
import type { FapiClient } from '../../support/a-client.js';
import { FapiWorld, intentClaims } from './fapi-world.js';
import { aLastingApproval, anAddress, aSharedPayment } from './staged-journeys.js';

const executablePath = findBrowser();
if (executablePath === undefined) console.log('Accessibility was not tested: no Chromium or Chrome was found.');
const describeInBrowser = executablePath === undefined ? describe.skip : describe;
const screenshots = process.env['SCREENSHOT_FOLDER'];

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
/** The smaller one comes last; everything is done on it. */
const viewports = { 'a desktop': { width: 1_280, height: 900 }, 'a phone': { width: 320, height: 740 } };
const world = new FapiWorld();
let client: FapiClient;
let browser: Browser;
const origin = (): string => new URL(client.provider.authorization_endpoint).origin;

describeInBrowser('WCAG 2.2 AA on a phone and on a desktop', () => {
  let context: BrowserContext;
  let page: Page;

  beforeAll(async () => {
    await world.start();
    client = await world.client({ method: 'tls_client_auth', name: 'Payroll' });
    browser = await launchShell();
  });

  async function fresh(viewport = viewports['a phone']): Promise<void> {
    await context?.close();
    // The pages allow no script, but the checker has to run in them.
    context = await openContext(browser, { viewport, bypassCSP: true });
    page = await context.newPage();
  }

  /** No violation of any rule, and no horizontal scrolling (WCAG 1.4.10). */
  async function check(name: string): Promise<void> {
    for (const [device, viewport] of Object.entries(viewports)) {
      await page.setViewportSize(viewport);
      if (screenshots !== undefined) {
        await page.screenshot({ path: `${screenshots}/${device.replace(' ', '-')}-${name}.png`, fullPage: true });
      }
      const found = await runAxe(page, rules);
      const width = await page.evaluate('document.documentElement.scrollWidth');
      expect({ name, device, ...found, width }).toEqual({
        name,
        device,
        violations: [],
        passes: expect.any(Number),
        width: viewport.width,
      });
      expect(found.passes).toBeGreaterThan(10);
    }
  }

  /** Presses a button without the browser's own validation. */
  async function press(id: string): Promise<void> {
    await page.evaluate('document.querySelectorAll("form").forEach((form) => { form.noValidate = true; })');
    await page.click(`#${id}`);
  }

  async function signIn(url: string): Promise<void> {
    await page.goto(url);
    await page.fill('#username', 'alice');
    await page.fill('#password', 'alice-password');
    await press('sign-in');
    if (!url.endsWith('/approvals')) return;
    await page.fill('#one-time-code', '111111');
    await press('continue');
  }

  it('sign-in and challenge, initially and with a mistake', async () => {
    await fresh();
    await page.goto(await anAddress(world, client));
    await check('sign-in');
    await press('sign-in');
    await check('sign-in-problem');
    await page.fill('#username', 'alice');
    await page.fill('#password', 'alice-password');
    await press('sign-in');
    await page.check('[name=debtor_account] >> nth=0');
    await press('approve');
    await check('challenge');
    await press('continue');
    await check('challenge-problem');
  });

  it('the consent to a file of 2 and of 150 payments, initially and with a mistake', async () => {
    for (const payments of [2, 150]) {
      await fresh();
      await signIn(await anAddress(world, client, aPaymentFile({ payments })));
      await page.waitForSelector('#consent-summary');
      await check(`consent-${payments}`);
      await press('approve');
      await page.waitForSelector('#error');
      await check(`consent-${payments}-problem`);
    }
  });

  it('the consent to an identity', async () => {
    await fresh();
    await signIn(client.authorizationUrl(client.requestObject({ scope: 'openid accounts' })));
    await page.waitForSelector('#consent-summary');
    await check('identity');
  });

  it('the consent to account access, its challenge, and what was decided', async () => {
    const access = await AccessClient.of(client, '4.0');
    const claims = intentClaims(await access.stage({ TransactionFromDateTime: '2026-01-01T00:00:00+00:00' }));
    await fresh();
    await signIn(client.authorizationUrl(client.requestObject({ scope: 'openid accounts', claims })));
    await page.waitForSelector('#accounts');
    await check('account-access');
    await press('approve');
    await page.waitForSelector('#error');
    await check('account-access-problem');
    await page.check('#accounts-0');
    await press('approve');
    await page.waitForSelector('#one-time-code');
    await check('account-access-challenge');
    await press('decline');
    await check('account-access-decline');
    // Nobody answers there.
    await Promise.all([
      page.waitForRequest(`${client.redirectUri}**`),
      page.waitForEvent('framenavigated'),
      press('decline'),
    ]);
    await signIn(`${origin()}/approvals`);
    await page.goto(`${origin()}/approvals/decided`);
    await page.waitForSelector('#decided');
    await check('decided');
  });

  it('every page that says what went wrong', async () => {
    await fresh();
    const address = await anAddress(world, client);
    const addresses: [string, string][] = [
      ['error-request', `${origin()}/oauth2/authorize?client_id=nobody`],
      ['error-not-found', `${origin()}/nothing`],
      ['error-session', `${origin()}/consent?authorization=0190aaaa-0000-7000-8000-000000000000`],
    ];
    for (const [name, url] of addresses) {
      await page.goto(url);
      await page.waitForSelector('#error');
      await check(name);
    }
    await page.goto(address);
    await page.evaluate('document.querySelectorAll("[name=csrf_token]").forEach((field) => { field.value = "x"; })');
    await press('sign-in');
    await page.waitForSelector('#error');
    await check('error-form');
  });

  it.each(Object.entries(viewports))('the whole way with the keyboard alone on %s', async (_device, viewport) => {
    await fresh(viewport);
    await page.goto(await anAddress(world, client));
    const tabTo = async (id: string): Promise<void> => {
      for (let presses = 0; presses < 40; presses += 1) {
        if ((await page.evaluate('document.activeElement?.id')) === id) return;
        await page.keyboard.press('Tab');
      }
      throw new Error(`No way to #${id}.`);
    };
    await tabTo('username');
    await page.keyboard.type('alice');
    await tabTo('password');
    await page.keyboard.type('alice-password');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#consent-summary');
    await tabTo('sort');
    await page.keyboard.press('Enter');
    await page.waitForURL(/order=Amount/);
    await tabTo('debtor-account-0');
    await page.keyboard.press('Space');
    await tabTo('approve');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#one-time-code');
    await tabTo('one-time-code');
    await page.keyboard.type('111111');
    await tabTo('decline');
    await page.keyboard.press('Shift+Tab');
    await tabTo('continue');
  });

  it('the pages for further approvers', async () => {
    const filePaymentId = await aSharedPayment(world, client);
    await fresh();
    await page.goto(`${origin()}/approvals`);
    await check('approvals-sign-in');
    await press('sign-in');
    await check('approvals-sign-in-problem');
    await page.fill('#username', 'carol');
    await page.fill('#password', 'carol-password');
    await press('sign-in');
    await check('approvals-second-factor');
    await press('continue');
    await check('approvals-second-factor-problem');
    await page.fill('#one-time-code', '333333');
    await press('continue');
    await check('approvals-list');
    await page.click(`a[href$="${filePaymentId}"]`);
    await check('approvals-payment');
    await page.evaluate('document.querySelectorAll("[name=file_hash]").forEach((field) => { field.value = "x"; })');
    await press('approve');
    await check('approvals-payment-problem');
    await page.goto(`${origin()}/approvals/payment?file_payment=${filePaymentId}`);
    await press('approve');
    await check('approvals-challenge');
    await press('decline');
    await check('approvals-decline');
    await press('decline');
    await page.waitForSelector('#outcome');
    await check('approvals-outcome');
    await page.goto(`${origin()}/approvals/access`);
    await check('access-none');
    await page.goto(`${origin()}/approvals/decided`);
    await check('approvals-decided');
    await page.goto(`${origin()}/approvals/sessions`);
    await check('approvals-sessions');
    await page.goto(`${origin()}/approvals/payment?file_payment=nonsense`);
    await check('approvals-not-found');
  });

  it('the page of given access, before and after a withdrawal', async () => {
    const ledger = await aLastingApproval(world);
    await fresh();
    await signIn(ledger.authorizationUrl(ledger.requestObject({ scope: 'openid accounts' })));
    await page.waitForSelector('#lasting');
    await check('identity-lasting');
    await signIn(`${origin()}/approvals`);
    await page.click('#access');
    await check('access');
    await page.click('#withdraw-0');
    await page.waitForSelector('#keep');
    await check('access-end');
    await press('withdraw');
    await page.waitForSelector('.ended');
    await check('access-ended');
  });
});

afterAll(async () => {
  await browser?.close();
  if (browser !== undefined) await world.stop();
});
