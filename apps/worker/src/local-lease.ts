import { LeaseLostError } from '#libs/payment-order';

/**
 * The lease by this process's own clock, which runs on while the process is frozen: nothing is reserved or handed over
 * once it has ended, whether or not the database can be asked.
 */
export class LocalLease {
  #endsAt = 0;
  #isOver = false;

  constructor(readonly milliseconds: number) {
    this.renew(performance.now());
  }

  /** @param since before the database was asked, so that it ends no later than the one in the database */
  renew(since: number): void {
    this.#endsAt = since + this.milliseconds;
  }

  /** Ends the lease early: nothing more is handed over, whatever is still noted. */
  end(): void {
    this.#isOver = true;
  }

  /** @throws LeaseLostError */
  assertHeld(): void {
    if (this.#isOver || performance.now() >= this.#endsAt) throw new LeaseLostError();
  }
}
