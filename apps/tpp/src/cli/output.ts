import { Presets, SingleBar } from 'cli-progress';
import type { Surroundings } from './surroundings.js';

/** Long work, step by step. */
export interface ProgressBar {
  /** @param to steps done; one more by default */
  advance(to?: number): void;
  end(): void;
}

const invisible: ProgressBar = { advance: () => undefined, end: () => undefined };

type OutputStreams = Pick<Surroundings, 'out' | 'err' | 'terminal'>;

/** The output of a command: lines for a person, or one JSON document for a program. Progress goes to standard error. */
export class Output {
  #document: Record<string, unknown> = {};
  /** whether a problem was found: the command ends with exit code 1 */
  isFailed = false;

  constructor(
    private readonly io: OutputStreams,
    readonly isJson: boolean,
  ) {}

  /** A line for a person. */
  line(text = ''): void {
    if (!this.isJson) this.io.out(`${text}\n`);
  }

  progress(text: string): void {
    this.io.err(`${text}\n`);
  }

  /**
   * A progress bar on a terminal, removed at the end.
   * @param total number of steps
   */
  bar(title: string, total: number): ProgressBar {
    const { terminal } = this.io;
    if (terminal === undefined || total === 0) return invisible;
    const format = `${title} {bar} {value} of {total}`;
    const bar = new SingleBar({ stream: terminal, format, clearOnComplete: true, hideCursor: true }, Presets.legacy);
    bar.start(total, 0);
    return {
      advance: (to) => (to === undefined ? bar.increment() : bar.update(to)),
      end: () => bar.stop(),
    };
  }

  /** Members of the JSON document. */
  add(members: Readonly<Record<string, unknown>>): void {
    this.#document = { ...this.#document, ...members };
  }

  /** Ends the output: writes the JSON document if requested. */
  end(): void {
    if (this.isJson) this.io.out(`${JSON.stringify(this.#document, undefined, 2)}\n`);
  }
}
