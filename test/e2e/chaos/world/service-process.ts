import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { withConstants } from '../../../support/with-constants.js';

export type ServiceName = 'api' | 'worker' | 'authorize';

const clockModule = pathToFileURL(join(import.meta.dirname, '..', 'shift-clock.mjs'));
const longestStopMilliseconds = 5_000;

/** One process of the service as it is built, started again whenever it ends, as a supervisor does. */
export class ServiceProcess {
  readonly #environment: Readonly<Record<string, string>>;
  readonly #clockFile: string;
  #root = resolve('.');
  #child: ChildProcess | undefined;
  #isWanted = true;
  /** milliseconds by which its clock is ahead */
  clockShift = 0;
  /** when that last changed */
  clockShiftedAt = 0;

  /**
   * @param options.directory a folder for messages to the running process
   * @param options.id distinct per process
   */
  constructor(
    readonly name: ServiceName,
    options: { directory: string; id: string; environment: Readonly<Record<string, string>> },
  ) {
    this.#environment = { PATH: process.env['PATH'] ?? '', ...options.environment };
    this.#clockFile = join(options.directory, `clock-${options.id}`);
    this.#spawn();
  }

  /** Ends it as a power cut would. */
  kill(): void {
    this.#child?.kill('SIGKILL');
  }

  /** Freezes it, as a swapping machine or a paused container does, and then continues it. */
  async freeze(milliseconds: number): Promise<void> {
    const child = this.#child;
    child?.kill('SIGSTOP');
    await sleep(milliseconds);
    child?.kill('SIGCONT');
  }

  /** Shifts its clock by that many milliseconds, now and after every start. */
  async shiftClock(milliseconds: number): Promise<void> {
    await writeFile(this.#clockFile, String(milliseconds));
    this.clockShift = milliseconds;
    this.clockShiftedAt = Date.now();
    // A process that does not handle the signal yet ends, and reads the file when it starts again.
    this.#child?.kill('SIGUSR2');
  }

  /**
   * Ends it in order, and starts the program of another folder in its place.
   * @param root of a clone that is built
   */
  async replace(root: string): Promise<void> {
    this.#root = root;
    await this.#end();
  }

  /** Ends it for good. */
  async stop(): Promise<void> {
    this.#isWanted = false;
    await this.#end();
  }

  async #end(): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGCONT');
    child.kill('SIGTERM');
    const isGone = await Promise.race([exited.then(() => true), sleep(longestStopMilliseconds, false, { ref: false })]);
    if (!isGone) child.kill('SIGKILL');
    await exited;
  }

  #spawn(): void {
    const parameters = [
      ...withConstants,
      '--import',
      `${clockModule.href}?file=${encodeURIComponent(this.#clockFile)}`,
    ];
    this.#child = spawn(process.execPath, [...parameters, `dist/apps/${this.name}/src/main.js`], {
      cwd: this.#root,
      env: this.#environment,
      stdio: 'ignore',
    });
    this.#child.once('exit', () => {
      if (this.#isWanted) this.#spawn();
    });
  }
}
