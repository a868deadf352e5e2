import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from '../../../support/apps/postgres.js';
import type { Fault } from './fault.js';

/** The disk of the database is full for a while. If PostgreSQL ends, it is started again. */
export const diskFull: Fault = {
  name: 'disk-full',
  missing: ({ disk }) => (disk ? undefined : 'this process may not mount a small disk'),
  strike: ({ world }, dice) =>
    world.withPostgres(async (pid) => {
      await world.disk?.fill();
      await sleep(dice.between(500, 3_000));
      await world.disk?.makeRoom();
      // It recovers from most failures, but gives up without room for its recovery.
      await sleep(1_000);
      if (!isAlive(pid)) await world.startPostgres();
    }),
};
