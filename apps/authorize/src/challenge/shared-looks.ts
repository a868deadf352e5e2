import { setTimeout as sleep } from 'node:timers/promises';

/** How often and how long one of two simultaneous clicks looks for what the other has come to. */
const lookMilliseconds = 100;
const mostLooks = 60;

/** Of many clicks of one session that wait for the one before them, one looks for all: so many clicks cost no more SQL than two. */
export class SharedLooks<Found> {
  readonly #planned = new Map<string, Promise<Found>>();

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
    for (let look = 0; look < mostLooks; look += 1) {
      const found = await this.#next(sessionHash.toString('base64'), find);
      if (isOver(found)) return found;
    }
    return undefined;
  }

  // It begins later than the call: what was found before somebody came may not be what they wait for.
  #next(session: string, find: () => Promise<Found>): Promise<Found> {
    const planned = this.#planned.get(session);
    if (planned !== undefined) return planned;
    const look = sleep(lookMilliseconds).then(() => {
      this.#planned.delete(session);
      return find();
    });
    this.#planned.set(session, look);
    return look;
  }
}
