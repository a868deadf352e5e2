import type { Random } from './random.js';

/** A fault that is to happen. */
export interface PlannedFault {
  readonly atMilliseconds: number;
  readonly name: string;
  /** decides all else about it */
  readonly dice: Random;
}

/**
 * Decides what happens when, before anything happens: the same seed gives the same plan however fast the machine is.
 * Each fault comes once before any comes again, as far as the time is enough.
 */
export function planFaults(random: Random, names: readonly string[], seconds: number): PlannedFault[] {
  const plan: PlannedFault[] = [];
  let coming: string[] = [];
  for (let at = 500; names.length > 0 && at < seconds * 1_000; at += random.between(200, 1_200)) {
    if (coming.length === 0) coming = random.shuffle(names);
    plan.push({ atMilliseconds: at, name: coming.pop() ?? '', dice: random.fork() });
  }
  return plan;
}
