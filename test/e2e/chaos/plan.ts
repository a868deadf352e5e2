import type { Random } from './random.js';

/** A planned fault. */
export interface PlannedFault {
  readonly atMilliseconds: number;
  readonly name: string;
  /** decides everything else about it */
  readonly dice: Random;
}

/**
 * Plans all faults in advance: the same seed gives the same plan on any machine. Each fault occurs once before any
 * occurs again, if the time permits.
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
