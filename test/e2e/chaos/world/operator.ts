import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

/** The outcome of an operator's command. */
interface OperatorAnswer {
  readonly isDone: boolean;
  /** why not, unless it is done */
  readonly reason: string | undefined;
  readonly text: string;
  readonly startedAt: number;
  readonly answeredAt: number;
}

/** Temporary failures: the database is unavailable. */
const passing = new Set(['database', 'failed']);

/** An operator of the bank with the command line. */
export class Operator {
  readonly #environment: Readonly<Record<string, string>>;
  #queue: Promise<unknown> = Promise.resolve();
  /** successful commands, by their words */
  readonly done = new Map<string, number>();

  constructor(environment: Readonly<Record<string, string>>) {
    this.#environment = { PATH: process.env['PATH'] ?? '', ...environment };
  }

  /** Repeats a command until it is carried out or refused, because the database may be unavailable. */
  async insist(...words: string[]): Promise<OperatorAnswer> {
    for (;;) {
      const answer = await this.run(...words);
      if (answer.isDone) {
        const name = words.slice(0, 2).join(' ');
        this.done.set(name, (this.done.get(name) ?? 0) + 1);
      }
      if (answer.isDone || answer.reason === 'refused') return answer;
      if (!passing.has(answer.reason ?? '')) throw new Error(`${words.join(' ')}: ${answer.text}`);
      await sleep(300);
    }
  }

  /** Runs a command once, after the earlier ones: one person enters one command at a time. */
  async run(...words: string[]): Promise<OperatorAnswer> {
    const before = this.#queue;
    const next = before.then(() => this.#run(words));
    this.#queue = next.catch(() => undefined);
    return next;
  }

  async #run(words: readonly string[]): Promise<OperatorAnswer> {
    const startedAt = Date.now();
    const child = spawn(process.execPath, ['dist/apps/operator/src/main.js', '--json', ...words], {
      env: this.#environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [text, errors] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (errors += chunk));
    const code = await new Promise<number>((resolve) => child.once('close', (status) => resolve(status ?? 1)));
    const isDone = code === 0;
    const reason = isDone ? undefined : readReason(text);
    return { isDone, reason, text: text || errors, startedAt, answeredAt: Date.now() };
  }
}

/** @returns the reason of a command that ended with an error; `failed` if it found something, or was killed */
function readReason(text: string): string {
  try {
    return (JSON.parse(text) as { reason?: string }).reason ?? 'failed';
  } catch {
    return 'failed';
  }
}
