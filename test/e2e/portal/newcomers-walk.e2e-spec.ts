import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { expectEventually } from '../../support/expectations.js';
import { findBrowser, launchBrowser } from '../../support/find-browser.js';

const execute = promisify(execFile);
const root = resolve('.');
const mostMilliseconds = 5 * 60_000;
const missing = [
  findBrowser() ? [] : ['Chromium or Chrome'],
  existsSync(join(root, '.git')) ? [] : ['a git clone'],
].flat();
if (missing.length > 0) console.log(`The newcomer's walk was not tested: ${missing.join(' and ')} was not found.`);

const anyPorts = ['AUTHORIZE', 'TOKEN', 'API', 'DIRECTORY', 'BANK', 'ADMIN', 'PORTAL', 'BANK_APP'];
const screenshots = process.env['SCREENSHOT_FOLDER'];

/** The commands of README's quick start: to clone, to start, to make payments in a terminal. */
async function readQuickStart(): Promise<readonly [clone: string, start: string, demo: string]> {
  const [, block = ''] =
    /^## Quick start$[^]*?^```sh session\n([^]*?)^```$/m.exec(await readFile('README.md', 'utf8')) ?? [];
  const commands = block
    .trim()
    .split('\n')
    .map((line) => line.replace(/ +#.*$/, ''));
  expect(commands).toEqual([expect.stringMatching(/^git clone /), 'npm start', 'npm run demo']);
  return commands as [string, string, string];
}

/** Somebody with a clone, a terminal and a browser that has never seen the sandbox. */
(missing.length > 0 ? describe.skip : describe)('a newcomer who follows README.md', () => {
  let folder: string;
  let clone: string;
  let environment: NodeJS.ProcessEnv;
  let sandbox: ChildProcess | undefined;
  let browser: Browser | undefined;
  let page: Page;
  let step = 0;

  beforeAll(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'walk-')));
    await execute('chmod', ['755', folder]);
    const { CI, PATH, HOME } = process.env;
    environment = { CI, PATH, HOME, ...Object.fromEntries(anyPorts.map((name) => [`${name}_PORT`, '0'])) };
  });

  afterAll(async () => {
    await browser?.close();
    if (sandbox?.pid !== undefined && sandbox.exitCode === null) {
      const closed = once(sandbox, 'close');
      // As Ctrl-C does: to npm and all that it has started.
      process.kill(-sandbox.pid, 'SIGINT');
      await closed;
    }
    await rm(folder, { recursive: true, force: true });
  });

  /**
   * Clones this repository, with the changes that are not committed. The packages are those of this clone, because the
   * speed of a network varies.
   */
  async function cloneAsReadmeSays(command: string): Promise<void> {
    const [git = ''] = command.split(' && ');
    await execute('sh', ['-c', git.replace(/<[^>]+>/, `'${root}'`)], { cwd: folder });
    clone = join(folder, 'open-banking-provider');
    const { stdout: changes } = await execute('git', ['diff', '--binary', 'HEAD'], { maxBuffer: 1e8 });
    if (changes !== '') {
      await writeFile(join(folder, 'changes'), changes);
      await execute('git', ['apply', join(folder, 'changes')], { cwd: clone });
    }
    await symlink(join(root, 'node_modules'), join(clone, 'node_modules'));
  }

  /** @returns the first address that it prints, once it is ready */
  async function start(command: string): Promise<string> {
    const child = spawn('sh', ['-c', command], { cwd: clone, env: environment, detached: true });
    sandbox = child;
    let output = '';
    const ready = new Promise<void>((onReady, onEnd) => {
      for (const stream of [child.stdout, child.stderr]) {
        stream.on('data', (chunk: Buffer) => {
          output += chunk.toString();
          if (/^ready in .* s$/m.test(output)) onReady();
        });
      }
      child.once('close', () => onEnd(new Error(`The sandbox did not start:\n${output}`)));
    });
    await ready;
    return /https?:\/\/\S+/.exec(output)?.[0] ?? '';
  }

  /** Looks at the page, and keeps a picture in SCREENSHOT_FOLDER. */
  async function look(name: string): Promise<string> {
    step += 1;
    const path = `${screenshots}/walk-${String(step).padStart(2, '0')}-${name}.png`;
    if (screenshots !== undefined) await page.screenshot({ path, fullPage: true });
    return page.locator('body').innerText();
  }

  async function copy(label: string): Promise<void> {
    await page.getByRole('button', { name: label }).click();
    await page.getByRole('button', { name: `Copied ${label.replace('Copy ', '')}` }).waitFor();
  }

  it(
    'watches an approved file settle in less than five minutes, and is told of every warning before it comes',
    async () => {
      const begin = performance.now();
      const [cloneCommand, startCommand, demoCommand] = await readQuickStart();
      await cloneAsReadmeSays(cloneCommand);
      const address = await start(startCommand);
      expect(await readFile(join(clone, 'README.md'), 'utf8')).toContain('the first address that `npm start` prints');

      // Certificates are verified, and the browser knows none of the sandbox's.
      browser = await launchBrowser('--lang=en-GB');
      const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
      page = await context.newPage();
      const warnings: string[] = [];
      page.on('requestfailed', (failed) => {
        const { errorText = '' } = failed.failure() ?? {};
        if (errorText.includes('ERR_CERT')) warnings.push(`${errorText} ${new URL(failed.url()).origin}`);
      });
      await page.goto(address);
      await look('portal');

      const chosen = await readFile(join(clone, 'docs/examples/suppliers.csv'), 'utf8');
      await page.getByLabel('Or choose a CSV file').setInputFiles(join(clone, 'docs/examples/suppliers.csv'));
      const csv = page.getByLabel('Suppliers (CSV)');
      await expectEventually(() => csv.inputValue(), chosen);
      await csv.fill(`${chosen.trim()}\nCorby Timber,20-00-00,10000003,12.50,INV-2003\n`);
      await page.getByRole('button', { name: 'Make the payment file' }).click();
      await page.getByRole('button', { name: 'Stage and upload' }).click();
      await page.getByRole('button', { name: 'Go to the bank' }).waitFor();

      const told = await look('staged');
      expect(told).toMatch(/the connection is not private.* select Advanced, then Proceed to localhost/s);
      await page.getByRole('link', { name: 'how to avoid the warning' }).click();
      const explained = await look('certificates');
      await page.goBack();
      await copy('Copy password');
      await page.getByRole('button', { name: 'Go to the bank' }).click();

      await page.locator('#details-button').click();
      const warning = await look('warning');
      expect(warning).toContain('Your connection is not private');
      expect(warning).toContain('Proceed to localhost');
      await page.locator('#proceed-link').click();

      const help = await (await page.waitForSelector('#help-line')).innerText();
      await look('sign-in');
      await page.getByLabel('Username', { exact: true }).fill(/sign in as (\w+)/.exec(help)?.[1] ?? '');
      await page.getByLabel('Password', { exact: true }).focus();
      await page.keyboard.press('ControlOrMeta+V');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('radio').first().check();
      await look('approval');
      await page.getByRole('button', { name: /^Approve/ }).click();
      await page.getByLabel('One-time code', { exact: true }).fill(/code is (\d+)/.exec(help)?.[1] ?? '');
      await look('code');
      await page.getByRole('button', { name: /^Approve £/ }).click();

      await page.getByRole('button', { name: 'Make the payments' }).click();
      await page.getByText('3 credited', { exact: true }).waitFor();
      expect(await look('settled')).toContain('InitiationCompleted');
      const milliseconds = performance.now() - begin;
      expect(new URL(page.url()).origin).toBe(new URL(address).origin);

      // The only failure on the way is the warning that both pages announce.
      expect(warnings).toEqual([expect.stringMatching(/^net::ERR_CERT_AUTHORITY_INVALID https:\/\/localhost:\d+$/)]);
      const [error = '', origin = ''] = (warnings[0] ?? '').split(' ');
      expect(explained).toContain(error.replace('net', 'NET'));
      expect(explained).toContain(origin);
      expect(milliseconds).toBeLessThan(mostMilliseconds);
      console.log(`The newcomer's walk took ${(milliseconds / 1_000).toFixed(0)} s without npm ci.`);

      const demo = await execute('sh', ['-c', demoCommand], { cwd: clone, env: environment });
      expect(demo.stdout).toContain('150');
    },
    2 * mostMilliseconds,
  );
});
