import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseEnv, promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { directoryIssuer, ensureTrustFramework } from '../../support/apps/trust.js';
import { aPaymentFile } from '../../support/a-payment-file.js';
import { aTpp } from '../../support/a-tpp.js';
import { expectEventually } from '../../support/expectations.js';
import { freePort } from '../../support/free-port.js';
import { startTestSandbox, type TestSandbox } from '../../support/start-test-sandbox.js';
import { argumentsOfUnit } from '../../support/systemd-unit.js';
import { postgresPrograms, ServerFolder } from '../database/debian-postgres.js';
import { withConstants } from '../../support/with-constants.js';

const run = promisify(execFile);
const apps = ['authorize', 'token', 'api', 'worker'] as const;
type App = (typeof apps)[number];
const programs = postgresPrograms();
const isMissing = programs === undefined || !existsSync('/usr/sbin/haproxy');
if (isMissing)
  console.warn('PostgreSQL or HAProxy of Debian’s packages is missing: deploy/one-machine.md is not tried.');

/** Ports that the page and the shipped files name; other tests may use them at this moment. */
const namedPorts = ['8441', '8442', '8443', '8451', '8452', '8453', '8454'] as const;

/** The commands of one section of the page, without those of the machine itself. */
function commandsOf(page: string, section: string): string[] {
  const [, text] = new RegExp(`^## \\d+\\. ${section}\\n([^]*?)(?=^## |$(?![^]))`, 'm').exec(page) ?? [];
  if (text === undefined) throw new Error(`The page has no section "${section}".`);
  return [...text.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, commands = '']) => commands);
}

/** A PostgreSQL of Debian's packages as somebody finds it: passwords, no TLS. */
class FreshPostgres {
  private constructor(
    readonly port: number,
    private readonly folder: ServerFolder,
    private readonly child: ChildProcess,
  ) {}

  static async start(bin: string, password: string): Promise<FreshPostgres> {
    const folder = await ServerFolder.create();
    const port = await freePort();
    const data = await folder.makeFolder('main');
    const passwordFile = join(folder.path, 'password');
    await writeFile(passwordFile, password, { mode: 0o644 });
    const options = ['-D', data, '-U', 'postgres', '--auth=scram-sha-256', `--pwfile=${passwordFile}`, '--no-sync'];
    await run(join(bin, 'initdb'), options, { cwd: '/', ...folder.account });
    const settings = ['-c', `port=${port}`, '-c', 'listen_addresses=localhost', '-c', 'unix_socket_directories='];
    const child = spawn(join(bin, 'postgres'), ['-D', data, ...settings], {
      ...folder.account,
      cwd: '/',
      detached: true,
      stdio: 'ignore',
    });
    return new FreshPostgres(port, folder, child);
  }

  async remove(): Promise<void> {
    if (this.child.pid && this.child.exitCode === null) {
      const exited = once(this.child, 'exit');
      process.kill(-this.child.pid, 'SIGKILL');
      await exited;
    }
    await this.folder.remove();
  }
}

