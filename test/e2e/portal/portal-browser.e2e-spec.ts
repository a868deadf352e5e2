import { request } from 'node:https';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { findBrowser, launchShell, openContext, press } from '../../support/find-browser.js';
import { startTestSandbox, type TestSandbox } from '../../support/start-test-sandbox.js';
import { runAxe } from '../../support/run-axe.js';

const executablePath = findBrowser();
if (executablePath === undefined) console.log('The portal was not tested: no Chromium or Chrome was found.');
const describeInBrowser = executablePath === undefined ? describe.skip : describe;
const screenshots = process.env['SCREENSHOT_FOLDER'];
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

let sandbox: TestSandbox;
let browser: Browser;
let context: BrowserContext;
let page: Page;
const portal = (path = '/'): string => `${sandbox.description.portal.url}${path}`;

beforeAll(async () => {
  if (executablePath === undefined) return;
  sandbox = await startTestSandbox();
  browser = await launchShell();
});

afterAll(async () => {
  await browser?.close();
  await sandbox?.stop();
});

async function fresh(options: BrowserContextOptions = {}): Promise<void> {
  await context?.close();
  context = await openContext(browser, options);
  page = await context.newPage();
}

/** The bank's own pages, as alice. */
async function approveAtBank(): Promise<void> {
  await page.fill('#username', 'alice');
  await page.fill('#password', 'alice-password');
  await page.click('#sign-in');
  await page.locator('input[name=debtor_account]').first().check();
  await page.click('#approve');
  await page.fill('#one-time-code', '111111');
  await page.click('#continue');
}

/** Somebody without a certificate asks for a payment. */
async function askWithoutCertificate(): Promise<void> {
  const url = `${sandbox.description.base_url}/open-banking/v3.1/pisp/file-payments/unknown`;
  await new Promise((resolve, reject) => {
    const asking = request(url, { agent: sandbox.agent }, (answer) => answer.resume().on('end', resolve));
    asking.on('error', reject).end();
  });
}

/** The last one, the narrowest, is used for all actions. */
const views = [
  [1_440, 'light'],
  [768, 'dark'],
  [320, 'light'],
] as const;

/** Runs the steps from the made file to the end. @returns the payments that the bank did not make */
async function exceptionsOfRun(): Promise<string[]> {
  await page.click('#stage');
  await page.click('#approve');
  await approveAtBank();
  await page.click('#pay');
  await page.waitForSelector('#again');
  return page.locator('#exceptions li').allInnerTexts();
}

/** No violation of any rule, and no horizontal scrolling (WCAG 1.4.10), in any view. */
async function check(name: string): Promise<void> {
  for (const [width, colorScheme] of views) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    if (screenshots !== undefined) {
      await page.screenshot({ path: `${screenshots}/portal-${name}-${width}.png`, fullPage: true });
    }
    const found = await runAxe(page, rules);
    const scrolled = await page.evaluate('document.documentElement.scrollWidth');
    expect({ name, violations: found.violations, scrolled }).toEqual({ name, violations: [], scrolled: width });
    expect(found.passes).toBeGreaterThan(10);
    // No label is broken over two lines.
    const heights = await page.evaluate('[...document.querySelectorAll(".card dt")].map((each) => each.offsetHeight)');
    if (name === 'customers') expect(new Set(heights as number[]).size).toBe(1);
  }
}

