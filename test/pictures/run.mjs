// npm run pictures [-- --figures | --screenshots]: takes the pictures of the documentation from a running sandbox, and
// draws the plot of the benchmark's figures and the dashboards.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { callOf, CommandLineProgram } from '#libs/command-line';
import { chromium } from 'playwright-core';
import { readCommandLine } from '../support/read-command-line.mjs';
import { drawDashboards } from './dashboards.mjs';
import { drawJourneys, drawLatency, drawPlot, drawRows } from './draw-plot.mjs';
import { findMissing, writeFigures, writeJourneys } from './write-figures.mjs';

const folder = 'docs/pictures';
const program = new CommandLineProgram(callOf('pictures'), 'Take the pictures of docs/pictures again.')
  .option('--figures', 'only the tables and the plot of the figures in bench-results.json')
  .option('--screenshots', 'only the portal and the pages of the bank');
await readCommandLine(program);

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
  const newContext = () => browser.newContext({ ignoreHTTPSErrors: true, viewport });
  await takePictures(await newContext());
  await takeJourneys(newContext);
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

/** The tables are those of the newest run of the benchmark, where there is one; the plot is that of its table. */
async function writeResults() {
  const path = 'docs/explanation/performance.md';
  const results = 'bench-results.json';
  if (existsSync(results)) {
    const found = JSON.parse(await readFile(results, 'utf8'));
    const missing = findMissing(found);
    if (missing.length > 0) console.log(`${results} lacks ${missing.join(', ')}: their rows stay as they are.`);
    for (const [page, write] of [
      [path, writeFigures],
      ['deploy/database/README.md', writeJourneys],
    ]) {
      await writeFile(page, write(await readFile(page, 'utf8'), found));
    }
    for (const [name, draw] of [
      ['latency', drawLatency],
      ['journeys', drawJourneys],
      ['rows', drawRows],
    ]) {
      const drawn = draw(found);
      if (drawn !== undefined) await writeFile(join(folder, `${name}.svg`), drawn);
    }
  } else console.log(`There is no ${results}: the tables stay as they are.`);
  await writeFile(join(folder, 'performance.svg'), drawPlot(await readFile(path, 'utf8')));
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
  const clip = { x: 0, y: 0, width: 780, height: 1060 };
  await tab.screenshot({ path: join(folder, 'approval.png'), fullPage: true, clip });
  await tab.setViewportSize(viewport);
  await tab.click('#approve');
  await tab.fill('#one-time-code', '111111');
  await tab.click('#continue');
  await tab.click('#pay');
  await tab.waitForSelector('#again');
  await tab.evaluate('scrollTo(0, 0)');
  await tab.screenshot({ path: join(folder, 'portal.png') });
  await tab.goto(new URL('/board', sandbox.description.portal.url).href);
  await tab.waitForSelector('.live.on');
  await tab.screenshot({ path: join(folder, 'live.png') });
}

/** The consents to account access and funds confirmation, and what a second approver sees. */
async function takeJourneys(newContext) {
  await runTpp('register');
  for (const [name, ...command] of [
    ['access', 'access-consent', '--version', '4.0'],
    ['funds', 'funds-consent', '--version', '4.0'],
  ]) {
    await runTpp(...command);
    const tab = await openAs('alice', await addressToAuthorise(), await newContext());
    await tab.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
    await tab.context().close();
  }
  await runTpp('consent', 'docs/examples/three-payments.json');
  await runTpp('upload');
  await runTpp('authorise', '--as', 'bob', '--account', 'Brown & Clark Traders');
  await runTpp('pay');
  const approvals = new URL('/approvals', sandbox.description.authorization_endpoint).href;
  const tab = await openAs('carol', approvals, await newContext());
  await tab.fill('#one-time-code', '333333');
  await tab.click('#continue');
  await tab.click('a[href*="/approvals/payment"]');
  await tab.waitForSelector('#approve');
  await tab.screenshot({ path: join(folder, 'second-approver.png'), fullPage: true });
}

async function openAs(name, address, context) {
  const tab = await context.newPage();
  await tab.setViewportSize({ width: 780, height: 900 });
  await tab.goto(address);
  await tab.fill('#username', name);
  await tab.fill('#password', `${name}-password`);
  await tab.click('#sign-in');
  return tab;
}

async function addressToAuthorise() {
  return /^https:.*$/m.exec(await runTpp('authorise'))?.[0] ?? '';
}

async function runTpp(...parameters) {
  const env = { ...process.env, SANDBOX_DIRECTORY: directory };
  const { stdout } = await promisify(execFile)(process.execPath, ['dist/apps/tpp/src/main.js', ...parameters], { env });
  return stdout;
}
