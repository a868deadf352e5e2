/** Longest time that one check may take, in milliseconds. */
const patienceMilliseconds = 3_000;

/** Something that must be right for the process to do its work. Throws with the reason when it is not. */
export type ReadinessCheck = () => void | Promise<void>;

export interface ReadinessReport {
  readonly isReady: boolean;
  /** by the name of the check: `ok`, or the reason why not */
  readonly checks: Readonly<Record<string, string>>;
}

/** Whether this process can do its work, and if not, why. Reasons are for operators: they may name hosts and settings. */
export class Readiness {
  readonly #checks = new Map<string, ReadinessCheck>();
  #running: Promise<ReadinessReport> | undefined;

  /** @returns takes the check away again */
  add(name: string, check: ReadinessCheck): () => void {
    this.#checks.set(name, check);
    return () => {
      if (this.#checks.get(name) === check) this.#checks.delete(name);
    };
  }

  /** Runs every check; whoever asks meanwhile shares the answer. */
  report(): Promise<ReadinessReport> {
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #run(): Promise<ReadinessReport> {
    const outcomes = await Promise.all(
      [...this.#checks].map(async ([name, check]) => [name, await outcomeOf(check)] as const),
    );
    // What has not begun is not ready.
    const isReady = outcomes.length > 0 && outcomes.every(([, outcome]) => outcome === 'ok');
    return { isReady, checks: Object.fromEntries(outcomes) };
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
