import type { Fault } from './fault.js';

/** As hard as a database ends that can start again: no checkpoint, every connection cut. */
export const databaseRestarts: Fault = {
  name: 'database',
  strike: ({ world }) =>
    world.withPostgres(async (pid) => {
      process.kill(pid, 'SIGQUIT');
      await world.startPostgres();
    }),
};
