import { constants, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** Maximum number of characters that wait while the destination takes none; further lines are dropped. */
const mostWaiting = 1_048_576;
/** Pause before the next attempt after one that failed, in milliseconds: a disk is full, a reader has gone. */
const pauseMilliseconds = 100;
/** Time for the last lines of a process that ends, in milliseconds. */
const longestMilliseconds = 1_000;
/** Pause in which the reader of a full pipe takes lines from a process that ends, in milliseconds. */
const lastPauseMilliseconds = 5;
/** A pipe that nobody reads must not hold up the end of the process. */
const openFlags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NONBLOCK;

/**
 * Appends each line at once. A destination that takes nothing (a full disk, a slow reader) neither stops the process
 * nor takes more memory than a bound: lines are dropped, and it continues when there is room again. Without a reader
 * each line is dropped.
 */
export class LogDestination {
  readonly #descriptor: number;
  #waiting = '';
  /** what is being written */
  #chunk = Buffer.alloc(0);
  /** during the pause after an attempt that failed */
  #pauses = false;

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
    destinations.push(this);
  }

  write(line: string): void {
    if (this.#waiting.length + line.length > mostWaiting) {
      this.onDropped();
      return;
    }
    this.#waiting += line;
    if (!this.#pauses) this.#writeOrPause();
  }

  /** Writes what still waits when the process ends. */
  writeLast(): void {
    const latest = performance.now() + longestMilliseconds;
    // Sleeps: the reader may need the processor that a loop would keep busy.
    while (this.#writeAll() === 'EAGAIN' && performance.now() < latest)
      Atomics.wait(sleep, 0, 0, lastPauseMilliseconds);
  }

  #writeOrPause(): void {
    const failure = this.#writeAll();
    if (failure === 'EPIPE') this.#dropAll();
    this.#pauses = failure !== undefined && failure !== 'EPIPE';
    if (this.#pauses) setTimeout(() => this.#writeOrPause(), pauseMilliseconds).unref();
  }

  /** @returns the code of the error that ended the attempt */
  #writeAll(): string | undefined {
    try {
      for (this.#takeChunk(); this.#chunk.length > 0; this.#takeChunk()) {
        this.#chunk = this.#chunk.subarray(writeSync(this.#descriptor, this.#chunk));
      }
      return undefined;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code;
    }
  }

  #takeChunk(): void {
    if (this.#chunk.length > 0) return;
    this.#chunk = Buffer.from(this.#waiting);
    this.#waiting = '';
  }

  #dropAll(): void {
    for (const character of `${this.#chunk}${this.#waiting}`) if (character === '\n') this.onDropped();
    this.#chunk = Buffer.alloc(0);
    this.#waiting = '';
  }
}

/** Nothing notifies it, so `Atomics.wait` sleeps until its time is over. */
const sleep = new Int32Array(new SharedArrayBuffer(4));
const destinations: LogDestination[] = [];
process.once('exit', () => destinations.forEach((destination) => destination.writeLast()));
