import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { errorCatalogue } from '#libs/error-catalogue';
import { aTpp } from '../../support/a-tpp.js';
import { findBrowser, launchShell, openContext } from '../../support/find-browser.js';
import { httpsRequest, type TestResponse } from '../../support/https-request.js';
import { startTestSandbox, type TestSandbox } from '../../support/start-test-sandbox.js';
import { areas, operationsOf } from './api-document.js';

let sandbox: TestSandbox;

beforeAll(async () => {
  sandbox = await startTestSandbox();
});

afterAll(() => sandbox?.stop());

const read = (path: string, headers: Record<string, string> = {}): Promise<TestResponse> =>
  httpsRequest({ url: `${sandbox.description.base_url}${path}`, headers, agent: sandbox.agent });

describe('GET /docs, without a client certificate', () => {
  it('is a page under a strict policy, with assets of this server alone', async () => {
    const page = await read('/docs');
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    const policy = String(page.headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe-inline|unsafe-eval|https?:|\*/);
    const assets = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => String(address));
    expect(assets.filter((address) => !/^(?:\/docs|data:|#)/.test(address))).toEqual([]);
    for (const address of assets.filter((each) => each.startsWith('/docs/assets/'))) {
      const asset = await read(address, { 'accept-encoding': 'gzip' });
      expect([asset.status, asset.headers['content-encoding']]).toEqual([200, 'gzip']);
    }
  });

  it.each(areas)('serves %s with the addresses of this service, as JSON and YAML', async (area) => {
    const json = await read(`/docs/openapi/${area}.json`);
    const yaml = await read(`/docs/openapi/${area}.yaml`);
    expect([json.headers['content-type'], yaml.headers['content-type']]).toEqual([
      'application/json',
      'application/yaml',
    ]);
    const { authorization_endpoint, token_endpoint, base_url } = sandbox.description;
    const own = [authorization_endpoint, token_endpoint, base_url].map((address) => new URL(address).origin);
    const named = [json, yaml].flatMap(({ text }) => text.match(/https:\/\/localhost:\d+/g) ?? []);
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((address) => !own.includes(address))).toEqual([]);
    expect(operationsOf(area, json.json()).length).toBe(operationsOf(area).length);
  });

  it('is where the bare address leads', async () => {
    const { status, headers, text } = await read('/');
    expect([status, headers.location, text]).toEqual([302, '/docs', '']);
  });

  it('is one click from the portal, where the other bare addresses lead', async () => {
    const tpp = await aTpp(sandbox);
    const { authorization_endpoint, token_endpoint } = sandbox.description;
    for (const endpoint of [authorization_endpoint, token_endpoint]) {
      const { status, headers } = await httpsRequest({ url: new URL('/', endpoint).href, agent: tpp.agent });
      expect([status, headers.location]).toEqual([302, `http://localhost:${sandbox.ports.portal}`]);
    }
    tpp.close();
  });

  it('answers 404 for assets and documents that do not exist', async () => {
    for (const path of ['/docs/assets/nothing.js', '/docs/assets/..%2Fpackage.json', '/docs/openapi/nothing.json']) {
      expect((await read(path)).status).toBe(404);
    }
  });
});

describe('GET /docs/errors', () => {
  it('has a page for every code, and lists them all', async () => {
    const catalogue = errorCatalogue(sandbox.config.bank.errorNamespace);
    const list = await read('/docs/errors');
    for (const { code, meaning } of catalogue) {
      expect(list.text).toContain(`href="/docs/errors/${code}"`);
      const page = await read(`/docs/errors/${code}`);
      expect([code, page.status, page.text.includes(code)]).toEqual([code, 200, true]);
      expect(page.text).toContain(meaning.replaceAll("'", '&#39;').replaceAll('"', '&quot;'));
    }
    const unknown = await read('/docs/errors/%3Cscript%3E');
    expect([unknown.status, unknown.text.includes('<script>')]).toEqual([404, false]);
  });

  it.each(['400', '401', '403', '404', '405', '406', '409', '413', '415', '421', '422', '429', '500', '503'])(
    'has a page for status %s, with all its codes',
    async (status) => {
      expect((await read('/docs/errors')).text).toContain('href="/docs/errors/401"');
      const page = await read(`/docs/errors/${status}`);
      expect(page.status).toBe(200);
      const catalogue = errorCatalogue(sandbox.config.bank.errorNamespace);
      const linked = catalogue.filter(({ code }) => page.text.includes(`href="/docs/errors/${code}"`));
      expect(linked).toEqual(catalogue.filter(({ statuses }) => statuses.includes(Number(status))));
      expect(page.text).toMatch(/<h2>(?:Without a body|With a code)<\/h2>/);
    },
  );

  it('is where the errors of all three areas lead', async () => {
    for (const url of await addressesInErrors()) {
      expect((await httpsRequest({ url, agent: sandbox.agent })).status).toBe(200);
    }
  });
});

/** @returns the addresses that an error of each area leads to */
async function addressesInErrors(): Promise<string[]> {
  const tpp = await aTpp(sandbox);
  const { registration_endpoint, token_endpoint } = sandbox.description;
  const request = { method: 'POST', body: 'nothing', agent: tpp.agent };
  const registration = { ...request, url: registration_endpoint, headers: { 'content-type': 'application/jose' } };
  const [payment, registered, token] = await Promise.all([
    tpp.post('/file-payment-consents', '{}'),
    httpsRequest(registration),
    httpsRequest({ ...request, url: token_endpoint }),
  ]);
  tpp.close();
  const { Errors } = payment.json() as { Errors: { Url: string }[] };
  return [String(Errors[0]?.Url), String(registered.json()['error_uri']), String(token.json()['error_uri'])];
}

const executablePath = findBrowser();
const inBrowser = executablePath === undefined ? describe.skip : describe;

inBrowser('Swagger UI in a browser', () => {
  let browser: Browser;
  let page: Page;
  const complaints: string[] = [];

  beforeAll(async () => {
    browser = await launchShell();
    page = await (await openContext(browser)).newPage();
    page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`));
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('requestfailed', (request) => complaints.push(`failed: ${request.url()}`));
    page.on('request', (request) => {
      const { protocol, origin } = new URL(request.url());
      if (protocol !== 'data:' && origin !== sandbox.description.base_url) complaints.push(`foreign: ${request.url()}`);
    });
    await page.goto(`${sandbox.description.base_url}/docs`);
  });

  afterAll(() => browser?.close());

  it.each([
    ['File payments', 'file-payments'],
    ['Authorisation', 'authorisation'],
    ['Discovery and registration', 'discovery-and-registration'],
  ])('shows every operation of %s, opened, without a complaint or a request to another host', async (title, area) => {
    await page.selectOption('.topbar select', { label: title });
    const operations = operationsOf(area);
    // By what is on the page, as the policy of the page forbids a script that asks for it time and again.
    const last = operations.length - 1;
    await page.locator('.info a.link', { hasText: `${area}.json` }).waitFor();
    await page.locator('.opblock').nth(last).waitFor();
    const shown = (await page.locator('.opblock-summary-path').allTextContents()).map((path) =>
      path.replaceAll('\u200b', ''),
    );
    expect(shown.sort()).toEqual(operations.map(({ path }) => path).sort());
    for (const summary of await page.locator('.opblock-summary-control').all()) await summary.click();
    const answers = page.locator('.opblock.is-open .responses-table');
    await answers.nth(last).waitFor();
    expect(await answers.count()).toBe(operations.length);
    expect(complaints).toEqual([]);
  });

  it.each(['Accounts (sandbox)', 'Accounts (sandbox) v4.0'])(
    'shows %s, which the sandbox alone has, without a complaint, and breaks no rule of axe',
    async (label) => {
      const context = await openContext(browser, { bypassCSP: true });
      const own = await context.newPage();
      const heard: string[] = [];
      own.on('console', (message) => heard.push(message.text()));
      await own.goto(`${sandbox.description.base_url}/docs`);
      await own.selectOption('.topbar select', { label });
      await own.locator('.opblock-summary-path', { hasText: 'balances' }).waitFor();
      for (const summary of await own.locator('.opblock-summary-control').all()) await summary.click();
      await own.locator('.opblock.is-open .responses-table').nth(2).waitFor();
      await own.evaluate(axe.source);
      const found = await own.evaluate(async () => {
        const { run } = (globalThis as unknown as { axe: typeof axe }).axe;
        const { violations } = await run({ resultTypes: ['violations'] });
        return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 300)}`));
      });
      expect([found, heard]).toEqual([[], []]);
      await context.close();
    },
  );

  it.each(['light', 'dark'] as const)(
    'breaks no rule of axe in the %s scheme, such as the contrast of WCAG 2.2, 1.4.3',
    async (colorScheme) => {
      const context = await openContext(browser, { colorScheme, bypassCSP: true });
      const own = await context.newPage();
      const thin: Record<string, string[]> = {};
      for (const path of ['/docs', '/docs/errors', '/docs/errors/400']) {
        await own.goto(`${sandbox.description.base_url}${path}`);
        if (path === '/docs')
          await own
            .locator('.opblock')
            .nth(operationsOf('file-payments').length - 1)
            .waitFor();
        for (const summary of await own.locator('.opblock-summary-control').all()) await summary.click();
        await own.evaluate(axe.source);
        thin[path] = await own.evaluate(async () => {
          const { run } = (globalThis as unknown as { axe: typeof axe }).axe;
          const { violations } = await run({ resultTypes: ['violations'] });
          return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 300)}`));
        });
      }
      expect(thin).toEqual({ '/docs': [], '/docs/errors': [], '/docs/errors/400': [] });
      await context.close();
    },
  );

  it('asks for no credentials, and has nothing to be scrolled sideways on a phone (WCAG 1.4.10)', async () => {
    await page.setViewportSize({ width: 320, height: 640 });
    expect(await page.locator('.opblock.is-open').count()).toBeGreaterThan(1);
    expect(await page.locator('.authorize, .authorization__btn').count()).toBe(0);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    // No text is squeezed to a letter in each line.
    const texts = await page.locator('p, h2, h3, small, td').evaluateAll((all) =>
      all.map((one) => {
        const { textContent, clientWidth } = one as unknown as { textContent: string; clientWidth: number };
        return { text: textContent.trim(), width: clientWidth };
      }),
    );
    const narrow = texts.filter(({ text, width }) => text.length > 20 && width > 0 && width < 80);
    expect(narrow).toEqual([]);
  });
});
