/** Random numbers that a seed repeats (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** @returns a number from 0, below 1 */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** @returns a whole number of the range, both ends included */
  between(least: number, greatest: number): number {
    return least + Math.floor(this.next() * (greatest - least + 1));
  }

  /** @returns one of the values */
  pick<Value>(values: readonly [Value, ...Value[]]): Value {
    return values[this.between(0, values.length - 1)] ?? values[0];
  }

  /** @returns whether it happens, by the probability in per cent */
  happens(percent: number): boolean {
    return this.next() * 100 < percent;
  }

  /** @returns the values in another order */
  shuffle<Value>(values: readonly Value[]): Value[] {
    const keyed = values.map((value) => ({ value, key: this.next() }));
    return keyed.sort((one, other) => one.key - other.key).map(({ value }) => value);
  }

  /** @returns an independent generator, so that the draws of one part do not change the others */
  fork(): Random {
    return new Random(Math.floor(this.next() * 4_294_967_296));
  }
}
