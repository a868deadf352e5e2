import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, readFile, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { until } from '../support/expectations.js';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../support/apps/postgres.js';

async function queryOnce(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  // A server that is killed on purpose ends its connections with an error event.
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, unknown>>(sql);
    return rows;
  } finally {
    await client.end();
  }
}

function fail(error: unknown): void {
  throw error;
}

describe('the embedded PostgreSQL', () => {
  let directory: string;
  let postgres: EmbeddedPostgres | undefined;

  beforeEach(async () => {
    // A folder of mktemp is private (0700), like the home of root: the hard case for a server that is not root.
    directory = await mkdtemp(join(tmpdir(), 'embedded-postgres-'));
  });

  afterEach(async () => {
    await postgres?.remove();
  });

  it('keeps what was committed over a stop and a start, with durable settings and a private password', async () => {
    postgres = await startEmbeddedPostgres({ directory });
    expect(await postgres.createDatabase('shop')).toBe(true);
    expect(await postgres.createDatabase('shop')).toBe(false);
    await queryOnce(postgres.url('shop'), 'CREATE TABLE kept AS SELECT 42 AS value');
    await postgres.stop();
    await postgres.stop();

    postgres = await startEmbeddedPostgres({ directory });
    expect(await queryOnce(postgres.url('shop'), 'SELECT value FROM kept')).toEqual([{ value: 42 }]);
    expect(await queryOnce(postgres.url('shop'), `SELECT current_setting('fsync') AS fsync`)).toEqual([
      { fsync: 'on' },
    ]);
    const password = join(directory, 'password');
    expect((await stat(password)).mode & 0o777).toBe(0o600);
    const stranger = postgres.url('shop').replace(await readFile(password, 'utf8'), 'guess');
    await expect(queryOnce(stranger, 'SELECT 1')).rejects.toThrow('password authentication failed');
  });

  it('starts again, with the data, when the last run was killed and left its server behind', async () => {
    const killed = await startEmbeddedPostgres({ directory });
    await queryOnce(killed.url('postgres'), 'CREATE TABLE kept AS SELECT 42 AS value');

    postgres = await startEmbeddedPostgres({ directory });
    expect(postgres.pid).not.toBe(killed.pid);
    expect(await queryOnce(postgres.url('postgres'), 'SELECT value FROM kept')).toEqual([{ value: 42 }]);
  });

  it('starts again, with the data, after kill -9 of the server itself', async () => {
    const killed = await startEmbeddedPostgres({ directory });
    await queryOnce(killed.url('postgres'), 'CREATE TABLE kept AS SELECT 42 AS value');
    process.kill(killed.pid ?? 0, 'SIGKILL');

    postgres = await startEmbeddedPostgres({ directory });
    expect(await queryOnce(postgres.url('postgres'), 'SELECT value FROM kept')).toEqual([{ value: 42 }]);
  });

  it('is started again at the same address after kill -9, and not after it was stopped', async () => {
    postgres = await startEmbeddedPostgres({ directory });
    const lines: string[] = [];
    postgres.keepRunning((line) => lines.push(line), fail);
    const url = postgres.url('postgres');
    await queryOnce(url, 'CREATE TABLE kept AS SELECT 42 AS value');
    for (const times of [1, 2]) {
      process.kill(postgres.pid ?? 0, 'SIGKILL');
      await until(() => lines.length === times * 2);
      expect(lines.at(-1)).toBe('PostgreSQL is running again.');
      expect(postgres.url('postgres')).toBe(url);
      expect(await queryOnce(url, 'SELECT value FROM kept')).toEqual([{ value: 42 }]);
    }
    await postgres.stop();
    expect(lines).toHaveLength(4);
  });

  it('copies a database from a template', async () => {
    postgres = await startEmbeddedPostgres({ directory, settings: { fsync: 'off' } });
    await postgres.createDatabase('template');
    await queryOnce(postgres.url('template'), 'CREATE TABLE kept AS SELECT 42 AS value');
    await postgres.createDatabase('copy', { template: 'template' });
    expect(await queryOnce(postgres.url('copy'), 'SELECT value FROM kept')).toEqual([{ value: 42 }]);
    await postgres.dropDatabase('copy');
    expect(await postgres.createDatabase('copy')).toBe(true);
  });
});