(isMissing ? describe.skip : describe)('deploy/one-machine.md', () => {
  let page: string;
  let sandbox: TestSandbox;
  let postgres: FreshPostgres;
  let folder: string;
  let settings: string;
  let environment: Record<string, string>;
  let ports: Readonly<Record<string, number>>;
  const children: ChildProcess[] = [];
  const outputs: string[] = [];

  beforeAll(async () => {
    page = await readFile('deploy/one-machine.md', 'utf8');
    // The directory and the bank are a sandbox's; it starts none of the four processes.
    sandbox = await startTestSandbox({ only: [] });
    folder = await mkdtemp(join(tmpdir(), 'one-machine-'));
    settings = join(folder, 'open-banking');
    postgres = await FreshPostgres.start(programs ?? '', 'of-the-superuser');
    ports = Object.fromEntries(await Promise.all(namedPorts.map(async (port) => [port, await freePort()])));
    const { directory, ports: at } = sandbox;
    environment = {
      PATH: `${process.env['PATH'] ?? ''}:/usr/sbin`,
      HOME: folder,
      program: resolve('.'),
      settings: settings,
      auth_host: address(at.authorize),
      token_host: address(at.token),
      api_host: address(at.api),
      auth_address: `127.0.0.1:${at.authorize}`,
      token_address: `127.0.0.1:${at.token}`,
      api_address: `127.0.0.1:${at.api}`,
      BANK_NAME: 'Bank of the Test',
      BANK_URL: `https://${address(at.bank)}`,
      ORGANISATION_ID: (await ensureTrustFramework({ directory, now: new Date() })).secrets.organisationId,
      DIRECTORY_ISSUER: directoryIssuer,
      DIRECTORY_JWKS_URI: `https://${address(at.directory)}/directory.jwks`,
      DIRECTORY_KEY_HOSTS: address(at.directory),
      database_superuser: `postgres://postgres:of-the-superuser@localhost:${postgres.port}/postgres`,
      database_server: address(postgres.port),
      haproxy_file: join(folder, 'haproxy.cfg'),
    };
  });

  afterAll(async () => {
    await Promise.all(children.map(end));
    await postgres?.remove();
    await sandbox?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  function withPorts(text: string): string {
    return Object.entries(ports).reduce((changed, [named, port]) => changed.replaceAll(named, String(port)), text);
  }

  /** Runs commands of the page as they are, but for the ports; a command that fails ends it. */
  async function follow(...commands: readonly string[]): Promise<string> {
    const [names = ''] = commandsOf(page, 'What is different at your bank');
    const script = withPorts(['set -euo pipefail', names, ...commands].join('\n'));
    const { stdout } = await run('bash', ['-c', script], { env: environment });
    return stdout;
  }

  /** What others give: the public authority, the directory and the bank. */
  async function receiveFiles(): Promise<void> {
    const trust = await ensureTrustFramework({ directory: sandbox.directory, now: new Date() });
    const files = {
      'tls-certificate': trust.server.certificateFile,
      'tls-private-key': trust.server.privateKeyFile,
      'client-trust-anchors': trust.authority.certificateFile,
      'bank-ca': trust.authority.certificateFile,
      'bank-client-certificate': trust.bankClient.certificateFile,
      'bank-client-private-key': trust.bankClient.privateKeyFile,
      'authorize-bank-client-certificate': trust.bankClient.certificateFile,
      'authorize-bank-client-private-key': trust.bankClient.privateKeyFile,
      'token-bank-client-certificate': trust.bankClient.certificateFile,
      'token-bank-client-private-key': trust.bankClient.privateKeyFile,
      'api-bank-client-certificate': trust.bankClient.certificateFile,
      'api-bank-client-private-key': trust.bankClient.privateKeyFile,
    };
    for (const [name, file] of Object.entries(files)) await copyFile(file, join(settings, 'secrets', name));
  }

  /** As the directory does. */
  async function certifySigningKey(): Promise<void> {
    const { authority } = await ensureTrustFramework({ directory: sandbox.directory, now: new Date() });
    const parameters = ['x509', '-req', '-days', '30', '-in', 'signing-keys.csr', '-out', 'signing-certificate'];
    const issuer = ['-CA', authority.certificateFile, '-CAkey', authority.privateKeyFile];
    await run('openssl', [...parameters, ...issuer], { cwd: join(settings, 'secrets') });
  }

  function portsOf(app: App): Record<string, string> {
    const number = apps.indexOf(app) + 1;
    return { PORT: String(ports[`844${number}`] ?? 0), ADMIN_PORT: String(ports[`845${number}`]) };
  }

  /** Starts a process as its unit does. */
  async function start(app: App): Promise<void> {
    const unit = await readFile('deploy/systemd/open-banking@.service', 'utf8');
    const valueOf = (name: string): string => {
      const [, value = ''] = new RegExp(`^${name}=(.+)$`, 'm').exec(unit) ?? [];
      return value.replaceAll('%i', app).replaceAll('/etc/open-banking', settings);
    };
    const program = argumentsOfUnit(unit, app).map((each) => each.replace('/opt/open-banking-provider', resolve('.')));
    const env = parseEnv(await readFile(valueOf('EnvironmentFile'), 'utf8')) as Record<string, string>;
    const child = spawn(process.execPath, [...withConstants, ...program], {
      cwd: valueOf('WorkingDirectory'),
      env: { PATH: process.env['PATH'] ?? '', ...env, ...portsOf(app) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => outputs.push(`${app}: ${chunk}`));
    children.push(child);
  }

  /** Settings beside those of the page. */
  async function addSettings(added: Readonly<Record<string, string>>): Promise<void> {
    const file = join(settings, 'settings.env');
    const known = parseEnv(await readFile(file, 'utf8'));
    const lines = Object.entries({ ...known, ...added }).map(([name, value]) => `${name}=${value}`);
    await writeFile(file, `${lines.join('\n')}\n`);
  }

  async function untilReady(): Promise<string> {
    const [look = ''] = commandsOf(page, 'Look');
    return eventually(() => {
      const ended = children.find(({ exitCode }) => exitCode !== null);
      return ended ? Promise.reject(new Error(`A process has ended: ${outputs.join('\n')}`)) : follow(look);
    });
  }

  it('leads from nothing to four processes that are ready, with the strict settings of the page', async () => {
    await follow();
    await receiveFiles();
    const [draw = '', certify = ''] = commandsOf(page, 'Secrets');
    await follow(draw);
    await certifySigningKey();
    await follow(certify);
    await follow(commandsOf(page, 'The database').join('\n'));
    await follow(...commandsOf(page, 'Settings'));
    for (const app of apps) await start(app);
    await follow(...commandsOf(page, 'HAProxy'));
    const configuration = environment['haproxy_file'] ?? '';
    await writeFile(configuration, withPorts(await readFile(configuration, 'utf8')));
    children.push(spawn('/usr/sbin/haproxy', ['-db', '-f', configuration], { stdio: 'ignore' }));
    expect(await untilReady()).toContain('[]');
  });

  it('gives each process its own secrets and no others', async () => {
    const { stdout } = await run('find', ['.', '-name', '*private-key', '-o', '-name', '*-keys'], { cwd: settings });
    const given = stdout.split('\n').filter((path) => path !== '' && !path.startsWith('./secrets'));
    expect(given.sort()).toEqual([
      './api/bank-client-private-key',
      './api/client-secret-encryption-keys',
      './api/signing-keys',
      './api/tls-private-key',
      './authorize/audit-digest-keys',
      './authorize/bank-client-private-key',
      './authorize/client-secret-encryption-keys',
      './authorize/session-keys',
      './authorize/signing-keys',
      './authorize/tls-private-key',
      './operator/bank-client-private-key',
      './operator/client-secret-encryption-keys',
      './token/bank-client-private-key',
      './token/client-secret-encryption-keys',
      './token/signing-keys',
      './token/tls-private-key',
      './worker/bank-client-private-key',
      './worker/signing-keys',
    ]);
  });

  it('makes payments over HAProxy', async () => {
    // The directory of this test is on this machine, issues for a sandbox and has no list of revoked certificates.
    await Promise.all(children.slice(0, apps.length).map(end));
    children.splice(0, apps.length);
    await addSettings({
      STRICT: 'false',
      DIRECTORY_CA_FILE: 'client-trust-anchors',
      DIRECTORY_ALLOW_PRIVATE_ADDRESSES: 'true',
      CLIENT_CERTIFICATE_REVOCATION: 'off',
      SOFTWARE_ENVIRONMENTS: 'sandbox',
      SOFTWARE_STATEMENT_MAX_AGE_SECONDS: '0',
    });
    for (const app of apps) await start(app);
    await untilReady();
    // HAProxy looks once a second whether a process that went away is back.
    const tpp = await eventually(() => aTpp(sandbox));
    const consent = await tpp.authorise(aPaymentFile({ payments: 3 }));
    const paid = await tpp.pay(consent, { accessToken: await tpp.exchangeCode(consent) });
    expect(paid.status).toBe(201);
    const { FilePaymentId } = paid.json()['Data'] as { FilePaymentId: string };
    await expectEventually(
      async () => ((await tpp.get(`/file-payments/${FilePaymentId}`)).json()['Data'] as { Status: string }).Status,
      'InitiationCompleted',
    );
    tpp.close();
  });

  it('refuses a database with another’s certificate', async () => {
    // A server of that name with a certificate of somebody else's: nothing is sent there.
    const url = (await readFile(join(settings, 'worker/database-url'), 'utf8')).trim();
    const wrongName = url.replace('@localhost:', '@127.0.0.1:');
    const migrate = join(resolve('.'), 'dist/apps/worker/src/migrate.js');
    const failed = await run(process.execPath, [migrate], { env: { DATABASE_URL: wrongName } }).catch(
      (error: { stderr: string }) => error,
    );
    expect(failed.stderr).toMatch(/certificate|altnames/i);
  });
});

const address = (port: number): string => `localhost:${port}`;

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}

/** @returns its result as soon as it does not fail */
async function eventually<Result>(attempt: () => Promise<Result>): Promise<Result> {
  let failure: unknown;
  for (let count = 0; count < 60; count += 1) {
    try {
      return await attempt();
    } catch (error) {
      failure = error;
      await sleep(1_000);
    }
  }
  throw failure;
}
