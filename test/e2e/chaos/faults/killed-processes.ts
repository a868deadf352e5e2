import type { Fault } from './fault.js';

/** A process ends as in a power cut, most often a worker; a supervisor starts it again. */
export const killedProcesses: Fault = {
  name: 'kills',
  strike: async ({ world }, dice) => {
    const { apis, workers, authorize } = world;
    dice.pick([...workers, ...workers, ...apis, authorize]).kill();
  },
};
