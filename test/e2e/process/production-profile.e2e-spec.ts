import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { settingsOfProcesses } from '../../support/apps/settings.js';
import { sandboxEnvironment } from '../../support/apps/sandbox.js';
import { ensureTrustFramework } from '../../support/apps/trust.js';
import { aPaymentFile } from '../../support/a-payment-file.js';
import { aTpp } from '../../support/a-tpp.js';
import { printGrants } from '../../support/apps/postgres.js';
import { aCertificate, type TestCertificate } from '../../support/certificates.js';
import { httpsAgent, httpsRequest } from '../../support/https-request.js';
import { startTestSandbox, type TestSandbox } from '../../support/start-test-sandbox.js';
import { withConstants } from '../../support/with-constants.js';

const apps = ['authorize', 'token', 'api', 'worker'] as const;
const system = { PATH: process.env['PATH'] ?? '' };

/**
 * What nobody can guess (house rule: no default for secrets, issuer, trust anchors) and each process needs; it asks for
 * nothing else.
 */
const required: Readonly<Record<(typeof apps)[number], string>> = {
  authorize: `BASE_URL AUTH_URL TOKEN_URL DATABASE_URL TLS_CERTIFICATE TLS_PRIVATE_KEY CLIENT_TRUST_ANCHORS SIGNING_KEYS
    CLIENT_SECRET_PEPPER CLIENT_SECRET_ENCRYPTION_KEYS PAIRWISE_SUBJECT_KEY SESSION_KEYS DIRECTORY_ISSUER DIRECTORY_JWKS_URI
    DIRECTORY_KEY_HOSTS BANK_NAME BANK_URL BANK_CA BANK_CLIENT_CERTIFICATE BANK_CLIENT_PRIVATE_KEY`,
  token: `BASE_URL AUTH_URL TOKEN_URL DATABASE_URL TLS_CERTIFICATE TLS_PRIVATE_KEY CLIENT_TRUST_ANCHORS SIGNING_KEYS
    CLIENT_SECRET_PEPPER CLIENT_SECRET_ENCRYPTION_KEYS PAIRWISE_SUBJECT_KEY DIRECTORY_ISSUER DIRECTORY_JWKS_URI DIRECTORY_KEY_HOSTS
    BANK_URL BANK_CA BANK_CLIENT_CERTIFICATE BANK_CLIENT_PRIVATE_KEY`,
  api: `BASE_URL AUTH_URL TOKEN_URL DATABASE_URL TLS_CERTIFICATE TLS_PRIVATE_KEY CLIENT_TRUST_ANCHORS SIGNING_KEYS ORGANISATION_ID
    CLIENT_SECRET_PEPPER CLIENT_SECRET_ENCRYPTION_KEYS DIRECTORY_ISSUER DIRECTORY_JWKS_URI DIRECTORY_KEY_HOSTS BANK_NAME BANK_URL
    BANK_CA BANK_CLIENT_CERTIFICATE BANK_CLIENT_PRIVATE_KEY`,
  worker: `BASE_URL AUTH_URL DATABASE_URL SIGNING_KEYS BANK_URL BANK_CA BANK_CLIENT_CERTIFICATE BANK_CLIENT_PRIVATE_KEY`,
};

/** @returns of the environment what belongs to the settings and constants of one process */
function ownOf(app: (typeof apps)[number], env: Readonly<Record<string, string>>): Record<string, string> {
  const own = new Set(
    settingsOfProcesses[app].flatMap(({ group, members }) =>
      members.flatMap((name) => [...(group.members[name]?.settings ?? [])]).map(({ name }) => name),
    ),
  );
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => name === 'PATH' || own.has(name) || own.has(name.replace(/_FILE$/, ''))),
  );
}

const rolePassword = 'of-the-test';

/** A role for each process, with the rights that `npm run migrate -- grants` prints. */
async function createRoles(databaseUrl: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  for (const app of [...apps, 'operator'])
    await client.query(`CREATE ROLE profile_${app} LOGIN PASSWORD '${rolePassword}'`);
  await client.query(printGrants({ prefix: 'profile_', isExact: true }));
  await client.end();
}

function urlOfRole(databaseUrl: string, app: string): string {
  const url = new URL(databaseUrl);
  url.username = `profile_${app}`;
  url.password = rolePassword;
  return url.href;
}

interface Run {
  child: ChildProcess;
  output: () => string;
}

