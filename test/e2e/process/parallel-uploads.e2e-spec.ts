import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { load } from 'js-yaml';
import { sandboxEnvironment } from '../../../apps/sandbox/src/sandbox-environment.js';
import { ensureTrustFramework } from '../../../apps/sandbox/src/trust/trust-framework.js';
import { aPaymentFile } from '../../support/a-payment-file.js';
import { aTpp, TestTpp } from '../../support/a-tpp.js';
import { freePort } from '../../support/free-port.js';
import type { TestResponse } from '../../support/https-request.js';
import { startTestSandbox, type TestSandbox } from '../../support/start-test-sandbox.js';
import { waitForPort } from '../ingress/app-process.js';
import { withConstants } from '../../support/with-constants.js';

const parallel = 100;
/** What every shipped deployment gives a process, in bytes. */
const memoryLimit = 512 * 1_048_576;
/** As compose starts it. */
const { api } = (load(readFileSync('deploy/compose.yaml', 'utf8')) as { services: { api: { command: string[] } } })
  .services;
/** About 2 MB, and as long again when it is read back. */
const file = aPaymentFile({
  version: '4.0',
  payments: 150,
  item: (index) => (index === 0 ? { SupplementaryData: { a: '\n'.repeat(940_000) } } : {}),
});

let sandbox: TestSandbox;
let child: ChildProcess;
let tpp: TestTpp;

beforeAll(async () => {
  sandbox = await startTestSandbox();
  const { directory, ports, databaseUrl } = sandbox;
  const trust = await ensureTrustFramework({ directory, now: new Date() });
  const port = await freePort();
  const environment = sandboxEnvironment({ directory, ports, databaseUrl, trust, overrides: { LOG_LEVEL: 'error' } });
  child = spawn(process.execPath, [...withConstants, ...api.command], {
    env: { PATH: process.env['PATH'], ...environment, PORT: String(port) },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  await waitForPort(port, () => (child.exitCode === null ? undefined : String(child.exitCode)));
  const description = { ...sandbox.description, base_url: `https://localhost:${port}` };
  tpp = new TestTpp({ ...(await aTpp(sandbox)), version: '4.0', sandbox: { ...sandbox, description } });
});

afterAll(async () => {
  tpp?.close();
  child?.kill('SIGKILL');
  await sandbox?.stop();
});

/** @returns the most memory that the process has had, in bytes */
function peak(): number {
  const [, kilobytes] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1_024;
}

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
  process.stdout.write(`${taken.length} of ${outcomes.length} taken, peak ${Math.round(peak() / 1e6)} MB\n`);
}

describe('the longest files, a hundred at a time by one TPP', () => {
  it('do not take more memory than the deployments give, whether they are sent or read', async () => {
    const consents: string[] = [];
    while (consents.length < parallel) {
      consents.push(...(await Promise.all(Array.from({ length: 10 }, () => tpp.stageConsent(file)))));
    }
    await expectSomeTaken(consents.map((consentId) => tpp.upload(consentId, file)));
    const consentId = await tpp.stageFile(file);
    await expectSomeTaken(consents.map(() => tpp.get(`/file-payment-consents/${consentId}/file`)));
    expect((await tpp.get(`/file-payment-consents/${consentId}`)).status).toBe(200);
    expect(peak()).toBeLessThan(memoryLimit);
  });
});
