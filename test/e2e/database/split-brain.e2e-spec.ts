import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Pool } from 'pg';
import { countOutdatedServers, isDatabaseUnavailable, openPool } from '#libs/persistence';
import { until } from '../../support/expectations.js';
import { postgresPrograms, PostgresPair } from './debian-postgres.js';

const programs = postgresPrograms();
if (programs === undefined)
  process.stderr.write('The split brain is not tested: PostgreSQL of Debian is not installed.\n');

async function portOf(pool: Pool): Promise<number | undefined> {
  const { rows } = await pool.query<{ port: number }>('SELECT inet_server_port() AS port');
  return rows[0]?.port;
}

(programs === undefined ? describe.skip : describe)('a standby that is promoted beside a primary that lives', () => {
  let pair: PostgresPair;
  const pools: Pool[] = [];

  beforeAll(async () => {
    pair = await PostgresPair.start(programs ?? '');
  });

  afterAll(async () => {
    await Promise.all(pools.map((pool) => pool.end()));
    await pair?.remove();
  });

  function open(): Pool {
    const pool = openPool({ url: pair.url, poolSize: 2, applicationName: 'test' });
    pools.push(pool);
    return pool;
  }

  it('is used by every process; the old primary is reported, and never used again', async () => {
    const before = open();
    expect(await portOf(before)).toBe(pair.ports.primary);
    expect(countOutdatedServers(before)).toBe(0);
    // One that waits for its answer there gets none: nothing is acknowledged by the old primary any more.
    const underWay = before.query('SELECT pg_sleep(60)').then(
      () => 'answered',
      () => 'ended',
    );
    await pair.promote();
    await until(async () => (await portOf(before).catch(() => undefined)) === pair.ports.standby);
    expect(await underWay).toBe('ended');
    expect(countOutdatedServers(before)).toBe(1);
    // A process that starts now sees both, and takes the newer one.
    const after = open();
    expect(await portOf(after)).toBe(pair.ports.standby);
    expect(countOutdatedServers(after)).toBe(1);

    await pair.kill('standby');
    // Rather none than the old one. A pool that still counts on the standby is refused the connection first.
    let outcome: unknown;
    await until(async () => {
      outcome = await portOf(before).catch((error: unknown) => error);
      return !/ECONNREFUSED|ECONNRESET|terminat/.test(String(outcome));
    });
    expect(String(outcome)).toMatch(/timeline 1, but there is a newer one, 2: fence it/);
    // Whoever asked is told to come back, not that something is broken.
    expect(isDatabaseUnavailable(outcome)).toBe(true);
  });
});
