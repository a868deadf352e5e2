import type { Fault } from './fault.js';

/**
 * A process stands still, a worker beyond its lease (PAYMENT_LEASE_SECONDS is 3 here), and continues as if nothing had
 * been.
 */
export const frozenProcesses: Fault = {
  name: 'freezes',
  strike: async ({ world }, dice) => {
    const { apis, workers, authorize } = world;
    const victim = dice.pick([...workers, ...workers, ...workers, ...apis, authorize]);
    await victim.freeze(victim.name === 'worker' ? dice.between(3_500, 7_000) : dice.between(1_000, 5_000));
  },
};
