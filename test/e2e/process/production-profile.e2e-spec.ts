import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sandboxEnvironment } from '../../../apps/sandbox/src/sandbox-environment.js';
import { ensureTrustFramework } from '../../../apps/sandbox/src/trust/trust-framework.js';
import { aPaymentFile } from '../../support/a-payment-file.js';
import { aTpp } from '../../support/a-tpp.js';
import { aCertificate, type TestCertificate } from '../../support/certificates.js';
import { httpsAgent, httpsRequest } from '../../support/https-request.js';
import { startTestSandbox, type TestSandbox } from '../../support/start-test-sandbox.js';

const apps = ['authorize', 'token', 'api', 'worker'] as const;
const system = { PATH: process.env['PATH'] ?? '' };

/** What every process needs and nobody can guess (house rule: no default for secrets, issuer, trust anchors). */
const required = `
  BASE_URL AUTH_URL TOKEN_URL DATABASE_URL TLS_CERTIFICATE TLS_PRIVATE_KEY CLIENT_TRUST_ANCHORS SIGNING_KEYS
  ORGANISATION_ID CLIENT_SECRET_PEPPER CLIENT_SECRET_ENCRYPTION_KEYS PAIRWISE_SUBJECT_KEY DIRECTORY_ISSUER
  DIRECTORY_JWKS_URI DIRECTORY_KEY_HOSTS BANK_NAME BANK_URL BANK_CA BANK_CLIENT_CERTIFICATE BANK_CLIENT_PRIVATE_KEY`
  .trim()
  .split(/\s+/);

interface Run {
  child: ChildProcess;
  output: () => string;
}

function run(app: (typeof apps)[number], env: Record<string, string>): Run {
  const child = spawn(process.execPath, [`dist/apps/${app}/src/main.js`], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return { child, output: () => text };
}

async function exitCodeOf({ child }: Run): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'close');
  return child.exitCode;
}

describe.each(apps)('%s without its configuration', (app) => {
  it('ends at once and names everything that is missing in one message', async () => {
    const process = run(app, system);
    expect(await exitCodeOf(process)).toBe(1);
    expect(required.filter((name) => !process.output().includes(`- ${name} is missing`))).toEqual([]);
    expect(process.output()).not.toMatch(/\n\s+at /);
  });

  it('names what is wrong, and shows no secret', async () => {
    const secret = 'postgres-password-in-a-wrong-place';
    const process = run(app, { ...system, BASE_URL: 'http://bank.example', DATABASE_URL: secret, API_PORT: 'x' });
    expect(await exitCodeOf(process)).toBe(1);
    for (const name of ['BASE_URL', 'DATABASE_URL', 'API_PORT']) {
      expect(process.output()).toContain(name);
      expect(process.output()).not.toContain(`${name} is missing`);
    }
    expect(process.output()).not.toContain(secret);
  });
});

describe('the service with a configuration of its own', () => {
  let sandbox: TestSandbox;
  let folder: string;
  let authority: TestCertificate;
  let env: Record<string, string>;
  let processes: Run[] = [];

  beforeAll(async () => {
    // Database, directory and bank are those of a sandbox; everything of the service itself is the test's.
    sandbox = await startTestSandbox({ apps: {} });
    folder = await mkdtemp(join(tmpdir(), 'production-profile-'));
    authority = await aCertificate({ profile: 'authority', name: 'Authority of the bank' });
    const server = await aCertificate({ profile: 'server', name: 'localhost', issuer: authority });
    const [certificateFile, keyFile] = [join(folder, 'server.pem'), join(folder, 'server-key.pem')];
    await writeFile(certificateFile, server.certificate);
    await writeFile(keyFile, server.privateKeyPem, { mode: 0o600 });
    const { directory, ports, databaseUrl } = sandbox;
    const trust = await ensureTrustFramework({ directory, now: new Date() });
    env = {
      ...sandboxEnvironment({ directory, ports, databaseUrl, trust, overrides: {} }),
      ...system,
      TLS_CERTIFICATE_FILE: certificateFile,
      TLS_PRIVATE_KEY_FILE: keyFile,
      LOG_FILE: '',
      INTROSPECTION_CLIENT_SUBJECTS: '',
      INTROSPECTION_TRUST_ANCHORS_FILE: '',
      LOG_LEVEL: 'error',
    };
    processes = apps.map((app) => run(app, env));
    const agent = httpsAgent({ ca: authority.certificate });
    const addresses = [sandbox.description.discovery_uri, sandbox.description.jwks_uri];
    for (const url of addresses) await waitFor(async () => (await httpsRequest({ url, agent })).status === 200);
    agent.destroy();
  });

  afterAll(async () => {
    for (const { child } of processes) child.kill('SIGKILL');
    await sandbox?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function waitFor(condition: () => Promise<boolean>): Promise<void> {
    for (let attempt = 0; attempt < 1_200; attempt += 1) {
      if (await condition().catch(() => false)) return; // not listening yet
      const ended = processes.find(({ child }) => child.exitCode !== null);
      if (ended) throw new Error(`A process has ended: ${ended.output()}`);
      await sleep(100);
    }
    throw new Error(`Waited in vain: ${processes.map(({ output }) => output()).join('\n')}`);
  }

  it('runs as separate processes and makes payments', async () => {
    const ca = authority.certificate;
    const agent = httpsAgent({ ca });
    const tpp = await aTpp({ description: sandbox.description, ca, agent });
    const consent = await tpp.authorise(aPaymentFile({ payments: 3 }));
    const paid = await tpp.pay(consent, { accessToken: await tpp.exchangeCode(consent) });
    expect(paid.status).toBe(201);
    // Introspection is not configured: it is not named, and not there.
    const { introspection_endpoint: url } = sandbox.description.resource_server;
    expect((await httpsRequest({ url: sandbox.description.discovery_uri, agent })).json()).not.toHaveProperty(
      'introspection_endpoint',
    );
    expect((await httpsRequest({ url, method: 'POST', body: 'token=x', agent: tpp.agent })).status).toBe(404);
    const { FilePaymentId } = paid.json()['Data'] as { FilePaymentId: string };
    await waitFor(async () => {
      const { Data } = (await tpp.get(`/file-payments/${FilePaymentId}`)).json() as { Data: { Status: string } };
      return Data.Status === 'InitiationCompleted';
    });
    tpp.close();
    agent.destroy();
  });

  it('stops in good order when asked to', async () => {
    for (const { child } of processes) child.kill('SIGTERM');
    const signals = await Promise.all(
      processes.map(async (process) => {
        await exitCodeOf(process);
        return process.child.exitCode ?? process.child.signalCode;
      }),
    );
    // Nest ends the process with the very signal it was asked with.
    for (const signal of signals) expect([0, 'SIGTERM']).toContain(signal);
    for (const { output } of processes) expect(output()).not.toMatch(/"level":(?:50|60)/);
  });
});
