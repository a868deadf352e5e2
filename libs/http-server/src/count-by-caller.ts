/** Counts by caller: a network, or a client. Unknown callers are not counted. */
export class CountByCaller {
  readonly #counts = new Map<string, number>();

  get(caller: string | undefined): number {
    return caller === undefined ? 0 : (this.#counts.get(caller) ?? 0);
  }

  add(caller: string | undefined, difference: number): void {
    if (caller === undefined) return;
    const count = this.get(caller) + difference;
    if (count === 0) this.#counts.delete(caller);
    else this.#counts.set(caller, count);
  }
}
