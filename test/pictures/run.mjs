// npm run pictures [-- --figures | --screenshots]: takes the pictures of the documentation from a running sandbox, and
// draws the plot of the benchmark's figures and the dashboards.
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callOf, CommandLineProgram } from '#libs/command-line';
import { chromium } from 'playwright-core';
import { readCommandLine } from '../support/read-command-line.mjs';
import { drawDashboards } from './dashboards.mjs';
import { drawPlot } from './draw-plot.mjs';
import { writeFigures } from './write-figures.mjs';

const folder = 'docs/pictures';
const program = new CommandLineProgram(callOf('pictures'), 'Take the pictures of docs/pictures again.')
  .option('--figures', 'only the table and the plot of the figures in bench-results.json')
  .option('--screenshots', 'only the portal and the approval page');
readCommandLine(program);

const { figures, screenshots } = program.opts();
if (!screenshots || figures) await writeResults();
if (figures) process.exit(0);

const { startSandbox } = await import('../../dist/apps/sandbox/src/start-sandbox.js');
const anyPorts = ['authorize', 'token', 'api', 'directory', 'bank', 'admin', 'portal', 'bankApp'];
/** Rates are over five minutes. */
const secondsOfLoad = 360;
const viewport = { width: 1100, height: 760 };
const executablePath = process.env.CHROME_PATH || '/usr/bin/chromium';

const directory = await mkdtemp(join(tmpdir(), 'pictures-'));
const ports = Object.fromEntries(anyPorts.map((name) => [name, 0]));
const sandbox = await startSandbox({ directory, ports, environment: { LOG_LEVEL: 'error' } });
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
try {
  await takePictures(await browser.newContext({ ignoreHTTPSErrors: true, viewport }));
  if (!screenshots) {
    await drawDashboards({
      sandboxDirectory: directory,
      adminPort: sandbox.ports.admin,
      context: await browser.newContext(),
      directory: join(directory, 'prometheus'),
      folder: join(folder, 'dashboards'),
      seconds: secondsOfLoad,
    });
  }
} finally {
  await browser.close();
  await sandbox.stop();
  await sandbox.postgres.remove();
  await rm(directory, { recursive: true, force: true });
}

/** The table is that of the newest run of the benchmark, where there is one; the plot is that of the table. */
async function writeResults() {
  const path = 'docs/explanation/performance.md';
  const results = 'bench-results.json';
  let page = await readFile(path, 'utf8');
  if (existsSync(results)) page = writeFigures(page, JSON.parse(await readFile(results, 'utf8')));
  else console.log(`There is no ${results}: the table stays as it is.`);
  await writeFile(path, page);
  await writeFile(join(folder, 'performance.svg'), drawPlot(page));
}

/** One payment of 150 suppliers, from the portal to the bank and back. */
async function takePictures(context) {
  const tab = await context.newPage();
  await tab.goto(sandbox.description.portal.url);
  await tab.click('#make-file');
  await tab.click('#stage');
  await tab.click('#approve');
  await tab.fill('#username', 'alice');
  await tab.fill('#password', 'alice-password');
  await tab.click('#sign-in');
  await tab.locator('input[name=debtor_account]').first().check();
  await tab.setViewportSize({ width: 780, height: 900 });
  await tab.screenshot({ path: join(folder, 'approval.png'), fullPage: true });
  await tab.setViewportSize(viewport);
  await tab.click('#approve');
  await tab.fill('#one-time-code', '111111');
  await tab.click('#continue');
  await tab.click('#pay');
  await tab.waitForSelector('#again');
  await tab.evaluate('scrollTo(0, 0)');
  await tab.screenshot({ path: join(folder, 'portal.png') });
}