function run(app: (typeof apps)[number], env: Record<string, string>): Run {
  const child = spawn(process.execPath, [...withConstants, `dist/apps/${app}/src/main.js`], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return { child, output: () => text };
}

async function exitCodeOf({ child }: Run): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'close');
  return child.exitCode;
}

describe.each(apps)('%s without its configuration', (app) => {
  it('exits immediately and lists every missing setting in one message', async () => {
    const process = run(app, system);
    expect(await exitCodeOf(process)).toBe(1);
    const missing = [...process.output().matchAll(/- (\w+) is missing/g)].map(([, name]) => name);
    expect(missing.sort()).toEqual(required[app].trim().split(/\s+/).sort());
    expect(process.output()).not.toMatch(/\n\s+at /);
  });

  it('names the fault, and shows no secret', async () => {
    const secret = 'postgres-password-in-a-wrong-place';
    const wrong = { BASE_URL: 'http://bank.example', DATABASE_URL: secret, DATABASE_POOL_SIZE: 'x' };
    const process = run(app, { ...system, ...wrong });
    expect(await exitCodeOf(process)).toBe(1);
    for (const name of Object.keys(wrong)) {
      expect(process.output()).toContain(name);
      expect(process.output()).not.toContain(`${name} is missing`);
    }
    expect(process.output()).not.toContain(secret);
  });
});

describe('the service with its own configuration', () => {
  let sandbox: TestSandbox;
  let folder: string;
  let authority: TestCertificate;
  let env: Record<string, string>;
  let processes: Run[] = [];

  beforeAll(async () => {
    // Database, directory and bank are those of a sandbox; everything of the service itself is the test's.
    sandbox = await startTestSandbox({ only: [] });
    folder = await mkdtemp(join(tmpdir(), 'production-profile-'));
    authority = await aCertificate({ profile: 'authority', name: 'Authority of the bank' });
    const server = await aCertificate({ profile: 'server', name: 'localhost', issuer: authority });
    const [certificateFile, keyFile] = [join(folder, 'server.pem'), join(folder, 'server-key.pem')];
    await writeFile(certificateFile, server.certificate);
    await writeFile(keyFile, server.privateKeyPem, { mode: 0o600 });
    const { directory, ports, databaseUrl } = sandbox;
    const trust = await ensureTrustFramework({ directory, now: new Date() });
    const { LOG_FILE: _ofSandbox, ...settings } = sandboxEnvironment({
      directory,
      ports,
      databaseUrl,
      trust,
      overrides: {},
    });
    env = {
      ...settings,
      ...system,
      TLS_CERTIFICATE_FILE: certificateFile,
      TLS_PRIVATE_KEY_FILE: keyFile,
      INTROSPECTION_CLIENT_SUBJECTS: '',
      INTROSPECTION_TRUST_ANCHORS_FILE: '',
      LOG_LEVEL: 'error',
    };
    await createRoles(databaseUrl);
    const portOf = (app: (typeof apps)[number]): Record<string, string> =>
      app === 'worker' ? {} : { PORT: String(ports[app]) };
    // None has what belongs to another: no key, no address, no secret, no right in the database.
    processes = apps.map((app) =>
      run(app, { ...ownOf(app, env), ...portOf(app), DATABASE_URL: urlOfRole(databaseUrl, app) }),
    );
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

  it('names the service at the bare addresses, and no more', async () => {
    const ca = authority.certificate;
    const agent = httpsAgent({ ca });
    const tpp = await aTpp({ description: sandbox.description, ca, agent });
    const { authorization_endpoint, token_endpoint, discovery_uri, base_url } = sandbox.description;
    const page = await httpsRequest({ url: new URL('/', authorization_endpoint).href, agent });
    expect([page.status, page.headers['content-type'], page.headers.location]).toEqual([
      200,
      'text/html; charset=utf-8',
      undefined,
    ]);
    expect(page.text).toContain('Sandbox Bank');
    expect(page.text).toContain(discovery_uri);
    const answer = await httpsRequest({ url: new URL('/', token_endpoint).href, agent: tpp.agent });
    expect([answer.status, answer.json()]).toEqual([
      200,
      { service: 'OAuth 2.0 token endpoint', openid_configuration: discovery_uri, documentation: `${base_url}/docs` },
    ]);
    for (const { headers } of [page, answer]) expect(headers).not.toHaveProperty('server');
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
