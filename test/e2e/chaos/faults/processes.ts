import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from './fault.js';
import { isAlive } from '../../../support/apps/postgres.js';

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

/** The hardest stop after which a database can start again: no checkpoint, every connection cut. */
export const databaseRestarts: Fault = {
  name: 'database',
  strike: ({ world }) =>
    world.withPostgres(async (pid) => {
      process.kill(pid, 'SIGQUIT');
      await world.startPostgres();
    }),
};

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

/** A process ends as in a power cut, most often a worker; a supervisor starts it again. */
export const killedProcesses: Fault = {
  name: 'kills',
  strike: async ({ world }, dice) => {
    const { apis, workers, authorize } = world;
    dice.pick([...workers, ...workers, ...apis, authorize]).kill();
  },
};
