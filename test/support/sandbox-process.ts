import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import type { Agent } from 'node:https';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { removeDataDirectory } from './apps/postgres.js';
import { readDescription, type SandboxDescription } from './apps/sandbox.js';
import { portVariables, type SandboxPorts } from './apps/ports.js';
import { freePorts } from './free-port.js';
import { httpsAgent } from './https-request.js';
import { asStartedBefore } from './started-before.js';
import { patientSettings } from './patient-settings.js';
import { openTestPool } from './open-test-pool.js';

const program = resolve('dist/apps/sandbox/src/main.js');
const longestStartMilliseconds = 180_000;

/** The sandbox as it is built, in its own process that can be killed and started again on the same data. */
export class SandboxProcess {
  #child: ChildProcess | undefined;
  description!: SandboxDescription;
  ca = '';
  /** what it wrote until it was ready */
  output = '';
  agent!: Agent;

  private constructor(
    private readonly directory: string,
    readonly ports: SandboxPorts,
    private readonly environment: Readonly<Record<string, string>>,
  ) {}

  /**
   * Starts a new sandbox in a temporary folder.
   * @param environment settings of the service by the names of their environment variables
   */
  static async create(environment: Readonly<Record<string, string>> = {}): Promise<SandboxProcess> {
    const directory = await mkdtemp(join(tmpdir(), 'sandbox-process-'));
    await asStartedBefore(directory);
    const sandbox = new SandboxProcess(directory, await freePorts(), environment);
    await sandbox.start();
    sandbox.description = await readDescription(sandbox.directory);
    sandbox.ca = await readFile(resolve(sandbox.description.ca_file), 'utf8');
    sandbox.agent = httpsAgent({ ca: sandbox.ca });
    return sandbox;
  }

  /** Starts the process and waits until it is ready. */
  async start(): Promise<void> {
    const ports = Object.entries(portVariables).map(([server, variable]) => [
      variable,
      String(this.ports[server as keyof SandboxPorts]),
    ]);
    const env = {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      TEST_RUN_FOLDER: process.env['TEST_RUN_FOLDER'],
      SANDBOX_DIRECTORY: this.directory,
      ...patientSettings,
      ...this.environment,
      ...(Object.fromEntries(ports) as Record<string, string>),
    };
    const child = spawn(process.execPath, [program], { env, cwd: this.directory, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child = child;
    this.output = await waitUntilReady(child);
  }

  /** Kills the process as a power cut would; PostgreSQL is left to itself. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL');
    this.agent.destroy();
  }

  /** Stops the process and deletes all it left. */
  async remove(): Promise<void> {
    await this.#end('SIGTERM');
    this.agent?.destroy();
    await removeDataDirectory(join(this.directory, 'postgres'));
    await rm(this.directory, { recursive: true, force: true });
  }

  /** Asks one of the sandbox's databases. */
  async query<Row extends object>(database: 'open_banking' | 'sandbox_bank', text: string): Promise<Row[]> {
    const folder = join(this.directory, 'postgres');
    const [password, port] = await Promise.all(
      ['password', 'port'].map((name) => readFile(join(folder, name), 'utf8')),
    );
    const pool = openTestPool({
      connectionString: `postgres://postgres:${password}@127.0.0.1:${port}/${database}`,
      max: 1,
    });
    try {
      return (await pool.query<Row>(text)).rows;
    } finally {
      await pool.end();
    }
  }

  async #end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  }
}

/** @returns what it wrote until then */
async function waitUntilReady(child: ChildProcess): Promise<string> {
  let output = '';
  await new Promise<void>((resolveReady, reject) => {
    const fail = (): void => reject(new Error(`The sandbox did not start:\n${output}`));
    const timer = setTimeout(fail, longestStartMilliseconds);
    const read = (chunk: Buffer): void => {
      output += chunk.toString();
      if (!/^ready in /m.test(output)) return;
      clearTimeout(timer);
      child.off('exit', fail);
      resolveReady();
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('exit', fail);
  });
  return output;
}
