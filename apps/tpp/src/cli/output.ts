import type { Surroundings } from './command.js';

/** What a command says: lines for a person, or one JSON document for a program. Progress goes to standard error. */
export class Output {
  readonly isJson: boolean;
  readonly #io: Pick<Surroundings, 'out' | 'err'>;
  #document: Record<string, unknown> = {};

  constructor(io: Pick<Surroundings, 'out' | 'err'>, isJson: boolean) {
    this.#io = io;
    this.isJson = isJson;
  }

  /** A line for a person. */
  line(text = ''): void {
    if (!this.isJson) this.#io.out(`${text}\n`);
  }

  /** What is going on meanwhile. */
  progress(text: string): void {
    this.#io.err(`${text}\n`);
  }

  /** Members of the JSON document. */
  add(members: Readonly<Record<string, unknown>>): void {
    this.#document = { ...this.#document, ...members };
  }

  /** Ends the answer: writes the JSON document where one is wanted. */
  end(): void {
    if (this.isJson) this.#io.out(`${JSON.stringify(this.#document, undefined, 2)}\n`);
  }
}
