import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

/** What came of an operator's command. */
export interface OperatorAnswer {
  readonly code: number;
  readonly text: string;
  readonly startedAt: number;
  readonly answeredAt: number;
}

/** Exit codes: done, and not possible in the state that things are in. */
export const exitCodes = { done: 0, refused: 3 } as const;

/** A person at the bank with the operator's command line. */
export class Operator {
  readonly #environment: Readonly<Record<string, string>>;
  #queue: Promise<unknown> = Promise.resolve();
  /** commands that were carried out, by their words */
  readonly done = new Map<string, number>();

  constructor(environment: Readonly<Record<string, string>>) {
    this.#environment = { PATH: process.env['PATH'] ?? '', ...environment };
  }

  /** Repeats a command until it is carried out or refused: the database may be away. */
  async insist(...words: string[]): Promise<OperatorAnswer> {
    for (;;) {
      const answer = await this.run(...words);
      if (answer.code === exitCodes.done || answer.code === exitCodes.refused) {
        const name = words.slice(0, 2).join(' ');
        if (answer.code === exitCodes.done) this.done.set(name, (this.done.get(name) ?? 0) + 1);
        return answer;
      }
      if (answer.code === 2) throw new Error(`The operator's command line is wrong: ${words.join(' ')}`);
      await sleep(300);
    }
  }

  /** Runs a command once, after those before it: one person types one at a time. */
  async run(...words: string[]): Promise<OperatorAnswer> {
    const before = this.#queue;
    const next = before.then(() => this.#run(words));
    this.#queue = next.catch(() => undefined);
    return next;
  }

  async #run(words: readonly string[]): Promise<OperatorAnswer> {
    const startedAt = Date.now();
    const child = spawn(process.execPath, ['dist/apps/operator/src/main.js', ...words], {
      env: this.#environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    const code = await new Promise<number>((resolve) => child.once('close', (status) => resolve(status ?? 1)));
    return { code, text, startedAt, answeredAt: Date.now() };
  }
}
