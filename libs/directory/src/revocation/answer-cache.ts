import { LRUCache } from 'lru-cache';
import type { RevocationPeriod } from '#libs/certificates';
import { elapsed, restAfterFailures, waitPatiently } from '../patience.js';

/** Times in milliseconds. */
export interface AnswerCacheLimits {
  /** an answer younger than this is used without fetching */
  freshFor: number;
  /** if an older answer is still valid, the longest wait for a new one */
  patience: number;
  /** pause after a failed attempt, longer after several */
  failureCooldown: number;
  maxEntries: number;
}

interface Entry<Answer> {
  answer?: Answer;
  readAt: number;
  attemptedAt: number;
  failures: number;
  reading?: Promise<void>;
}

/** Lists and OCSP answers by address, each within its own period; one attempt at a time, and fewer after failures. */
export class AnswerCache<Answer extends RevocationPeriod> {
  readonly #entries: LRUCache<string, Entry<Answer>>;

  /**
   * @param limits the times
   * @param clock milliseconds now
   * @param onFailure called for each failed attempt
   */
  constructor(
    private readonly limits: AnswerCacheLimits,
    private readonly clock: () => number,
    private readonly onFailure: (key: string, error: unknown) => void,
  ) {
    this.#entries = new LRUCache({ max: limits.maxEntries });
  }

  /** @returns the answer if it is fresh, as for nearly every request */
  findFresh(key: string): Answer | undefined {
    const entry = this.#entries.get(key);
    const isFresh = entry !== undefined && elapsed(entry.readAt, this.clock()) < this.limits.freshFor;
    return isFresh ? this.#usable(entry) : undefined;
  }

  /** @returns whether fetching is pointless: there is no valid answer, and the last attempt failed a moment ago */
  isResting(key: string): boolean {
    const entry = this.#entries.get(key);
    return entry !== undefined && this.#usable(entry) === undefined && this.#isCoolingDown(entry);
  }

  /**
   * @param read gets and verifies the answer
   * @returns the best valid answer; undefined if there is none
   */
  async find(key: string, read: () => Promise<Answer>): Promise<Answer | undefined> {
    const entry = this.#entryOf(key);
    if (entry.reading === undefined && !this.#isCoolingDown(entry)) {
      entry.reading = this.#readInto(key, entry, read).finally(() => {
        delete entry.reading;
      });
    }
    if (entry.reading !== undefined) {
      if (this.#usable(entry) === undefined) await entry.reading;
      else await waitPatiently(entry.reading, this.limits.patience);
    }
    return this.#usable(entry);
  }

  #entryOf(key: string): Entry<Answer> {
    const known = this.#entries.get(key);
    if (known !== undefined) return known;
    const entry: Entry<Answer> = { readAt: -Infinity, attemptedAt: -Infinity, failures: 0 };
    this.#entries.set(key, entry);
    return entry;
  }

  #usable({ answer }: Entry<Answer>): Answer | undefined {
    return answer !== undefined && this.clock() < answer.nextUpdate.getTime() ? answer : undefined;
  }

  #isCoolingDown({ failures, attemptedAt }: Entry<Answer>): boolean {
    if (failures === 0) return false;
    return elapsed(attemptedAt, this.clock()) < restAfterFailures(failures, this.limits.failureCooldown);
  }

  async #readInto(key: string, entry: Entry<Answer>, read: () => Promise<Answer>): Promise<void> {
    try {
      const answer = await read();
      // An answer older than the cached one was replayed, or comes from a server that lags behind.
      if (entry.answer === undefined || answer.thisUpdate >= entry.answer.thisUpdate) entry.answer = answer;
      entry.failures = 0;
      entry.readAt = this.clock();
    } catch (error) {
      entry.failures += 1;
      this.onFailure(key, error);
    } finally {
      entry.attemptedAt = this.clock();
    }
  }
}
