import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { aTpp, type TestTpp } from '../../support/a-tpp.js';
import { findBrowser, launchBrowser, openContext } from '../../support/find-browser.js';
import { startTestSandbox, type TestSandbox } from '../../support/start-test-sandbox.js';

export const hasBrowser = findBrowser() !== undefined;
if (!hasBrowser) {
  process.stderr.write(
    'The tests in a browser are skipped: no Chromium or Chrome found; CHROME_PATH=<file> names one.\n',
  );
}

export const screens = [
  { name: 'desktop', viewport: { width: 1_280, height: 900 }, isMobile: false },
  { name: 'phone', viewport: { width: 360, height: 740 }, isMobile: true },
] as const;

/** A customer's browser and the TPP that sends the customer, both ready before the suite's first test. */
export class CustomerInBrowser {
  #sandbox: TestSandbox | undefined;
  #tpp: TestTpp | undefined;
  #browser: Browser | undefined;

  constructor() {
    beforeAll(async () => {
      [this.#sandbox, this.#browser] = await Promise.all([startTestSandbox(), launchBrowser()]);
      this.#tpp = await aTpp(this.#sandbox);
    });
    afterAll(async () => {
      await this.#browser?.close();
      this.#tpp?.close();
      await this.#sandbox?.stop();
    });
  }

  get tpp(): TestTpp {
    return this.#tpp as TestTpp;
  }

  /** Opens the pages of a request without JavaScript, and answers for the TPP's site, which does not exist. */
  async openPages(
    screen: (typeof screens)[number],
    work: (page: Page, arrivals: string[]) => Promise<void>,
  ): Promise<void> {
    const { name, viewport, isMobile } = screen;
    const context = await openContext(this.#browser as Browser, { viewport, isMobile, javaScriptEnabled: false });
    const page = await context.newPage();
    const arrivals: string[] = [];
    await page.route(`${this.tpp.credentials.redirectUris[0]}**`, async (route) => {
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
}
