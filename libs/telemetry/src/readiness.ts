/** Maximum time of one check, in milliseconds. */
const patienceMilliseconds = 3_000;

/** A condition without which the process cannot work. Throws the reason if it fails. */
export type ReadinessCheck = () => void | Promise<void>;

export interface ReadinessReport {
  readonly isReady: boolean;
  /**
   * Whether requests should come here: like isReady until that was true once, afterwards regardless of what all
   * instances share. Without its database an instance can still answer 503 with Retry-After; without any instance,
   * nothing answers.
   */
  readonly isServing: boolean;
  /** by the name of the check: `ok`, or the reason why not */
  readonly checks: Readonly<Record<string, string>>;
}

/** Whether this process can work, and if not, why. Reasons are for operators and may name hosts and settings. */
export class Readiness {
  readonly #checks = new Map<string, { check: ReadinessCheck; isShared: boolean }>();
  #hasBeenReady = false;
  #running: Promise<ReadinessReport> | undefined;

  /**
   * @param options.isShared the check fails or passes for all instances alike
   * @returns a function that removes the check
   */
  add(name: string, check: ReadinessCheck, { isShared = false } = {}): () => void {
    const added = { check, isShared };
    this.#checks.set(name, added);
    return () => {
      if (this.#checks.get(name) === added) this.#checks.delete(name);
    };
  }

  /** Runs every check; simultaneous callers share the answer. */
  report(): Promise<ReadinessReport> {
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #run(): Promise<ReadinessReport> {
    const outcomes = await Promise.all(
      [...this.#checks].map(async ([name, { check, isShared }]) => ({
        name,
        isShared,
        outcome: await outcomeOf(check),
      })),
    );
    // Not ready before the start.
    const isReady = outcomes.length > 0 && outcomes.every(({ outcome }) => outcome === 'ok');
    this.#hasBeenReady ||= isReady;
    const isServing = this.#hasBeenReady && outcomes.every(({ outcome, isShared }) => isShared || outcome === 'ok');
    return { isReady, isServing, checks: Object.fromEntries(outcomes.map(({ name, outcome }) => [name, outcome])) };
  }
}

async function outcomeOf(check: ReadinessCheck): Promise<string> {
  let timer: NodeJS.Timeout | undefined;
  const giveUp = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(`no answer within ${patienceMilliseconds} ms`), patienceMilliseconds);
  });
  try {
    return await Promise.race([Promise.resolve(check()).then(() => 'ok'), giveUp]);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    clearTimeout(timer);
  }
}
