import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from '../../../../apps/sandbox/src/postgres/stop-process.js';
import type { Fault } from './fault.js';

/** The disk of the database is full for a while. PostgreSQL may end of it; then it is started again. */
export const diskFull: Fault = {
  name: 'disk-full',
  missing: ({ disk }) => (disk ? undefined : 'this process may not mount a small disk'),
  strike: ({ world }, dice) =>
    world.withPostgres(async (pid) => {
      await world.disk?.fill();
      await sleep(dice.between(500, 3_000));
      await world.disk?.makeRoom();
      // It recovers by itself from most of it; without room for its recovery it gives up.
      await sleep(1_000);
      if (!isAlive(pid)) await world.startPostgres();
    }),
};
