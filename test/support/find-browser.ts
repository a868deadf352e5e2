import { existsSync } from 'node:fs';
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core';

const places = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** @returns path of a Chromium or Chrome of this machine; CHROME_PATH names another one */
export function findBrowser(): string | undefined {
  const named = process.env['CHROME_PATH'];
  return (named ? [named] : places).find((path) => existsSync(path));
}

/** A limit for what hangs, not a measure: for the start of a browser and for each step on its pages. */
const longestStepMilliseconds = 120_000;

/** @param args further switches of its command line */
export function launchBrowser(...args: string[]): Promise<Browser> {
  return launch(findBrowser(), args);
}

/** Debian's browser without what is around a page, such as warnings of certificates. */
const shell = '/usr/bin/chromium-headless-shell';

/** For many pages: the shell, where there is one, computes a fifth as much for each. */
export function launchShell(): Promise<Browser> {
  return launch(!process.env['CHROME_PATH'] && existsSync(shell) ? shell : findBrowser(), []);
}

function launch(executablePath: string | undefined, args: readonly string[]): Promise<Browser> {
  return chromium.launch({
    ...(executablePath && { executablePath }),
    args: ['--no-sandbox', '--disable-dev-shm-usage', ...args],
    timeout: longestStepMilliseconds,
  });
}

/** @returns a new context in which no certificate is verified: the authority of a test is unknown to the browser */
export async function openContext(browser: Browser, options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const context = await browser.newContext({ ignoreHTTPSErrors: true, ...options });
  context.setDefaultTimeout(longestStepMilliseconds);
  return context;
}

/**
 * Presses a link or button to another page, and waits until that page is complete, because counting and listing
 * elements do not wait.
 */
export async function press(page: Page, selector: string): Promise<void> {
  await Promise.all([page.waitForEvent('load'), page.click(selector)]);
}

/** Presses "back". A page of another site has no history for a moment after it opens: then it is pressed again. */
export async function goBack(page: Page): Promise<void> {
  const deadline = Date.now() + longestStepMilliseconds;
  for (;;) {
    try {
      await page.goBack({ waitUntil: 'commit' });
      return;
    } catch (error) {
      if (!String(error).includes('Not attached to an active page') || Date.now() > deadline) throw error;
      await page.waitForTimeout(50);
    }
  }
}
