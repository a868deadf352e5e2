import { execFile, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { ensureFolder, privateMode, writeFileAtomically } from '../write-file-atomically.js';
import { locateDataDirectory, removeDataDirectory } from './data-directory.js';
import { choosePort } from './free-port.js';
import { initialiseCluster, superuser } from './initialise-cluster.js';
import { findPostgresBinaries, type PostgresBinaries } from './postgres-binaries.js';
import { isTransientStartFailure, startPostmaster, stopOrphan, type PostmasterOptions } from './start-postmaster.js';
import { stopPostmaster } from './stop-process.js';
import { findUnprivilegedAccount } from './unprivileged-account.js';

/** By then the children of a killed PostgreSQL are gone, even on a busy machine. */
const longestOrphansMilliseconds = 30_000;

/** Connections open for longer are intended. */
const longestFarewellMilliseconds = 2_000;

/** A server that runs, and how it was started. */
interface StartedServer {
  readonly postmaster: ChildProcess;
  /** starts it on the same port, after it has ended */
  readonly startAgain: () => Promise<ChildProcess>;
  readonly binaries: PostgresBinaries;
  readonly directory: string;
  readonly port: number;
  readonly password: string;
}

/** A real PostgreSQL server of our own, on a free port of 127.0.0.1. */
export class EmbeddedPostgres {
  #postmaster: ChildProcess;
  #isStopping = false;
  /** the restart under way after an unexpected end */
  #recovery: Promise<void> | undefined;

  constructor(private readonly server: StartedServer) {
    this.#postmaster = server.postmaster;
  }

  /** Process id of the server. */
  get pid(): number | undefined {
    return this.#postmaster.pid;
  }

  /** @returns postgres:// URL of a database of this server, with the password in it: not for logs */
  url(database: string): string {
    const { password, port } = this.server;
    return `postgres://${superuser}:${password}@127.0.0.1:${port}/${encodeURIComponent(database)}`;
  }

  /**
   * Makes the database unless it is there.
   * @param name letters, digits and underscores
   * @param options.template the database to copy; nobody may be connected to it
   * @returns whether it was made now
   */
  async createDatabase(name: string, options: { template?: string } = {}): Promise<boolean> {
    return this.#asSuperuser(async (client) => {
      const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name]);
      if (rowCount) return false;
      const template = options.template ? ` TEMPLATE ${client.escapeIdentifier(options.template)}` : '';
      await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}${template}`);
      return true;
    });
  }

  /** Deletes the database, if there, and ends the connections to it. */
  async dropDatabase(name: string): Promise<void> {
    await this.#asSuperuser((client) =>
      client.query(`DROP DATABASE IF EXISTS ${client.escapeIdentifier(name)} WITH (FORCE)`),
    );
  }

  /**
   * From now on, restarts a server that ends unexpectedly, for example by kill -9; nothing committed is lost.
   * @param report receives what happens, in one line each
   * @param giveUp receives the error if it cannot be started again
   */
  keepRunning(report: (line: string) => void, giveUp: (error: unknown) => void): void {
    const onEnd = (): void => {
      if (!this.#isStopping) this.#recovery = this.#recover(report, giveUp);
    };
    if (isRunning(this.#postmaster)) this.#postmaster.once('exit', onEnd);
    else onEnd();
  }

  async #recover(report: (line: string) => void, giveUp: (error: unknown) => void): Promise<void> {
    report('PostgreSQL ended unexpectedly. It is being started again.');
    try {
      this.#postmaster = await this.server.startAgain();
      this.keepRunning(report, giveUp);
      report('PostgreSQL is running again.');
    } catch (error) {
      giveUp(error);
    }
  }

  /** Stops the server cleanly; resolves when it is gone. May be called twice. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#recovery;
    if (process.platform === 'win32') {
      // Windows has no signals: a signal there would kill the server without its shutdown.
      const { binaries, directory } = this.server;
      await promisify(execFile)(binaries.pgCtl, ['stop', '-D', join(directory, 'data'), '-m', 'fast', '-w']);
    } else if (this.#postmaster.pid && isRunning(this.#postmaster)) {
      await stopPostmaster(this.#postmaster.pid);
    }
  }

  /** Tells the server to stop, without waiting: all that can be done while this process is ending. */
  requestStop(): void {
    this.#isStopping = true;
    if (isRunning(this.#postmaster)) this.#postmaster.kill('SIGINT');
  }

  /** Stops the server and deletes its folder with all data, wherever they are; for servers of one test run. */
  async remove(): Promise<void> {
    await this.#waitForFarewells();
    await this.stop();
    await removeDataDirectory(this.server.directory);
    await rm(this.server.directory, { recursive: true, force: true });
  }

  /**
   * A pool may end before its connections are closed: a client that hears of the stop would then report an error.
   */
  async #waitForFarewells(): Promise<void> {
    const deadline = Date.now() + longestFarewellMilliseconds;
    const sql = `SELECT FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`;
    await this.#asSuperuser(async (client) => {
      while ((await client.query(sql)).rowCount !== 0 && Date.now() < deadline) await sleep(10);
    }).catch(() => undefined); // it has stopped already
  }

  async #asSuperuser<Result>(work: (client: Client) => Promise<Result>): Promise<Result> {
    const client = new Client({ connectionString: this.url('postgres') });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  }
}

/**
 * Starts the PostgreSQL whose data, password, port and log are in a folder, which the first start creates. It first
 * stops what a killed run left running, so only one process may use a folder at a time.
 * @param options.directory the folder, created if absent
 * @param options.settings settings of postgresql.conf beside the (durable) default ones
 * @throws SandboxError with one line for the user
 */
export async function startEmbeddedPostgres(options: {
  directory: string;
  settings?: Readonly<Record<string, string>>;
}): Promise<EmbeddedPostgres> {
  const directory = resolve(options.directory);
  await ensureFolder(directory);
  const account = await findUnprivilegedAccount(join(directory, 'data'));
  const [binaries, data] = await Promise.all([findPostgresBinaries(account), locateDataDirectory(directory, account)]);
  const password = await ensurePassword(directory, data.isInitialised);
  if (data.isInitialised) await stopOrphan(data.path);
  else await initialiseCluster({ path: data.path, password, binaries, account });
  const server = {
    program: binaries.postgres,
    dataDirectory: data.path,
    account,
    logFile: join(directory, 'postgres.log'),
    settings: options.settings ?? {},
  };
  const portFile = join(directory, 'port');
  const lastPort = Number(await readFile(portFile, 'utf8').catch(() => '')) || undefined; // absent: first start
  const { postmaster, port } = await startWithRetries(server, () => choosePort(lastPort));
  if (port !== lastPort) await writeFileAtomically(portFile, String(port), privateMode);
  const startAgain = async (): Promise<ChildProcess> => {
    await stopOrphan(data.path);
    return (await startWithRetries(server, async () => port)).postmaster;
  };
  return new EmbeddedPostgres({ postmaster, startAgain, binaries, directory, port, password });
}

const isRunning = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode === null && signalCode === null;

async function ensurePassword(directory: string, isInitialised: boolean): Promise<string> {
  const path = join(directory, 'password');
  if (isInitialised) return readFile(path, 'utf8');
  const password = randomBytes(24).toString('base64url');
  await writeFileAtomically(path, password, privateMode);
  return password;
}

async function startWithRetries(
  server: Omit<PostmasterOptions, 'port'>,
  choose: () => Promise<number>,
): Promise<{ postmaster: ChildProcess; port: number }> {
  const giveUpAt = performance.now() + longestOrphansMilliseconds;
  for (;;) {
    const port = await choose();
    try {
      return { postmaster: await startPostmaster({ ...server, port }), port };
    } catch (error) {
      if (performance.now() > giveUpAt || !(await isTransientStartFailure(server.logFile))) throw error;
      // The last children of a killed PostgreSQL need a moment to notice, or somebody took the port meanwhile.
      await sleep(300);
    }
  }
}
