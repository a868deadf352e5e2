/** How often one of two simultaneous clicks looks for what the other has come to. */
const lookMilliseconds = 100;

/** What the other does before and after it asks the bank. */
const beyondBankMilliseconds = 5_000;

/** Of many clicks of one session that wait for the one before them, one looks for all: so many clicks cost no more SQL than two. */
export class SharedLooks<Found> {
  readonly #mostLooks: number;
  readonly #planned = new Map<string, Promise<Found>>();

  /** @param bank the other click may wait so long for an answer of it: those after it are more patient */
  constructor(bank: { readonly timeoutMilliseconds: number }) {
    this.#mostLooks = Math.ceil((bank.timeoutMilliseconds + beyondBankMilliseconds) / lookMilliseconds);
  }

  /**
   * @param sessionHash whoever gives the same waits for the same
   * @param find looks for what has become of it
   * @param isOver of what a look has found
   * @returns what was found in the end; undefined if it takes too long
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

  // It begins later than the call: what was found before somebody came may not be what they wait for.
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
