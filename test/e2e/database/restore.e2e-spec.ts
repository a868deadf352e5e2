import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { loadConfig } from '#libs/config';
import { operatorSettings } from '../../support/apps/settings.js';
import { runMigrations } from '#libs/typeorm';
import { type ServiceCommand, formatOutcome, runCommand } from '../../support/apps/operator.js';
import { createOperatorApp, operationsOf, parseCommand } from '../../support/apps/operator-app.js';
import { sandboxEnvironment } from '../../support/apps/sandbox.js';
import { ensureTrustFramework } from '../../support/apps/trust.js';
import { aPaymentFile } from '../../support/a-payment-file.js';
import { type AuthorisedConsent, aTpp, type TestTpp } from '../../support/a-tpp.js';
import { expectEventually, until } from '../../support/expectations.js';
import { freePort } from '../../support/free-port.js';
import { httpsRequest } from '../../support/https-request.js';
import { openTestPool } from '../../support/open-test-pool.js';
import { startTestSandbox, type TestSandbox } from '../../support/start-test-sandbox.js';
import { dataOf } from '../file-payments/world.js';
import { postgresPrograms, ServerFolder } from './debian-postgres.js';
import { withConstants } from '../../support/with-constants.js';

const run = promisify(execFile);
const bin = postgresPrograms() ?? '';
if (bin === '') process.stderr.write('deploy/backup.md is not tried: PostgreSQL of Debian is not installed.\n');

const apps = ['authorize', 'token', 'api', 'worker'] as const;

/** A machine with PostgreSQL as Debian's packages lay it out, and a folder for backups. */
class DatabaseMachine {
  #server: ChildProcess | undefined;
  #oldServer: ChildProcess | undefined;

  private constructor(
    private readonly folder: ServerFolder,
    /** where all of it is, and belongs to the server's user */
    private readonly root: string,
    private readonly page: string,
    readonly port: number,
    readonly otherPort: number,
  ) {}

  /** Starts it, archiving as the page says. */
  static async start(page: string): Promise<DatabaseMachine> {
    const folder = await ServerFolder.create();
    const root = await folder.makeFolder('machine');
    const machine = new DatabaseMachine(folder, root, page, await freePort(), await freePort());
    await machine.run(
      `cd ${root}; mkdir -p old backup/wal etc
       ${bin}/initdb -D main -U postgres --auth=trust --no-sync --locale=C -E UTF8
       mv main/*.conf etc; mv etc/postgresql.auto.conf main`,
    );
    const [archive = ''] = machine.blocks('Back up', 'text');
    const own = `
      data_directory = '${root}/main'
      hba_file = '${root}/etc/pg_hba.conf'
      ident_file = '${root}/etc/pg_ident.conf'
      external_pid_file = '${root}/main/external.pid'
      port = ${machine.port}
      listen_addresses = '127.0.0.1'
      unix_socket_directories = ''
      fsync = off
      ${archive}`;
    await appendFile(machine.#configuration, own);
    await machine.startServer();
    await machine.query('CREATE ROLE replication LOGIN REPLICATION', 'postgres');
    await machine.query('CREATE DATABASE open_banking', 'postgres');
    return machine;
  }

  /** postgres:// URL of the server in use, or of the old one. */
  url(port = this.port, database = 'open_banking'): string {
    return `postgres://postgres:unused@127.0.0.1:${port}/${database}`;
  }

  get #configuration(): string {
    return join(this.root, 'etc', 'postgresql.conf');
  }

  /** @returns the blocks of a section of the page in a language, with the places of this machine */
  blocks(section: string, language: string): string[] {
    const [, text = ''] = new RegExp(`^## ${section}\\n([^]*?)(?=^## |$(?![^]))`, 'm').exec(this.page) ?? [];
    const found = [...text.matchAll(new RegExp(`^( *)\`\`\`${language}\\n([^]*?)^ *\`\`\`$`, 'gm'))];
    return found.map(([, margin = '', block = '']) =>
      block
        .replaceAll(new RegExp(`^${margin}`, 'gm'), '')
        .replaceAll('runuser -u postgres -- ', '')
        .replaceAll('/usr/lib/postgresql/15/bin', bin)
        .replaceAll('/etc/postgresql/15/main', join(this.root, 'etc'))
        .replaceAll('/old/data', join(this.root, 'old/main'))
        .replaceAll('/backup', join(this.root, 'backup'))
        .replaceAll('-h db-1.internal', `-h 127.0.0.1 -p ${this.port}`)
        .replaceAll('port=5433', `port=${this.otherPort}`),
    );
  }

