/** What a run is asked to be. */
export interface ChaosOptions {
  readonly seconds: number;
  readonly seed: number;
  /** names of faults; undefined: all */
  readonly faults: readonly string[] | undefined;
}

/**
 * How long it lasts and what it does: a short run at random each time, a minute in CI with its own seed, as long as
 * asked by hand.
 */
export function readOptions(env: Readonly<Record<string, string | undefined>>): ChaosOptions {
  const faults = env['CHAOS_FAULTS']?.split(',').filter((name) => name !== '');
  return {
    seconds: Number(env['CHAOS_SECONDS'] ?? '10'),
    seed: Number(env['CHAOS_SEED'] ?? Math.floor(Math.random() * 1_000_000)),
    faults: faults?.length === 0 ? undefined : faults,
  };
}
