import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { approve, confirm, signIn, CustomerBrowser, HttpsClient } from '../../support/apps/tpp.js';
import { until } from '../../support/expectations.js';
import { httpsRequest } from '../../support/https-request.js';
import { startTestSandbox, type TestSandbox } from '../../support/start-test-sandbox.js';

const execute = promisify(execFile);
let sandbox: TestSandbox;

beforeAll(async () => {
  sandbox = await startTestSandbox({ environment: { READ_WRITE_VERSIONS: '4.0' } });
});

afterAll(() => sandbox?.stop());

const csv = 'Name,Sort code,Account number,Amount,Reference\nAshford Timber,20-00-00,10000001,10.50,INV-1';

/** Sends a form of the portal. */
async function send(path: string, form: Record<string, string> = {}): Promise<Response> {
  const { url } = sandbox.description.portal;
  const page = await (await fetch(`${url}/`)).text();
  const form_token = /name="form_token" value="([^"]+)"/.exec(page)?.[1] ?? '';
  const body = new URLSearchParams({ form_token, ...form });
  return fetch(`${url}${path}`, { method: 'POST', body, redirect: 'manual' });
}

const locationOf = ({ headers }: Response): string => headers.get('location') ?? '';

/** The customer approves in the pages. @returns the bank's answer */
async function approveInPages(url: string): Promise<string> {
  const [alice] = sandbox.description.customers;
  if (!alice) throw new Error('There is no alice.');
  const client = new HttpsClient({ ca: sandbox.ca });
  const browser = new CustomerBrowser(client, `${sandbox.description.portal.url}/callback`);
  try {
    await browser.open(url);
    await signIn(browser, alice);
    await approve(browser, { accountName: alice.accounts[0]?.name ?? '', expected: [] });
    return await confirm(browser, alice);
  } finally {
    client.close();
  }
}

describe('a sandbox that serves 4.0 alone', () => {
  it('says so in sandbox.json, and has only the API documents of 4.0', async () => {
    expect(sandbox.description.read_write_versions).toEqual(['4.0']);
    const read = (path: string) =>
      httpsRequest({ url: `${sandbox.description.base_url}${path}`, agent: sandbox.agent });
    const menu = (await read('/docs')).text;
    expect(menu).toContain('/docs/openapi/file-payments-4.0.yaml');
    expect(menu).toContain('/docs/openapi/file-payments-4.0.json');
    expect(menu).not.toMatch(/openapi\/(file-payments|accounts|funds-confirmation)\.(json|yaml)/);
    expect((await read('/docs/openapi/file-payments.json')).status).toBe(404);
  });

  it('pays from a CSV in the portal', async () => {
    expect(await (await fetch(sandbox.description.portal.url)).text()).not.toContain('name="version"');
    const run = locationOf(await send('/runs', { csv, version: '3.1' }));
    expect(run).toMatch(/^\/runs\//);
    await send(`${run}/stage`);
    const answer = await approveInPages(locationOf(await send(`${run}/approve`)));
    await send('/callback', { answer });
    await send(`${run}/pay`);
    const read = async (): Promise<string> => (await fetch(`${sandbox.description.portal.url}${run}`)).text();
    await until(async () => (await read()).includes('All payments have reached their final status'));
    expect(await read()).toContain('1 credited');
  });

  it('pays one supplier in the portal', async () => {
    const kind = 'domestic-payment';
    const supplier = { name: 'Ashford Timber', 'sort-code': '20-00-00', 'account-number': '10000001' };
    const run = locationOf(await send('/runs', { kind, ...supplier, amount: '10.50', reference: 'INV-1' }));
    await send(`${run}/stage`);
    await send('/callback', { answer: await approveInPages(locationOf(await send(`${run}/approve`))) });
    await send(`${run}/pay`);
    const read = async (): Promise<string> => (await fetch(`${sandbox.description.portal.url}${run}`)).text();
    await until(async () => (await read()).includes('The payment has reached its final status'));
    const page = await read();
    expect(page).toContain('<strong id="payment-status">ACCC</strong>');
    expect(page).toContain('<dd id="funds">yes</dd>');
    expect(page).toContain('<dd id="refund-account">Archer Payroll, 20000112345678</dd>');
    expect(page).toContain('/open-banking/v4.0/pisp/domestic-payments');
  });

  it.each([
    ['demo.js', []],
    ['main.js', ['token']],
  ])('is named by %s if another version is asked for', async (program, command) => {
    const words = [...command, '--version', '3.1'];
    const env = { PATH: process.env['PATH'] ?? '', SANDBOX_DIRECTORY: sandbox.directory };
    const { code, stderr } = await execute(process.execPath, [`dist/apps/tpp/src/${program}`, ...words], { env }).then(
      () => ({ code: 0, stderr: '' }),
      (error: { code: number; stderr: string }) => error,
    );
    expect([code, stderr]).toEqual([1, expect.stringContaining('the sandbox serves 4.0, not 3.1')]);
  });

  it('is what the demo uses if no version is named', async () => {
    const env = { PATH: process.env['PATH'] ?? '', SANDBOX_DIRECTORY: sandbox.directory };
    const { stdout } = await execute(process.execPath, ['dist/apps/tpp/src/demo.js', '--scope', 'accounts'], { env });
    expect(stdout).toContain('by v4.0.');
    expect(stdout).toContain('Complete: ');
  });
});
