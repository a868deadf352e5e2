import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, connect, type Server } from 'node:net';
import { join } from 'node:path';
import type { RunningSandbox } from '../../support/apps/start-sandbox.js';
import { freePort } from '../../support/free-port.js';
import { waitForPort } from '../ingress/app-process.js';
import { withConstants } from '../../support/with-constants.js';

/** The two programs side by side. */
export type Version = 'old' | 'new';
export const versions = ['old', 'new'] as const;
export const otherThan = (version: Version): Version => (version === 'old' ? 'new' : 'old');

type Area = 'authorize' | 'token' | 'api';
const areas: readonly Area[] = ['authorize', 'token', 'api'];
type Ports = Readonly<Record<Area, number>>;

/** What supervisors leave to a process, such as Kubernetes by default. */
const longestStopMilliseconds = 30_000;

/** One process of one of the programs. */
class ProgramProcess {
  readonly #child: ChildProcess;
  #output = '';

  constructor(program: string, name: string, environment: Readonly<Record<string, string>>) {
    const main = join(program, 'dist', 'apps', name, 'src', 'main.js');
    this.#child = spawn(process.execPath, [...withConstants, main], {
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.on('data', (chunk) => (this.#output = (this.#output + String(chunk)).slice(-4_000)));
    }
  }

  /** @returns its output after its end; undefined while it runs */
  get end(): string | undefined {
    return this.#child.exitCode === null && this.#child.signalCode === null ? undefined : this.#output;
  }

  /** Asks it to stop, and ends it if it does not, as a supervisor does: older programs ignore this while they start. */
  async stop(): Promise<void> {
    if (this.end !== undefined) return;
    const exited = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    const kill = setTimeout(() => this.#child.kill('SIGKILL'), longestStopMilliseconds);
    await exited;
    clearTimeout(kill);
  }
}

/**
 * Applications and workers of both versions on one database. Requests without a version, such as the bank's own
 * reports, arrive at the sandbox's addresses, which forward them to each version in turn.
 */
export class Fleet {
  readonly #ports = {} as Record<Version, Ports>;
  readonly #processes: ProgramProcess[] = [];
  readonly #workers: Partial<Record<Version, ProgramProcess>> = {};
  readonly #balancers: Server[] = [];
  /** the version that serves requests without one */
  serving: readonly Version[] = versions;
  #turn = 0;

  private constructor(
    private readonly programs: Readonly<Record<Version, string>>,
    private readonly environment: Readonly<Record<string, string>>,
  ) {}

  /**
   * Starts the three applications of each version.
   * @param programs the folder of each version
   * @param sandbox without applications of its own
   */
  static async start(
    programs: Readonly<Record<Version, string>>,
    sandbox: RunningSandbox,
    environment: Readonly<Record<string, string>>,
  ): Promise<Fleet> {
    const settings = await readFile(join(sandbox.directory, 'service.env'), 'utf8');
    const own = [...settings.matchAll(/^(\w+)="(.*)"$/gm)].map(([, name, value]) => [name, value]);
    const fleet = new Fleet(programs, {
      PATH: process.env['PATH'] ?? '',
      ...(Object.fromEntries(own) as Record<string, string>),
      ...environment,
    });
    try {
      for (const version of versions) await fleet.#startApps(version, sandbox.directory);
      for (const area of areas) await fleet.#balance(area, sandbox.ports[area]);
      return fleet;
    } catch (error) {
      await fleet.stop();
      throw error;
    }
  }

  /** @returns the same address at one version's own port */
  at(version: Version, url: string, area: Area): string {
    const address = new URL(url);
    address.port = String(this.#ports[version][area]);
    return address.href;
  }

  /** Lets only these versions process accepted payments. */
  async employ(...wanted: readonly Version[]): Promise<void> {
    for (const version of versions) {
      const worker = this.#workers[version];
      if (wanted.includes(version)) {
        this.#workers[version] ??= new ProgramProcess(this.programs[version], 'worker', this.environment);
      } else if (worker !== undefined) {
        delete this.#workers[version];
        await worker.stop();
      }
    }
  }

  /** @returns the output of processes that ended unexpectedly */
  get ended(): string[] {
    const all = [...this.#processes, ...Object.values(this.#workers)];
    return all.flatMap(({ end }) => (end === undefined ? [] : [end]));
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#processes, ...Object.values(this.#workers)].map((each) => each.stop()));
    for (const server of this.#balancers) server.close();
  }

  async #startApps(version: Version, folder: string): Promise<void> {
    const ports = { authorize: await freePort(), token: await freePort(), api: await freePort() };
    this.#ports[version] = ports;
    const started = areas.map(async (area) => {
      const app = new ProgramProcess(this.programs[version], area, {
        ...this.environment,
        PORT: String(ports[area]),
        LOG_FILE: join(folder, `${version}-${area}.log`),
      });
      this.#processes.push(app);
      await waitForPort(ports[area], () => app.end);
    });
    await Promise.all(started);
  }

  /** Each new connection goes to the next version that serves. */
  async #balance(area: Area, port: number): Promise<void> {
    const server = createServer((socket) => {
      this.#turn += 1;
      const version = this.serving[this.#turn % this.serving.length] ?? 'new';
      const upstream = connect({ port: this.#ports[version][area], host: '127.0.0.1' });
      for (const [one, other] of [
        [socket, upstream],
        [upstream, socket],
      ] as const) {
        one.pipe(other);
        one.on('error', () => other.destroy());
        one.on('close', () => other.destroy());
      }
    });
    this.#balancers.push(server);
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  }
}
