import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** One process of the service as it is built, started again whenever it ends, as a supervisor does. */
export class ServiceProcess {
  readonly #program: string;
  readonly #environment: Readonly<Record<string, string>>;
  #child: ChildProcess | undefined;
  #isWanted = true;
  /** how often it was killed */
  kills = 0;

  private constructor(program: string, environment: Readonly<Record<string, string>>) {
    this.#program = program;
    this.#environment = environment;
  }

  /**
   * @param name of the application
   * @param options.directory the sandbox's folder, which has the settings
   * @param options.environment settings that differ
   */
  static async start(
    name: 'api' | 'worker',
    options: { directory: string; environment?: Readonly<Record<string, string>> },
  ): Promise<ServiceProcess> {
    const settings = await readFile(join(options.directory, 'service.env'), 'utf8');
    const sandbox = Object.fromEntries(
      [...settings.matchAll(/^(\w+)="(.*)"$/gm)].map(([, variable, value]) => [variable, value]),
    ) as Record<string, string>;
    const environment = { PATH: process.env['PATH'] ?? '', ...sandbox, ...options.environment };
    const service = new ServiceProcess(`dist/apps/${name}/src/main.js`, environment);
    service.#spawn();
    return service;
  }

  /** Ends it as a power cut would. */
  kill(): void {
    this.kills += 1;
    this.#child?.kill('SIGKILL');
  }

  /** Ends it for good. */
  async stop(): Promise<void> {
    this.#isWanted = false;
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    const isGone = await Promise.race([exited.then(() => true), sleep(5_000, false, { ref: false })]);
    if (!isGone) child.kill('SIGKILL');
    await exited;
  }

  #spawn(): void {
    this.#child = spawn(process.execPath, [this.#program], { env: this.#environment, stdio: 'ignore' });
    this.#child.once('exit', () => {
      if (this.#isWanted) this.#spawn();
    });
  }
}
