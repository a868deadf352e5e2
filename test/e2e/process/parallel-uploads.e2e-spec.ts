import { spawn, type ChildProcess } from 'node:child_process';
import { Agent } from 'node:https';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { enrolTpp, readDescription, sandboxEnvironment } from '../../support/apps/sandbox.js';
import { ensureTrustFramework } from '../../support/apps/trust.js';
import { aPaymentFile } from '../../support/a-payment-file.js';
import { aTpp, TestTpp } from '../../support/a-tpp.js';
import { freePort } from '../../support/free-port.js';
import type { TestResponse } from '../../support/https-request.js';
import { startTestSandbox, type TestSandbox } from '../../support/start-test-sandbox.js';
import { waitForPort } from '../ingress/app-process.js';
import { withConstants } from '../../support/with-constants.js';
import { apiCommand, memoryLimit, peakMegabytes } from '../../bench/shipped-limits.mjs';

/** Requests of each TPP at the same time. One TPP may have a quarter of the room: five want more than there is. */
const parallel = 40;
const furtherTpps = ['Third', 'Fourth', 'Fifth'];
/** About 2 MB, and as long again when it is read back. */
const file = aPaymentFile({
  version: '4.0',
  payments: 150,
  item: (index) => (index === 0 ? { SupplementaryData: { a: '\n'.repeat(940_000) } } : {}),
});

let sandbox: TestSandbox;
let child: ChildProcess;
let tpps: TestTpp[];

beforeAll(async () => {
  sandbox = await startTestSandbox();
  const { directory, ports, databaseUrl } = sandbox;
  const trust = await ensureTrustFramework({ directory, now: new Date() });
  const port = await freePort();
  const environment = sandboxEnvironment({ directory, ports, databaseUrl, trust, overrides: { LOG_LEVEL: 'error' } });
  child = spawn(process.execPath, [...withConstants, ...apiCommand], {
    env: { PATH: process.env['PATH'], ...environment, PORT: String(port) },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  await waitForPort(port, () => (child.exitCode === null ? undefined : String(child.exitCode)));
  for (const name of furtherTpps) {
    const redirectUris = [`https://${name.toLowerCase()}.example.com/callback`];
    await enrolTpp(directory, { name, redirectUris, keyType: 'rsa' }, new Date());
  }
  const description = await readDescription(directory);
  tpps = await Promise.all(
    description.tpps.map(async (_tpp, index) => {
      const tpp = await aTpp({ ...sandbox, description }, { index });
      // One address has a quarter of the places, too.
      const agent = new Agent({ ...tpp.agent.options, localAddress: `127.0.0.${2 + index}` });
      const own = { ...description, base_url: `https://localhost:${port}` };
      return new TestTpp({ ...tpp, agent, version: '4.0', sandbox: { ...sandbox, description: own } });
    }),
  );
});

afterAll(async () => {
  for (const tpp of tpps ?? []) tpp.close();
  child?.kill('SIGKILL');
  await sandbox?.stop();
});

/** Some are answered; the others are told when to try again. */
async function expectSomeTaken(answers: Promise<TestResponse>[]): Promise<void> {
  const outcomes = (await Promise.all(answers)).map(({ status, headers }) =>
    [status, headers['retry-after']].join(' '),
  );
  const taken = outcomes.filter((outcome) => outcome === '200 ');
  expect(taken.length).toBeGreaterThan(0);
  const refused = outcomes.filter((outcome) => outcome !== '200 ');
  expect(refused.length).toBeGreaterThan(0);
  // 503 after 5 seconds where the database could not read so many at a time.
  expect([...new Set(refused)].filter((outcome) => !['429 1', '503 1', '503 5'].includes(outcome))).toEqual([]);
  process.stdout.write(
    `${taken.length} of ${outcomes.length} taken, peak ${Math.round(peakMegabytes(child.pid))} MiB\n`,
  );
}

describe('the longest files, many at a time by each of five TPPs', () => {
  it('do not take more memory than the deployments give, whether they are sent or read', async () => {
    const uploads: (() => Promise<TestResponse>)[] = [];
    for (const tpp of tpps) {
      for (let count = 0; count < parallel; count += 1) {
        const consentId = await tpp.stageConsent(file);
        uploads.push(() => tpp.upload(consentId, file));
      }
    }
    await expectSomeTaken(uploads.map((upload) => upload()));
    const reads: (() => Promise<TestResponse>)[] = [];
    for (const tpp of tpps) {
      const path = `/file-payment-consents/${await tpp.stageFile(file)}`;
      reads.push(...Array.from({ length: parallel }, () => () => tpp.get(`${path}/file`)));
    }
    await expectSomeTaken(reads.map((read) => read()));
    expect(peakMegabytes(child.pid)).toBeLessThan(memoryLimit);
  });
});
