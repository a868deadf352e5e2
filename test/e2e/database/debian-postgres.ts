import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { isFree } from '../../support/apps/ports.js';
import { freePort } from '../../support/free-port.js';
import { findUnprivilegedAccount, type Account } from '../../support/apps/postgres.js';

const versions = '/usr/lib/postgresql';
const run = promisify(execFile);

/** @returns the folder of the newest PostgreSQL of Debian's packages; undefined if there is none */
export function postgresPrograms(): string | undefined {
  if (!existsSync(versions)) return undefined;
  const folders = readdirSync(versions)
    .sort((one, other) => Number(other) - Number(one))
    .map((version) => join(versions, version, 'bin'));
  return folders.find((folder) => existsSync(join(folder, 'pg_basebackup')));
}

/** A folder for programs that do not run as root, which this process may do. */
export class ServerFolder {
  private constructor(
    readonly path: string,
    readonly account: Account | undefined,
  ) {}

  static async create(): Promise<ServerFolder> {
    const path = await mkdtemp(join(tmpdir(), 'database-'));
    const account = await findUnprivilegedAccount(join(path, 'data'));
    await chmod(path, 0o711);
    return new ServerFolder(path, account);
  }

  /** Makes a folder in it that belongs to the account. */
  async makeFolder(name: string): Promise<string> {
    const path = join(this.path, name);
    await mkdir(path, { mode: 0o700 });
    if (this.account) await chown(path, this.account.uid, this.account.gid);
    return path;
  }

  async remove(): Promise<void> {
    // The last children of a server that was killed may be writing still.
    await rm(this.path, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}

/** A primary with a synchronous standby: what it acknowledges is on both. */
export class PostgresPair {
  readonly #servers: Partial<Record<'primary' | 'standby', ChildProcess>> = {};

  private constructor(
    private readonly folder: ServerFolder,
    private readonly programs: string,
    readonly ports: { primary: number; standby: number },
  ) {}

  /** @param programs folder of PostgreSQL's programs */
  static async start(programs: string): Promise<PostgresPair> {
    const ports = { primary: await freePort(), standby: await freePort() };
    const pair = new PostgresPair(await ServerFolder.create(), programs, ports);
    const primary = await pair.folder.makeFolder('primary');
    const standby = await pair.folder.makeFolder('standby');
    await pair.#run('initdb', [
      '-D',
      primary,
      '-U',
      'postgres',
      '--auth=trust',
      '--no-sync',
      '--locale=C',
      '-E',
      'UTF8',
    ]);
    await pair.#start('primary', primary, { synchronous_standby_names: 'standby', synchronous_commit: 'local' });
    const source = `host=127.0.0.1 port=${ports.primary} user=postgres application_name=standby`;
    await pair.#run('pg_basebackup', ['-D', standby, '-R', '-X', 'stream', '-c', 'fast', '--no-sync', '-d', source]);
    await pair.#start('standby', standby, { hot_standby: 'on' });
    // From here on nothing is acknowledged that the standby does not have.
    await pair.query('primary', "ALTER DATABASE postgres SET synchronous_commit = 'on'");
    await pair.query('primary', 'CREATE DATABASE open_banking');
    await pair.query('primary', "ALTER ROLE postgres SET synchronous_commit = 'on'");
    await pair.#waitFor('primary', "SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'");
    return pair;
  }

  /** postgres:// URL that names both servers. */
  get url(): string {
    const { primary, standby } = this.ports;
    return `postgres://postgres:unused@127.0.0.1:${primary},127.0.0.1:${standby}/open_banking`;
  }

  /** Ends the primary as a power cut would. */
  async killPrimary(): Promise<void> {
    await this.kill('primary');
  }

  /** Ends one of the servers as a power cut would. */
  async kill(name: 'primary' | 'standby'): Promise<void> {
    const server = this.#servers[name];
    if (!server?.pid) return;
    const exited = once(server, 'exit');
    // All of its processes: a postmaster's children would continue for a moment.
    process.kill(-server.pid, 'SIGKILL');
    await exited;
  }

  /** Makes the standby the primary. */
  async promote(): Promise<void> {
    await this.query('standby', 'SELECT pg_promote(true)');
  }

  /** Asks one of the servers. */
  async query<Row extends object>(server: 'primary' | 'standby', sql: string, database = 'postgres'): Promise<Row[]> {
    const client = new Client({ host: '127.0.0.1', port: this.ports[server], user: 'postgres', database });
    await client.connect();
    try {
      return (await client.query(sql)).rows as Row[];
    } finally {
      await client.end();
    }
  }

  async remove(): Promise<void> {
    for (const server of Object.values(this.#servers)) {
      if (!server.pid || server.exitCode !== null || server.signalCode !== null) continue;
      const exited = once(server, 'exit');
      process.kill(-server.pid, 'SIGKILL');
      await exited;
    }
    await this.folder.remove();
  }

  async #run(program: string, parameters: string[]): Promise<void> {
    await run(join(this.programs, program), parameters, { cwd: '/', ...this.folder.account });
  }

  async #start(name: 'primary' | 'standby', data: string, settings: Record<string, string>): Promise<void> {
    const all = {
      port: String(this.ports[name]),
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      max_connections: '200',
      ...settings,
    };
    const log = await open(join(this.folder.path, `${name}.log`), 'a');
    this.#servers[name] = spawn(
      join(this.programs, 'postgres'),
      ['-D', data, ...Object.entries(all).flatMap(([setting, value]) => ['-c', `${setting}=${value}`])],
      { ...this.folder.account, cwd: '/', detached: true, stdio: ['ignore', log.fd, log.fd] },
    );
    await log.close();
    await this.#waitFor(name, 'SELECT 1');
  }

  async #waitFor(server: 'primary' | 'standby', sql: string): Promise<void> {
    for (let attempt = 0; attempt < 1_200; attempt += 1) {
      const rows = await this.query(server, sql).catch(() => []); // not there yet
      if (rows.length > 0) return;
      await sleep(100);
    }
    throw new Error(`Waited in vain for ${server}: ${sql}`);
  }
}

/** The real PgBouncer with the shipped configuration. */
export class PgBouncer {
  private constructor(
    readonly port: number,
    private readonly child: ChildProcess,
    private readonly folder: ServerFolder,
  ) {}

  /**
   * @param configuration text of pgbouncer.ini with `{port}` and `{folder}` where those of this machine belong
   * @param users text of userlist.txt in that folder
   */
  static async start(configuration: string, users: string): Promise<PgBouncer> {
    const folder = await ServerFolder.create();
    const own = await folder.makeFolder('pgbouncer');
    const port = await freePort();
    const file = join(own, 'pgbouncer.ini');
    await writeFile(file, configuration.replaceAll('{port}', String(port)).replaceAll('{folder}', own));
    await writeFile(join(own, 'userlist.txt'), users);
    const child = spawn('/usr/sbin/pgbouncer', [file], {
      ...folder.account,
      cwd: '/',
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let output = '';
    child.stderr?.on('data', (chunk) => (output += String(chunk)));
    const bouncer = new PgBouncer(port, child, folder);
    for (let attempt = 0; attempt < 2_400; attempt += 1) {
      if (child.exitCode !== null) throw new Error(`PgBouncer has ended: ${output}`);
      if (!(await isFree(port))) return bouncer;
      await sleep(50);
    }
    throw new Error(`PgBouncer does not listen: ${output}`);
  }

  async stop(): Promise<void> {
    const exited = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await exited;
    await this.folder.remove();
  }
}
