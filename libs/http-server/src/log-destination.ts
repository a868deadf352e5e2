import { constants, mkdirSync, openSync, write, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** Characters that wait while the destination takes none; further lines are dropped. */
const mostWaiting = 1_048_576;
/** Pause before the next attempt after one that failed, in milliseconds: a disk is full, a reader has gone. */
const pauseMilliseconds = 100;
/** Time for the last lines of a process that ends, in milliseconds. */
const longestMilliseconds = 500;
/** A pipe that nobody reads must not hold up the end of the process. */
const openFlags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NONBLOCK;

/**
 * Appends lines in the background. One that takes nothing (a full disk, a reader that is slow or gone) neither stops the
 * process nor takes more memory than a bound: lines are dropped, and it goes on when there is room again.
 */
export class LogDestination {
  readonly #descriptor: number;
  #waiting = '';
  /** what is being written */
  #chunk = Buffer.alloc(0);
  /** `waits` is the pause after an attempt that failed */
  #state: 'idle' | 'writes' | 'waits' = 'idle';

  /**
   * @param file to append to; undefined: standard output
   * @param onDropped is called for each line that is dropped
   */
  constructor(
    file: string | undefined,
    private readonly onDropped: () => void,
  ) {
    if (file !== undefined) mkdirSync(dirname(file), { recursive: true });
    // Reading process.stdout makes a pipe non-blocking.
    this.#descriptor = file === undefined ? process.stdout.fd : openSync(file, openFlags);
    process.once('exit', () => this.#writeLast());
  }

  write(line: string): void {
    if (this.#waiting.length + line.length > mostWaiting) {
      this.onDropped();
      return;
    }
    this.#waiting += line;
    if (this.#state === 'idle') this.#writeNext();
  }

  #writeNext(): void {
    this.#takeChunk();
    this.#state = this.#chunk.length === 0 ? 'idle' : 'writes';
    if (this.#state === 'idle') return;
    write(this.#descriptor, this.#chunk, (error, written) => {
      if (error === null) {
        this.#chunk = this.#chunk.subarray(written);
        this.#writeNext();
      } else {
        this.#state = 'waits';
        setTimeout(() => this.#writeNext(), pauseMilliseconds).unref();
      }
    });
  }

  #takeChunk(): void {
    if (this.#chunk.length > 0) return;
    this.#chunk = Buffer.from(this.#waiting);
    this.#waiting = '';
  }

  /** What the process has not written when it ends. */
  #writeLast(): void {
    // The system finishes what it has begun.
    if (this.#state === 'writes') this.#chunk = Buffer.alloc(0);
    const latest = performance.now() + longestMilliseconds;
    for (this.#takeChunk(); this.#chunk.length > 0; this.#takeChunk()) {
      try {
        this.#chunk = this.#chunk.subarray(writeSync(this.#descriptor, this.#chunk));
      } catch (error) {
        const isPipeFull = (error as NodeJS.ErrnoException).code === 'EAGAIN';
        if (!isPipeFull || performance.now() > latest) return;
      }
    }
  }
}
