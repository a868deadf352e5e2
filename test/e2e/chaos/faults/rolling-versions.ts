import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from './fault.js';

/**
 * A process of the version before the newest migration replaces one, and is replaced again: a roll back and forward.
 */
export const rollingVersions: Fault = {
  name: 'versions',
  missing: ({ older }) => ('reason' in older ? older.reason : undefined),
  strike: async ({ world }, dice) => {
    const { apis, workers, authorize, older } = world;
    const victim = dice.pick([...workers, ...apis, authorize]);
    if ('reason' in older) return;
    await victim.replace(older.root);
    await sleep(dice.between(1_000, 8_000));
    await victim.replace(process.cwd());
  },
};
