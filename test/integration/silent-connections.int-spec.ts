import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../support/apps/postgres.js';
import { Database, isDatabaseUnavailable, openPool } from '../../libs/persistence/src/index.js';

let postgres: EmbeddedPostgres;
beforeAll(async () => {
  postgres = await startEmbeddedPostgres({ directory: await mkdtemp(join(tmpdir(), 'silent-connections-')) });
});
afterAll(async () => {
  await postgres?.remove();
});

/**
 * Has one connection. A server has one second to answer and one more to report a time-out: two seconds of silence are
 * too long.
 */
function openDatabase(): Database {
  const settings = { url: postgres.url('postgres'), poolSize: 1, applicationName: 'test' };
  return new Database(openPool({ ...settings, statementTimeoutMilliseconds: 1_000 }), settings);
}

async function processId(database: Database): Promise<unknown> {
  const { rows } = await database.query<{ pid: number }>('pid', 'SELECT pg_backend_pid() AS pid', []);
  return rows[0]?.pid;
}

it('a connection has the settings that statements rely on, whatever the server sets', async () => {
  const admin = openDatabase();
  const odd: Record<string, string> = {
    default_transaction_isolation: 'serializable',
    datestyle: 'German',
    timezone: 'Asia/Kolkata',
    intervalstyle: 'iso_8601',
    bytea_output: 'escape',
    plan_cache_mode: 'auto',
    jit: 'on',
  };
  for (const [name, value] of Object.entries(odd))
    await admin.pool.query(`ALTER DATABASE postgres SET ${name} = '${value}'`);
  await admin.onApplicationShutdown();
  const database = openDatabase();
  const names = ['transaction_isolation', ...Object.keys(odd).slice(1)];
  const show = names.map((name) => `current_setting('${name}') AS ${name}`).join();
  expect((await database.query('settings', `SELECT ${show}`, [])).rows).toEqual([
    {
      transaction_isolation: 'read committed',
      datestyle: 'ISO, MDY',
      timezone: 'UTC',
      intervalstyle: 'postgres',
      bytea_output: 'hex',
      plan_cache_mode: 'force_generic_plan',
      jit: 'off',
    },
  ]);
  await database.onApplicationShutdown();
});

describe('a server that does not answer', () => {
  // The server's own limit is lifted, so that it never answers.
  it.each([
    [
      'a statement alone',
      async (database: Database) => {
        await database.query('no-limit', 'SET statement_timeout = 0', []);
        await database.query('sleep', 'SELECT pg_sleep(30)', []);
      },
    ],
    [
      'a transaction',
      (database: Database) =>
        database.transaction(async (runner) => {
          const lift = `SELECT set_config(name, '0', true)
            FROM unnest(ARRAY['statement_timeout', 'idle_in_transaction_session_timeout']) AS limits (name)`;
          await runner.query('no-limit', lift, []);
          await runner.query('sleep', 'SELECT pg_sleep(30)', []);
        }),
    ],
  ])('is abandoned in %s, and the next request gets another connection', async (_name, work) => {
    const database = openDatabase();
    const before = await processId(database);
    const error: unknown = await work(database).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'ETIMEDOUT', message: 'The database has been silent for 2000 ms' });
    expect(isDatabaseUnavailable(error)).toBe(true);
    expect(await processId(database)).not.toBe(before);
    await database.onApplicationShutdown();
  });

  it('is not abandoned while idle, or in a transaction that makes progress', async () => {
    const [idle, busy] = [openDatabase(), openDatabase()];
    const before = [await processId(idle), await processId(busy)];
    await Promise.all([
      sleep(2_300),
      busy.transaction(async (runner) => {
        await runner.query('no-limit', 'SET LOCAL statement_timeout = 0', []);
        await runner.query('no-limit-between', 'SET LOCAL idle_in_transaction_session_timeout = 0', []);
        for (let turn = 0; turn < 12; turn += 1) await runner.query('work', 'SELECT pg_sleep(0.2)', []);
      }),
    ]);
    expect([await processId(idle), await processId(busy)]).toEqual(before);
    await Promise.all([idle.onApplicationShutdown(), busy.onApplicationShutdown()]);
  });
});
