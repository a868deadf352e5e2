import type { Fault } from './fault.js';

/** Connections of the service to its database break during their work. */
export const killedBackends: Fault = {
  name: 'backends',
  strike: async ({ world }, dice) => {
    const { rows } = await world.database.query<{ pid: number }>(
      "SELECT pid FROM pg_stat_activity WHERE application_name IN ('api', 'worker', 'authorize', 'token') ORDER BY pid",
    );
    const victims = rows.map(({ pid }) => pid).filter(() => dice.happens(60));
    await world.database.query('SELECT pg_terminate_backend(pid) FROM unnest($1::int[]) AS victim (pid)', [victims]);
  },
};
