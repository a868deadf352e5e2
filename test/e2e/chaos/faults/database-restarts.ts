import type { Fault } from './fault.js';

/** The hardest stop after which a database can start again: no checkpoint, every connection cut. */
export const databaseRestarts: Fault = {
  name: 'database',
  strike: ({ world }) =>
    world.withPostgres(async (pid) => {
      process.kill(pid, 'SIGQUIT');
      await world.startPostgres();
    }),
};