  /** Runs commands as the user whom the server belongs to. */
  async run(commands: string, variables: Record<string, string> = {}): Promise<string> {
    const env = { PATH: `${bin}:${process.env['PATH'] ?? ''}`, ...variables };
    const { stdout } = await run('bash', ['-euc', commands], { cwd: '/', env, ...this.folder.account });
    return stdout;
  }

  async query<Row extends object>(sql: string, database = 'open_banking', port = this.port): Promise<Row[]> {
    const client = new Client({ connectionString: this.url(port, database) });
    await client.connect();
    try {
      return (await client.query(sql)).rows as Row[];
    } finally {
      await client.end();
    }
  }

  async startServer(): Promise<void> {
    this.#server = this.#spawn(`exec ${bin}/postgres -c config_file=${this.#configuration}`);
    await this.#untilItWrites(this.port);
  }

  async stopServer(): Promise<void> {
    await this.#stop(this.#server);
  }

  /** Steps 2 to 6 of the restore. */
  async restoreTo(moment: string): Promise<void> {
    await this.stopServer();
    const main = join(this.root, 'main');
    await rename(main, join(this.root, 'old/main'));
    await this.run(`cp -r ${this.root}/backup/base ${main} && chmod 700 ${main}`);
    const [lines = ''] = this.blocks('Restore to a point in time', 'text');
    const file = join(main, 'postgresql.auto.conf');
    const before = await readFile(file, 'utf8');
    await appendFile(file, lines.replace(/(?<=recovery_target_time = ').*(?=')/, moment));
    await this.run(`touch ${main}/recovery.signal`);
    await this.startServer();
    await writeFile(file, before);
    await this.run(`mkdir ${this.root}/backup/wal-since`);
    const settings = await readFile(this.#configuration, 'utf8');
    await writeFile(this.#configuration, settings.replaceAll('/backup/wal/', '/backup/wal-since/'));
    await this.stopServer();
    await this.startServer();
    await this.run(this.#backUp().replace('/base ', '/base-since '));
  }

  #backUp(): string {
    return this.blocks('Back up', 'sh machine')[0] ?? '';
  }

  async backUp(): Promise<void> {
    await this.run(this.#backUp());
  }

  /** Starts the old server as the page says. */
  async startOldServer(): Promise<void> {
    const [start = ''] = this.blocks('After a restore', 'sh machine');
    this.#oldServer = this.#spawn(`exec ${start}`);
    await this.#untilItWrites(this.otherPort);
  }

  async remove(): Promise<void> {
    await Promise.all([this.#server, this.#oldServer].map((server) => this.#stop(server)));
    await this.folder.remove();
  }

  #spawn(command: string): ChildProcess {
    return spawn('bash', ['-c', command], { cwd: '/', ...this.folder.account, stdio: 'ignore' });
  }

  async #untilItWrites(port: number): Promise<void> {
    await until(async () => {
      const rows = await this.query<{ waits: boolean }>('SELECT pg_is_in_recovery() AS waits', 'postgres', port).catch(
        () => [], // not there yet
      );
      return rows[0]?.waits === false;
    });
  }

  async #stop(server: ChildProcess | undefined): Promise<void> {
    if (!server || server.exitCode !== null || server.signalCode !== null) return;
    const exited = once(server, 'exit');
    server.kill('SIGINT');
    await exited;
  }
}

(bin === '' ? describe.skip : describe)('deploy/backup.md, followed step by step', () => {
  let page: string;
  let machine: DatabaseMachine;
  let sandbox: TestSandbox;
  let environment: Record<string, string>;
  let tpp: TestTpp;
  let otherTpp: TestTpp;
  const processes: Partial<Record<(typeof apps)[number], ChildProcess>> = {};

  beforeAll(async () => {
    page = await readFile('deploy/backup.md', 'utf8');
    // The directory and the bank are a sandbox's; it starts none of the four processes.
    [sandbox, machine] = await Promise.all([startTestSandbox({ only: [] }), DatabaseMachine.start(page)]);
    const { directory, ports } = sandbox;
    const trust = await ensureTrustFramework({ directory, now: new Date() });
    environment = {
      ...sandboxEnvironment({ directory, ports, databaseUrl: machine.url(), trust, overrides: {} }),
      PATH: process.env['PATH'] ?? '',
      OPERATOR_FOUR_EYES: 'true',
      ACCESS_TOKEN_SECONDS: '3600',
    };
    await runMigrations(machine.url());
    for (const name of ['olivia', 'oscar']) await machine.query(`CREATE ROLE ${name} SUPERUSER LOGIN`);
    await start('authorize', 'token', 'api');
    [tpp, otherTpp] = await Promise.all([aTpp(sandbox), aTpp(sandbox, { index: 1 })]);
  });

  afterAll(async () => {
    await stop(...apps);
    tpp?.close();
    otherTpp?.close();
    await sandbox?.stop();
    await machine?.remove();
  });

  async function start(...names: (typeof apps)[number][]): Promise<void> {
    for (const name of names)
      processes[name] = spawn(process.execPath, [...withConstants, `dist/apps/${name}/src/main.js`], {
        env: { ...environment, ...(name !== 'worker' && { PORT: String(sandbox.ports[name]) }) },
        stdio: 'ignore',
      });
    const { agent, description } = sandbox;
    const addresses = { authorize: description.jwks_uri, token: description.token_endpoint, api: description.base_url };
    for (const name of names) if (name !== 'worker') await until(() => isListening(agent, addresses[name]));
  }

  async function stop(...names: (typeof apps)[number][]): Promise<void> {
    await Promise.all(
      names.map(async (name) => {
        const child = processes[name];
        if (!child || child.exitCode !== null || child.signalCode !== null) return;
        const exited = once(child, 'exit');
        child.kill('SIGTERM');
        await exited;
      }),
    );
  }

  /** An operator's command; with four eyes, somebody else confirms it. */
  async function operate(words: string, by = 'olivia'): Promise<string> {
    const line = await parseCommand(words.split(' '));
    if ('help' in line) throw new Error(line.help);
    const own = { ...environment, DATABASE_URL: machine.url().replace('postgres:unused', `${by}:unused`) };
    const app = await createOperatorApp(await loadConfig(own, operatorSettings));
    let printed = '';
    const write = (text: string): unknown => (printed += text);
    const outcome = await runCommand(line.command as ServiceCommand, operationsOf(app), { format: line.format, write });
    await app.close();
    const answer = printed === '' ? formatOutcome(outcome, line.format) : printed;
    const [, request] = /"confirmWith": "(.+)"/.exec(answer) ?? [];
    return request === undefined ? answer : operate(request, 'oscar');
  }

  /** @returns an operator's command that the page names, with its own words */
  function named(beginning: string): string {
    const [, words] =
      new RegExp(`npm run operator -- (${beginning}[^\`\\n]*)`).exec(page.replaceAll(/\n +/g, ' ')) ?? [];
    if (words === undefined) throw new Error(`The page does not name "${beginning}".`);
    return words.trim().replace('- < made-since', join(sandbox.directory, 'made-since'));
  }

  const paid = async (consent: AuthorisedConsent): Promise<string> => {
    const answer = await tpp.pay(consent);
    expect({ status: answer.status, text: answer.text }).toMatchObject({ status: 201 });
    return String(dataOf(answer)['FilePaymentId']);
  };
  const statusOf = async (id: string): Promise<unknown> => {
    const answer = await tpp.get(`/file-payments/${id}`);
    return answer.status === 200 ? dataOf(answer)['Status'] : answer.status;
  };

  it('pays nothing that was stopped or rejected since, nothing twice, and names what is lost', async () => {
    const bank = openTestPool({ connectionString: sandbox.postgres.url('sandbox_bank'), max: 1 });
    const atBank = async (): Promise<Record<string, number>> => {
      const { rows } = await bank.query<{ batch_key: string; made: number }>(
        'SELECT batch_key, count(*)::int AS made FROM payments GROUP BY 1',
      );
      return Object.fromEntries(rows.map(({ batch_key: id, made }) => [id, made]));
    };
    const consents: AuthorisedConsent[] = [];
    for (let count = 0; count < 4; count += 1) consents.push(await tpp.authorise(aPaymentFile({ payments: 3 })));
    const [toHandOver, toReject, toStop, approved] = consents as [
      AuthorisedConsent,
      AuthorisedConsent,
      AuthorisedConsent,
      AuthorisedConsent,
    ];
    const [handedOver, rejected, stopped] = [await paid(toHandOver), await paid(toReject), await paid(toStop)];
    await machine.backUp();

    // The moment, and what happens after it.
    const [{ moment }] = (await machine.query<{ moment: string }>('SELECT now()::text AS moment')) as [
      { moment: string },
    ];
    const decide = async (): Promise<void> => {
      await Promise.all([
        operate(`payments stop --payment-order ${rejected} --reason wrong`),
        operate(`payments stop --payment-order ${stopped} --reason fraud`),
        operate(`clients suspend ${otherTpp.clientId} --reason stolen`),
      ]);
      expect(await operate(`payments reject ${rejected} --reason wrong`)).toContain('"done": "reject"');
    };
    await decide();
    await start('worker');
    const lost = await paid(approved);
    const made = await paid(await tpp.authorise(aPaymentFile({ payments: 3 })));
    for (const id of [handedOver, lost, made]) await expectEventually(() => statusOf(id), 'InitiationCompleted');
    expect(await atBank()).toEqual({ [handedOver]: 3, [lost]: 3, [made]: 3 });

    await stop(...apps);
    await machine.restoreTo(moment);
    await runMigrations(machine.url());
    expect(await operate(named('payments stop --all'))).toContain('"stopped": 3');
    // A supervisor that nobody thought of: the order of the step before holds it back.
    await start('worker');
    await machine.startOldServer();
    const variables = { OLD: machine.url(machine.otherPort), MOMENT: moment };
    const commands = machine.blocks('After a restore', 'sh machine').filter((block) => block.startsWith('psql'));
    const [decided = '', since = ''] = await Promise.all(
      commands.map((command) => machine.run(command.replace(/ > made-since/, ''), variables)),
    );
    for (const row of [
      `client.suspend .*${otherTpp.clientId}`,
      `payments.stop .*${stopped}`,
      `operator.confirm .*${rejected}`,
      `payment-order.reject .*${rejected}`,
    ])
      expect(decided).toMatch(new RegExp(row));
    await decide();
    const hubs = Object.keys(await atBank()).join('\n');
    await writeFile(join(sandbox.directory, 'made-since'), `${since}${hubs}\n`);
    const found = JSON.parse(await operate(named('payments reconcile --listed'))) as {
      differences: { filePaymentId: string; kind: string }[];
      totals: Record<string, unknown>;
    };
    expect(found.totals).toMatchObject({ unknown: 2, onlyAtBank: 2, bank: { Away: 0, Unreadable: 0 } });
    expect(new Set(found.differences.map(({ filePaymentId, kind }) => `${kind} ${filePaymentId}`))).toEqual(
      new Set([lost, made].map((id) => `PaymentOnlyAtBank ${id}`)),
    );

    // Nobody signs in any more.
    await start('api');
    expect(await statusOf(handedOver)).toBe('InitiationPending');
    expect(await operate(named('payments resume --all'))).toContain('"resumed": 1');
    // Its TPP sees a consent that is not paid yet, and makes the same file payment again.
    expect(await paid(approved)).toBe(lost);
    for (const id of [handedOver, lost]) await expectEventually(() => statusOf(id), 'InitiationCompleted');
    expect(JSON.parse(await operate(named('payments held')))).toEqual([]);

    expect(await Promise.all([rejected, stopped, lost, made].map(statusOf))).toEqual([
      'InitiationFailed',
      'InitiationPending',
      'InitiationCompleted',
      400,
    ]);
    expect((await otherTpp.get(`/file-payments/${stopped}`)).status).toBe(401);
    expect(await atBank()).toEqual({ [handedOver]: 3, [lost]: 3, [made]: 3 });
    const { rows } = await bank.query(
      "SELECT sum(balance_pence - 10000000000)::int AS left FROM accounts WHERE identification = '20000112345678'",
    );
    expect(rows).toEqual([{ left: -3 * 3 * 1_050 }]);
    await bank.end();
  });
});

async function isListening(agent: TestSandbox['agent'], url: string): Promise<boolean> {
  return httpsRequest({ url, agent }).then(
    () => true,
    (error: { code?: string }) => error.code !== 'ECONNREFUSED',
  );
}
