import { setTimeout as pause } from 'node:timers/promises';

/** Pause, and the work after which it comes, in milliseconds: requests take precedence. */
const breathMilliseconds = 20;
const workMilliseconds = 100;
/** Time of one task in one round, in milliseconds; afterwards the others get their turn. */
const turnMilliseconds = 10_000;

/**
 * Repeats the steps of a task until nothing is left, its time is over, or it is asked to stop.
 * @param step returns whether something is left
 * @returns whether it has had its turn, and something is left
 */
export async function takeTurn(step: () => Promise<boolean>, signal?: AbortSignal): Promise<boolean> {
  let rested = performance.now();
  const end = rested + turnMilliseconds;
  for (;;) {
    const isMore = await step();
    if (!isMore || signal?.aborted) return false;
    const now = performance.now();
    if (now > end) return true;
    if (now - rested < workMilliseconds) continue;
    await pause(breathMilliseconds);
    rested = performance.now();
  }
}
