import type { Fault } from '#libs/error-catalogue';

/** Faults listed in one answer; the rest is counted. */
const mostListed = 100;

/** The faults of a file. A hostile file can have thousands: only those that will be listed are put into words. */
export class FaultList {
  readonly #items: Fault[] = [];
  readonly #mostListed: number;
  #count = 0;

  /** @param most faults that are put into words */
  constructor(most: number = mostListed) {
    this.#mostListed = most;
  }

  /** @param describe puts the fault into words */
  note(describe: () => Fault): void {
    this.#count += 1;
    if (this.#items.length < this.#mostListed) this.#items.push(describe());
  }

  /** How many faults there are, listed or not. */
  get count(): number {
    return this.#count;
  }

  /** The first of them, in the order they were noted. */
  get items(): readonly Fault[] {
    return this.#items;
  }
}
