import { isDatabaseUnavailable, isRowLocked } from './database-unavailable.js';

/**
 * Requests that arrive during a batch wait for its end, but no longer than this, in milliseconds, because it may wait
 * for a lock.
 */
const longestWait = 10;

/**
 * Group commit: requests of one turn of the event loop share one statement, one round trip and one flush to disk. So do
 * requests that arrive during a batch: most of a statement's cost is the same for one request and for twenty. A single
 * request does not wait; under load the work per request falls.
 */
export class Batch<Request, Result> {
  readonly #maxSize: number;
  readonly #keyOf: (() => ((request: Request) => string) | undefined) | undefined;
  #waiting: Waiting<Request, Result>[] = [];
  #underWay = 0;
  #timer: NodeJS.Timeout | undefined;

  /**
   * @param run does the work for all requests, or for none if it rejects; one result per request in the same order
   * @param options.maxSize most requests handed over together
   * @param options.keyOf returns the key that requests of one batch must share; undefined for none
   */
  constructor(
    private readonly run: (requests: readonly Request[]) => Promise<readonly Result[]>,
    { maxSize, keyOf }: { maxSize: number; keyOf?: () => ((request: Request) => string) | undefined },
  ) {
    this.#maxSize = maxSize;
    this.#keyOf = keyOf;
  }

  /**
   * @returns the result for this request
   * @throws whatever `run` rejects with for this request on its own, or for all of them if the database is unavailable
   */
  add(request: Request): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length === 0) this.#schedule();
      this.#waiting.push({ request, resolve, reject });
    });
  }

  #schedule(): void {
    // The requests of one turn arrive before the check phase.
    if (this.#underWay === 0) setImmediate(() => this.#handOver());
    else this.#timer = setTimeout(() => this.#handOver(), longestWait);
  }

  #handOver(): void {
    clearTimeout(this.#timer);
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const all of this.#groups(waiting)) {
      for (let start = 0; start < all.length; start += this.#maxSize) {
        // oxlint-disable-next-line typescript/no-floating-promises -- each request is told its own result
        void this.#carryOut(all.slice(start, start + this.#maxSize));
      }
    }
  }

  #groups(waiting: Waiting<Request, Result>[]): Iterable<Waiting<Request, Result>[]> {
    const keyOf = this.#keyOf?.();
    if (keyOf === undefined) return [waiting];
    const groups = new Map<string, Waiting<Request, Result>[]>();
    for (const each of waiting) {
      const key = keyOf(each.request);
      const group = groups.get(key);
      if (group) group.push(each);
      else groups.set(key, [each]);
    }
    return groups.values();
  }

  async #carryOut(batch: readonly Waiting<Request, Result>[]): Promise<void> {
    this.#underWay += 1;
    await this.#settle(batch);
    this.#underWay -= 1;
    if (this.#underWay === 0 && this.#waiting.length > 0) setImmediate(() => this.#handOver());
  }

  async #settle(batch: readonly Waiting<Request, Result>[]): Promise<void> {
    try {
      const results = await this.run(batch.map(({ request }) => request));
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
    } catch (error) {
      // Perhaps only one request is at fault, or waited too long for a row, so each is repeated alone. If the database
      // is unavailable, all fail, because the batch may have been committed, and a repetition would look like a replay.
      if (batch.length > 1 && (isRowLocked(error) || !isDatabaseUnavailable(error)))
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
