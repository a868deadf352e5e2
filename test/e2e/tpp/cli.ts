import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { runCli } from '../../support/apps/commands.js';

/** What a run of the command line left. */
interface CliRun {
  exitCode: number;
  out: string;
  err: string;
  /** standard output as JSON */
  json: () => Record<string, unknown>;
}

/** The command line against one sandbox, in this process. */
export class Cli {
  readonly env: Record<string, string>;
  /** what the user answers; undefined: nobody is there */
  answer: string | undefined;
  now: () => Date = () => new Date();

  private constructor(
    sandboxDirectory: string,
    readonly folder: string,
  ) {
    this.env = { SANDBOX_DIRECTORY: sandboxDirectory };
  }

  static async create(sandboxDirectory: string): Promise<Cli> {
    return new Cli(sandboxDirectory, await mkdtemp(join(process.env['TEST_RUN_FOLDER'] ?? '', 'tpp-cli-')));
  }

  /** @param parameters of the command line; relative paths are of the repository */
  async run(...parameters: string[]): Promise<CliRun> {
    let [out, err] = ['', ''];
    const { answer } = this;
    const exitCode = await runCli(parameters, {
      env: this.env,
      out: (text) => (out += text),
      err: (text) => (err += text),
      ask: answer === undefined ? undefined : async () => answer,
      now: this.now,
    });
    return { exitCode, out, err, json: () => JSON.parse(out) as Record<string, unknown> };
  }

  /** Runs a command that must succeed. */
  async done(...parameters: string[]): Promise<CliRun> {
    const run = await this.run(...parameters);
    if (run.exitCode !== 0) throw new Error(`${parameters.join(' ')} ended with ${run.exitCode}: ${run.out}${run.err}`);
    return run;
  }
}
