import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from './fault.js';

/**
 * The clock of a process jumps by minutes, to one side or the other. That of a worker stays so, until it jumps again.
 */
export const clockJumps: Fault = {
  name: 'clocks',
  strike: async ({ world }, dice) => {
    const { apis, workers, authorize } = world;
    const victim = dice.pick([...workers, ...workers, ...apis, authorize]);
    await victim.shiftClock(dice.pick([-1, 1]) * dice.between(60_000, 180_000));
    if (victim.name === 'worker') return;
    // Its callers are refused meanwhile.
    await sleep(dice.between(500, 2_000));
    await victim.shiftClock(0);
  },
};
