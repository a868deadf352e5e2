/** Collects what has to be stopped, and stops it in the reverse order of its start. */
export class Shutdown {
  readonly #steps: { name: string; stop: () => Promise<unknown> }[] = [];
  #running: Promise<void> | undefined;

  /**
   * @param name what is stopped, for the message if that fails
   * @param stop stops it
   */
  add(name: string, stop: () => Promise<unknown>): void {
    this.#steps.push({ name, stop });
  }

  /**
   * Stops everything, even if a step fails. May be called more than once.
   * @throws AggregateError of all failures, at the end
   */
  async run(): Promise<void> {
    this.#running ??= this.#stopAll();
    return this.#running;
  }

  async #stopAll(): Promise<void> {
    const failures: Error[] = [];
    for (const { name, stop } of this.#steps.toReversed()) {
      try {
        await stop();
      } catch (cause) {
        failures.push(new Error(`Stopping ${name} failed.`, { cause }));
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, failures.map(({ message }) => message).join(' '));
  }
}

/** Waits for all, even if one fails: what the others started can only be stopped once it is known. */
export async function settleAll<Results extends readonly unknown[]>(
  work: readonly [...{ [Index in keyof Results]: Promise<Results[Index]> }],
): Promise<Results> {
  await Promise.allSettled(work);
  return await Promise.all(work);
}
