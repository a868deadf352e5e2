import { setTimeout as pause } from 'node:timers/promises';
import { type Lease, LeaseLostError, type PaymentQueue, type PaymentResult } from '#libs/payment-order';
import type { LocalLease } from './local-lease.js';

/** Milliseconds in which results gather. */
const gatheringMilliseconds = 20;

/**
 * Notes what the bank says of the payments of one file: the results of a moment share a statement, and a flush to disk.
 * Each statement renews the lease. Without results that happens three times in its length.
 */
export class ResultNotes {
  #gathering: { results: PaymentResult[]; noted: Promise<void> } | undefined;
  /** settles with the last statement, whether or not it succeeded */
  #last: Promise<void> = Promise.resolve();
  readonly #timer: NodeJS.Timeout;

  constructor(
    private readonly queue: PaymentQueue,
    private readonly due: Lease,
    private readonly lease: LocalLease,
  ) {
    this.#timer = setInterval(() => void this.#gather(), lease.milliseconds / 3);
  }

  /**
   * @returns when it is noted
   * @throws LeaseLostError
   */
  add(result: PaymentResult): Promise<void> {
    const { results, noted } = this.#gather();
    results.push(result);
    return noted;
  }

  /** Waits until all is noted; afterwards nothing renews the lease. */
  async end(): Promise<void> {
    clearInterval(this.#timer);
    await this.#last;
  }

  #gather() {
    if (this.#gathering === undefined) {
      const results: PaymentResult[] = [];
      const noted = this.#note(results, this.#last);
      this.#last = noted.catch(() => undefined);
      this.#gathering = { results, noted };
    }
    return this.#gathering;
  }

  async #note(results: readonly PaymentResult[], before: Promise<void>): Promise<void> {
    await Promise.all([before, pause(gatheringMilliseconds)]);
    this.#gathering = undefined;
    const since = performance.now();
    try {
      await this.queue.noteHandedOver(this.due, results);
      this.lease.renew(since);
    } catch (error) {
      if (error instanceof LeaseLostError) this.lease.end();
      throw error;
    }
  }
}
