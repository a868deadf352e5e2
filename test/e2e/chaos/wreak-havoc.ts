import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault, Scene } from './faults/fault.js';
import type { PlannedFault } from './plan.js';

/** A slow machine needs progress between faults: each waits until a TPP has made progress, at most this long. */
const longestWaitMilliseconds = 10_000;

/**
 * Runs the planned faults in order, each at its time or once a TPP has made progress again, in parallel with faults
 * that take longer.
 * @returns how often each has happened
 */
export async function wreakHavoc(
  scene: Scene,
  options: { plan: readonly PlannedFault[]; faults: readonly Fault[]; isOver: () => boolean },
): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  const startedAt = Date.now();
  const strike = async ({ name, dice }: PlannedFault): Promise<void> => {
    const fault = options.faults.find((each) => each.name === name);
    try {
      await fault?.strike(scene, dice);
      counts.set(name, (counts.get(name) ?? 0) + 1);
    } catch {
      // Another fault prevented it: most likely the database was down.
    }
  };
  const strikes: Promise<void>[] = [];
  for (const planned of options.plan) {
    await sleep(Math.max(startedAt + planned.atMilliseconds - Date.now(), 0));
    await untilGettingSomewhere(scene);
    if (options.isOver()) break;
    strikes.push(strike(planned));
  }
  await Promise.all(strikes);
  return counts;
}

async function untilGettingSomewhere({ tpps }: Scene): Promise<void> {
  const count = (): number => tpps.reduce((sum, { finished }) => sum + finished, 0);
  const [before, deadline] = [count(), Date.now() + longestWaitMilliseconds];
  while (count() === before && Date.now() < deadline) await sleep(20);
}
