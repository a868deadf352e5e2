import { isDatabaseUnavailable } from './database-unavailable.js';

/**
 * Group commit: what arrives within one turn of the event loop is handed over together, and so costs one statement, one round trip and one
 * flush to disk. Alone, a request waits no longer than it would have to anyway; under load the work per request falls.
 */
export class Batch<Request, Result> {
  readonly #run: (requests: readonly Request[]) => Promise<readonly Result[]>;
  readonly #maxSize: number;
  #waiting: Waiting<Request, Result>[] = [];

  /**
   * @param run does the work for all of them, or for none when it rejects; one result per request in the same order
   * @param maxSize most requests handed over together
   */
  constructor(run: (requests: readonly Request[]) => Promise<readonly Result[]>, { maxSize }: { maxSize: number }) {
    this.#run = run;
    this.#maxSize = maxSize;
  }

  /**
   * @returns the result for this request
   * @throws whatever `run` rejects with for this request on its own, or for all of them when the database cannot be had
   */
  add(request: Request): Promise<Result> {
    return new Promise((resolve, reject) => {
      // The requests of one turn arrive before the check phase; what arrives later is the next batch.
      if (this.#waiting.length === 0) setImmediate(() => this.#handOver());
      this.#waiting.push({ request, resolve, reject });
    });
  }

  #handOver(): void {
    const all = this.#waiting;
    this.#waiting = [];
    for (let start = 0; start < all.length; start += this.#maxSize) {
      void this.#settle(all.slice(start, start + this.#maxSize));
    }
  }

  async #settle(batch: readonly Waiting<Request, Result>[]): Promise<void> {
    try {
      const results = await this.#run(batch.map(({ request }) => request));
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
    } catch (error) {
      // The fault may be in one request only, and must not become the others': each once more, alone. But a database that is
      // away is so for all of them, and what was under way may be done: repeated, it would look like a replay.
      if (batch.length > 1 && !isDatabaseUnavailable(error))
        await Promise.all(batch.map((each) => this.#settle([each])));
      else for (const { reject } of batch) reject(error);
    }
  }
}

interface Waiting<Request, Result> {
  request: Request;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}