describeInBrowser('the sandbox portal in a web browser', () => {
  it('pays 150 suppliers: file, consent, bank, callback, payments, each of them settled', async () => {
    await fresh();
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
    await page.goto(portal());
    await page.click('#make-file');
    expect(await page.locator('#file-payments').innerText()).toBe('150');
    await page.click('#stage');
    await page.click('#approve');
    expect(new URL(page.url()).origin).toBe(new URL(sandbox.description.authorization_endpoint).origin);
    await approveAtBank();
    await page.waitForSelector('#pay');
    // The code is neither in the address nor in the history.
    expect(page.url()).toMatch(/\/runs\/[0-9a-f-]{36}$/);
    await page.click('#pay');
    await page.waitForSelector('#again');
    await page.waitForLoadState();
    expect(await page.locator('#payment-status').innerText()).toBe('InitiationCompleted');
    expect(await page.locator('.cells .settled').count()).toBe(150);
    expect(await page.locator('.counts').innerText()).toBe('150 credited');
    expect(faults).toEqual([]);
  });

  it('shows all of it on the live board without a reload, refusals with their reason', async () => {
    await fresh();
    await page.goto(portal('/board'));
    await page.getByText('Live', { exact: true }).waitFor();
    const other = await context.newPage();
    await other.goto(portal('/?sample=three'));
    await other.click('#make-file');
    await other.click('#stage');
    await other.waitForSelector('#approve');
    await page.locator('.state.AwaitingAuthorisation').first().waitFor();
    const upload = page.locator('.request', { hasText: '/file-payment-consents/' }).filter({ hasText: 'POST' }).first();
    expect(await upload.innerText()).toMatch(/200\s[^]* ms\s[^]*api · Supplier Run · signature verified/);
    await askWithoutCertificate();
    const refused = page.locator('.request', { has: page.locator('.status.bad') }).first();
    await refused.locator('summary').click();
    expect(await refused.innerText()).toMatch(/401[^]*Standard[^]*Expected[^]*Got[^]*Fix/);
  });

  it('makes the whole journey without script, with the bank’s answer pasted', async () => {
    await fresh({ javaScriptEnabled: false });
    await page.goto(portal('/?sample=three'));
    await page.click('#make-file');
    await page.click('#stage');
    await page.click('#approve');
    await approveAtBank();
    await page.waitForSelector('#send-answer');
    await page.fill('#answer', page.url());
    await page.click('#send-answer');
    await page.click('#pay');
    await page.waitForSelector('#again');
    expect(await page.locator('.counts').innerText()).toBe('3 credited');
  });

  it('tells whoever sends an older form that the sandbox has restarted, and keeps the CSV', async () => {
    await fresh();
    await page.goto(portal('/?sample=three'));
    const csv = (await page.inputValue('#csv')).replace('Ashford', 'Ashton');
    await page.fill('#csv', csv);
    // The token of another run of the sandbox.
    await page.evaluate(`document.querySelector('#make-file').form.elements.form_token.value = 'of-before'`);
    await press(page, '#make-file');
    expect(await page.locator('#old-form').innerText()).toContain('before the sandbox restarted');
    await press(page, '#send-again');
    expect(new URL(page.url()).pathname).toMatch(/^\/runs\//);
    expect(await page.locator('main').innerText()).toContain(csv.split('\n')[1]?.split(',')[0]);
  });

  it('pays by v4.0 if that is chosen, and runs the same CSV again by it', async () => {
    await fresh();
    await page.goto(portal('/?sample=three'));
    expect(await page.getByLabel('3.1', { exact: true }).isChecked()).toBe(true);
    await page.getByLabel('4.0 (what banks serve today)').check();
    await page.click('#make-file');
    expect(await page.locator('#file-version').innerText()).toBe('4.0');
    await page.click('#stage');
    await page.click('#approve');
    await approveAtBank();
    await page.click('#pay');
    await page.waitForSelector('#again');
    expect(await page.locator('#payment-status').innerText()).toBe('INCO');
    const paths = await page.locator('.request .path').allInnerTexts();
    expect(paths.filter((path) => path.includes('/v3.1/'))).toEqual([]);
    expect(paths.some((path) => path.includes('/v4.0/'))).toBe(true);
    await page.click('#again');
    await page.waitForSelector('#stage');
    expect(await page.locator('#file-version').innerText()).toBe('4.0');
  });

  it('pays one supplier, and pays the same again', async () => {
    await fresh();
    await page.goto(portal('/one'));
    await page.fill('#amount', '12.34');
    await page.click('#make-payment');
    expect(await page.locator('#amount').innerText()).toBe('£12.34');
    await page.click('#stage');
    await page.click('#approve');
    await approveAtBank();
    await page.click('#pay');
    await page.waitForSelector('#again');
    expect(await page.locator('#payment-status').innerText()).toBe('AcceptedCreditSettlementCompleted');
    expect(await page.locator('#refund-account').innerText()).toMatch(/, \d{14}$/);
    await page.click('#again');
    await page.waitForSelector('#stage');
    expect(await page.locator('#payee').innerText()).toBe('Ashford Timber');
  });

  it('says why the bank did not make a single payment', async () => {
    await fresh();
    await page.goto(portal('/one'));
    await page.fill('#amount', '1.99');
    await page.click('#make-payment');
    expect(await exceptionsOfRun()).toEqual(["Ashford Timber, £1.99: rejected. The creditor's account is closed."]);
  });

  it('names the payments that the bank did not make', async () => {
    await fresh();
    await page.goto(portal('/?sample=outcomes'));
    await page.click('#make-file');
    expect(await exceptionsOfRun()).toEqual([
      'Not Posted Ltd, £100.97: accepted without posting',
      'Rejected Ltd, £100.99: rejected',
    ]);
  });

  it('accepts the approval from whichever window comes back, if a run went to the bank in two', async () => {
    await fresh();
    await page.goto(portal('/?sample=three'));
    await page.click('#make-file');
    await page.click('#stage');
    await page.waitForSelector('#approve');
    const other = await context.newPage();
    await other.goto(page.url());
    await page.click('#approve');
    await page.waitForSelector('#username');
    await other.click('#approve');
    await other.waitForSelector('#username');
    await approveAtBank();
    await page.click('#pay');
    await page.waitForSelector('#again');
    expect(await page.locator('.counts').innerText()).toBe('3 credited');
  });

  it('says what the bank said when the customer declines, and takes an answer once', async () => {
    await fresh();
    await page.goto(portal('/?sample=three'));
    await page.click('#make-file');
    await page.click('#stage');
    await page.click('#approve');
    await page.fill('#username', 'alice');
    await page.fill('#password', 'alice-password');
    await page.click('#sign-in');
    await page.click('#decline');
    await page.click('#decline');
    await page.waitForSelector('.problem');
    expect(await page.locator('.problem').innerText()).toContain('access_denied');
    expect(await page.locator('.steps .done').count()).toBe(2);
    await page.goto(portal('/callback#code=a&id_token=b&state=c'));
    expect(await page.locator('#no-run').innerText()).toContain('No run');
  });

  it('names each mistake of a CSV by its line, and leads there', async () => {
    await fresh();
    await page.goto(portal('/?sample=mistakes'));
    await press(page, '#make-file');
    const problems = await page.locator('#faults li').allInnerTexts();
    const lines = ['Line 3', 'Line 4', 'Line 4', 'Line 5', 'Line 6', 'Line 7'];
    expect(problems.map((text) => text.split(':')[0])).toEqual(lines);
    await page.click('#faults li:nth-child(2) a');
    const chosen = await page.evaluate('String(getSelection())');
    expect(chosen).toBe('Corby Paper,20-00-00,1000003,19.5x,INV-3');
    expect(problems.at(-1)).toMatch(/reference/);
    const csv = (await page.inputValue('#csv')).split('\n').slice(0, 2);
    await page.fill('#csv', csv.join('\n'));
    await press(page, '#make-file');
    expect(await page.locator('h1').innerText()).toBe('Pay 1 supplier');
  });

  it('lets time pass and loses an answer; the run continues with the same idempotency key', async () => {
    await fresh();
    await page.goto(portal('/controls'));
    await page.check('#fault-gateway-timeout');
    await page.click('#set-fault');
    expect(await page.locator('#active-faults').innerText()).toContain('Supplier Run: gateway-timeout');
    await page.goto(portal('/?sample=three'));
    await page.click('#make-file');
    await page.click('#stage');
    expect(await page.locator('.problem').innerText()).toContain('504');
    await page.click('#stage');
    await page.waitForSelector('#approve');
    const { rows } = await sandbox.database.query(
      `SELECT count(*)::integer AS staged FROM payment_consents WHERE number_of_transactions = 3 AND status = 'AwaitingUpload'`,
    );
    expect(rows).toEqual([{ staged: 0 }]);
    await page.goto(portal('/controls'));
    await page.check('#span-2h');
    await page.click('#pass-time');
    expect(await page.locator('#notice').innerText()).toBe('2 hours have passed for Supplier Run.');
  });
});

describeInBrowser('every page of the portal, on a phone, a tablet and a desktop, light and dark', () => {
  it('violates no rule of WCAG 2.2 AA and fits', async () => {
    await fresh({ viewport: { width: 320, height: 900 }, bypassCSP: true, reducedMotion: 'reduce' });
    await page.goto(portal());
    await check('home');
    await page.goto(portal('/?sample=mistakes'));
    await page.click('#make-file');
    await check('mistakes');
    await page.goto(portal());
    await page.click('#make-file');
    await check('file');
    await page.click('#stage');
    await page.waitForSelector('#approve');
    await check('bank');
    await page.click('#approve');
    await approveAtBank();
    await page.waitForSelector('#pay');
    await check('approved');
    await page.click('#pay');
    await page.waitForSelector('#again');
    await check('settled');
    await page.goto(portal('/board'));
    await page.getByText('Live', { exact: true }).waitFor();
    for (const path of ['board', 'one', 'controls', 'customers', 'trust', 'callback', 'nowhere']) {
      if (path !== 'board') await page.goto(portal(`/${path}`));
      await check(path);
    }
  });
});
