import { spawn, type ChildProcess } from 'node:child_process';
import { open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SandboxError } from '../sandbox-error.js';
import { isPostmasterOf, readPostmasterFile } from './postmaster-file.js';
import { stopPostmaster } from './stop-process.js';
import type { Account } from './unprivileged-account.js';

/** How long a start may take, crash recovery included. */
const startDeadlineMilliseconds = 60_000;

export interface PostmasterOptions {
  program: string;
  dataDirectory: string;
  port: number;
  account: Account | undefined;
  logFile: string;
  /** further settings of postgresql.conf */
  settings: Readonly<Record<string, string>>;
}

/**
 * Ends the PostgreSQL that a killed run left behind, and removes its lock file when the process is gone.
 * @param dataDirectory an existing cluster, which nobody else may be using now
 */
export async function stopOrphan(dataDirectory: string): Promise<void> {
  const orphan = await readPostmasterFile(dataDirectory);
  if (orphan && (await isPostmasterOf(orphan.pid, dataDirectory))) await stopPostmaster(orphan.pid);
  // PostgreSQL takes any living process with the number in this file for its predecessor, and refuses to start.
  await rm(join(dataDirectory, 'postmaster.pid'), { force: true });
}

/**
 * Starts PostgreSQL in a process group of its own, so that Ctrl-C at the terminal reaches it only through us, after
 * those who use it have finished.
 * @returns the process, accepting connections
 * @throws SandboxError if it ends instead of starting; names the log
 */
export async function startPostmaster(options: PostmasterOptions): Promise<ChildProcess> {
  const log = await open(options.logFile, 'a', 0o600);
  try {
    const postmaster = spawn(options.program, postmasterParameters(options), {
      ...options.account,
      cwd: process.platform === 'win32' ? undefined : '/',
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
    });
    const failure = new Promise<never>((_, reject) => {
      postmaster.once('error', reject);
      postmaster.once('exit', () => reject(startFailure(options.logFile)));
    });
    await Promise.race([waitUntilReady(postmaster, options.dataDirectory), failure]);
    postmaster.removeAllListeners();
    return postmaster;
  } finally {
    await log.close();
  }
}

function postmasterParameters({ dataDirectory, port, settings }: PostmasterOptions): string[] {
  const all = {
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    ...settings,
  };
  return ['-D', dataDirectory, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}

async function waitUntilReady(postmaster: ChildProcess, dataDirectory: string): Promise<void> {
  const deadline = Date.now() + startDeadlineMilliseconds;
  while (Date.now() < deadline && postmaster.exitCode === null && postmaster.signalCode === null) {
    const file = await readPostmasterFile(dataDirectory);
    if (file?.pid === postmaster.pid && file?.status === 'ready') return;
    await sleep(10);
  }
  if (postmaster.pid && postmaster.exitCode === null) await stopPostmaster(postmaster.pid);
  throw new SandboxError('PostgreSQL did not start in time. Its log is in the same folder as its data.');
}

function startFailure(logFile: string): SandboxError {
  return new SandboxError(`PostgreSQL did not start. See the end of ${logFile}.`);
}

/** @returns whether the start failed for a reason that passes: remains of a killed run, or a port just taken */
export async function isTransientStartFailure(logFile: string): Promise<boolean> {
  const log = await readFile(logFile, 'utf8').catch(() => ''); // no log: the program itself did not start
  return /pre-existing shared memory block|could not bind|could not create any TCP/.test(log.slice(-2_000));
}
