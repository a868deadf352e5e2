import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../support/free-port.js';
import type { AppName } from './bank-host.js';
import { withConstants } from '../../support/with-constants.js';

/** Waits until something listens there. */
export async function waitForPort(port: number, hasEnded: () => string | undefined): Promise<void> {
  for (let attempt = 0; attempt < 4_800; attempt += 1) {
    const end = hasEnded();
    if (end !== undefined) throw new Error(`The process has ended: ${end}`);
    const socket = connect({ port, host: '127.0.0.1' });
    const isThere = await Promise.race([
      once(socket, 'connect').then(
        () => true,
        () => false,
      ),
      sleep(1_000, false),
    ]);
    socket.destroy();
    if (isThere) return;
    await sleep(25);
  }
  throw new Error(`Nothing listens on port ${port}.`);
}

/** One instance of an application: the built program in its own process. */
export class AppProcess {
  #child: ChildProcess | undefined;
  #output = '';

  private constructor(
    readonly app: AppName,
    readonly port: number,
    private readonly environment: Readonly<Record<string, string>>,
    private readonly logFile: string,
  ) {}

  /**
   * @param options.folder for its log
   * @param options.environment the whole configuration but port and log
   */
  static async create(
    app: AppName,
    options: { folder: string; environment: Readonly<Record<string, string>> },
  ): Promise<AppProcess> {
    const port = await freePort();
    const logFile = join(options.folder, `${app}-${port}.log`);
    return new AppProcess(
      app,
      port,
      {
        PATH: process.env['PATH'] ?? '',
        ...options.environment,
        PORT: String(port),
        LOG_FILE: logFile,
        LOG_LEVEL: 'info',
      },
      logFile,
    );
  }

  /** Starts it (again) on its port. */
  async start(): Promise<void> {
    const child = spawn(process.execPath, [...withConstants, `dist/apps/${this.app}/src/main.js`], {
      env: this.environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    this.#output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (this.#output += String(chunk)));
    await waitForPort(this.port, () => (child.exitCode === null ? undefined : this.#output));
  }

  /** Asks it to stop. @returns its exit code, and how long it took in milliseconds */
  async terminate(): Promise<{ exitCode: number | null; milliseconds: number }> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return { exitCode: null, milliseconds: 0 };
    const startedAt = performance.now();
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await exited;
    return { exitCode: child.exitCode, milliseconds: performance.now() - startedAt };
  }

  /** Ends it at once. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }

  /** @returns the lines of its log */
  async log(): Promise<Record<string, unknown>[]> {
    const text = await readFile(this.logFile, 'utf8').catch(() => ''); // absent: nothing was logged yet
    return text
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  /** @returns how many requests it has answered since its first start */
  async answered(): Promise<number> {
    return (await this.log()).filter((line) => line['route'] !== undefined).length;
  }
}
