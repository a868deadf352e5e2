/** How often one of two simultaneous clicks looks for the result of the other. */
const lookMilliseconds = 100;

/** Time for what the other click does before and after it asks the bank. */
const beyondBankMilliseconds = 5_000;

/**
 * When many clicks of one session wait for an earlier one, one looks for all, so many clicks cost no more SQL than
 * two.
 */
export class SharedLooks<Found> {
  readonly #mostLooks: number;
  readonly #planned = new Map<string, Promise<Found>>();

  /** @param bank the other click may wait this long for its answer; those after it wait longer */
  constructor(bank: { readonly timeoutMilliseconds: number }) {
    this.#mostLooks = Math.ceil((bank.timeoutMilliseconds + beyondBankMilliseconds) / lookMilliseconds);
  }

  /**
   * @param sessionHash clicks with the same hash wait for the same result
   * @param find looks for its result
   * @param isOver whether what was found is the result
   * @returns the result; undefined if it takes too long
   */
  async until(
    sessionHash: Buffer,
    find: () => Promise<Found>,
    isOver: (found: Found) => boolean,
  ): Promise<Found | undefined> {
    for (let look = 0; look < this.#mostLooks; look += 1) {
      const found = await this.#next(sessionHash.toString('base64'), find);
      if (isOver(found)) return found;
    }
    return undefined;
  }

  // Begins after the call: an earlier result may not be the one that the caller waits for.
  #next(session: string, find: () => Promise<Found>): Promise<Found> {
    const planned = this.#planned.get(session);
    if (planned !== undefined) return planned;
    const look = new Promise((resolve) => setTimeout(resolve, lookMilliseconds)).then(() => {
      this.#planned.delete(session);
      return find();
    });
    this.#planned.set(session, look);
    return look;
  }
}
