import { readFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Pool, PoolClient } from 'pg';
import { DataSource } from 'typeorm';
import { FilePaymentConsentEntity } from '#libs/consent';
import { FilePaymentEntity, PaymentEntity, PaymentFileEntity } from '#libs/file-payment';
import { migrations, openPool } from '#libs/persistence';
import { dataSourceOptions, runMigrations } from '#libs/typeorm';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../apps/sandbox/src/postgres/index.js';
import { until } from '../support/expectations.js';

const entities = [FilePaymentConsentEntity, FilePaymentEntity, PaymentEntity, PaymentFileEntity];

const byName = (one: { name: string }, other: { name: string }) => (one.name < other.name ? -1 : 1);

let directory: string;
let postgres: EmbeddedPostgres;
let url: string;
let pool: Pool;
let dataSource: DataSource;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'schema-'));
  postgres = await startEmbeddedPostgres({ directory });
  await postgres.createDatabase('schema');
  url = postgres.url('schema');
});

afterAll(async () => {
  await dataSource?.destroy();
  await pool?.end();
  await postgres?.remove();
});

/** The triggers listed in the decision: `table.trigger`, and its purpose. */
function triggersOnPage(): Map<string, string> {
  const page = readFileSync('docs/decisions/platform/0004-triggers-guard-and-record.md', 'utf8');
  const rows = [...page.matchAll(/^\| `(\w+)` +\| `(\w+)` +\| (guard|bridge) +\|/gm)];
  return new Map(rows.map(([, table, name, purpose]) => [`${table}.${name}`, String(purpose)]));
}

interface Trigger {
  readonly name: string;
  readonly body: string;
}

async function triggersOfSchema(): Promise<Trigger[]> {
  const { rows } = await pool.query<Trigger>(
    `SELECT tgrelid::regclass || '.' || tgname AS name, prosrc AS body
       FROM pg_trigger JOIN pg_proc ON pg_proc.oid = tgfoid WHERE NOT tgisinternal ORDER BY name`,
  );
  return rows;
}

describe('migrations', () => {
  it('run once, however many processes start together', async () => {
    const runs = await Promise.all([runMigrations(url), runMigrations(url), runMigrations(url)]);
    expect(runs.flat()).toHaveLength(migrations.length);
  });

  it('make the tables that the entities describe', async () => {
    pool = openPool({ url, poolSize: 2, applicationName: 'schema.int-spec' });
    dataSource = await new DataSource(dataSourceOptions(pool, entities)).initialize();
    for (const { tableName, columns } of dataSource.entityMetadatas) {
      const rows: { name: string; type: string; is_nullable: boolean }[] = await dataSource.query(
        `SELECT attname AS name, format_type(atttypid, atttypmod) AS type, NOT attnotnull AS is_nullable
           FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped`,
        [tableName],
      );
      const described = columns.map((column) => ({
        name: column.databaseName,
        type: String(column.type).replace('timestamptz', 'timestamp with time zone') + (column.isArray ? '[]' : ''),
        is_nullable: column.isNullable,
      }));
      expect({ tableName, columns: described.sort(byName) }).toEqual({ tableName, columns: rows.sort(byName) });
    }
  });

  it('leave exactly the triggers that their page lists', async () => {
    const names = (await triggersOfSchema()).map(({ name }) => name);
    expect([...triggersOnPage().keys()].sort()).toEqual(names.sort());
  });

  it('leave no guard that writes; only bridges write what an older program does not', async () => {
    const purposes = triggersOnPage();
    const faults = (await triggersOfSchema()).flatMap(({ name, body }) => {
      if (purposes.get(name) === 'bridge') return [];
      const writes = [...body.matchAll(/\b(?:UPDATE|DELETE FROM|INSERT INTO)\s+(?!SET\b)\w+/gi)];
      return writes.map(([write]) => `${name}: ${write}`);
    });
    expect(faults).toEqual([]);
  });

  it('can be undone and done again', async () => {
    for (const _ of migrations) await dataSource.undoLastMigration({ transaction: 'each' });
    const left: { count: string }[] = await dataSource.query(
      `SELECT count(*) FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'migrations'`,
    );
    expect(left[0]?.count).toBe('0');
    expect(await runMigrations(url)).toHaveLength(migrations.length);
  });

  it('release their tables rather than make a statement of an application fail in a deadlock', async () => {
    const drop = 'DropHotForeignKeys1795222940000';
    const isDone = async (): Promise<boolean> =>
      (await pool.query('SELECT FROM migrations WHERE name = $1', [drop])).rowCount === 1;
    while (await isDone()) await dataSource.undoLastMigration({ transaction: 'each' });
    const application = await pool.connect();
    try {
      // As one statement of an application does: the migration takes these tables in another order.
      await application.query('BEGIN');
      // However slow the machine is, the migration is the one that gives up.
      await application.query("SET LOCAL deadlock_timeout = '1min'");
      await application.query('LOCK TABLE file_payment_consents IN ROW EXCLUSIVE MODE');
      const migrating = runMigrations(url);
      await untilSomebodyWaits(application, 'file_payment_consents');
      await application.query('LOCK TABLE file_payments IN ROW EXCLUSIVE MODE');
      await application.query('COMMIT');
      await expect(migrating).resolves.toContain(drop);
    } finally {
      application.release(true);
    }
  });
});

async function untilSomebodyWaits(connection: PoolClient, table: string): Promise<void> {
  const sql = 'SELECT FROM pg_locks WHERE relation = $1::regclass AND NOT granted';
  await until(async () => (await connection.query(sql, [table])).rowCount !== 0);
}
