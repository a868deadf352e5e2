import type { Fault } from '#libs/error-catalogue';

/** Maximum faults listed in one answer; further ones are only counted. */
const mostListed = 100;

/** The faults of a file. A hostile file can have thousands, so only those that are listed are described. */
export class FaultList {
  readonly #items: Fault[] = [];
  readonly #mostListed: number;
  #count = 0;

  /** @param most maximum faults to describe */
  constructor(most: number = mostListed) {
    this.#mostListed = most;
  }

  /** @param describe makes the fault with its description */
  note(describe: () => Fault): void {
    this.#count += 1;
    if (this.#items.length < this.#mostListed) this.#items.push(describe());
  }

  /** How many faults there are, listed or not. */
  get count(): number {
    return this.#count;
  }

  /** The first faults, in the order in which they were noted. */
  get items(): readonly Fault[] {
    return this.#items;
  }
}
