import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Pool, PoolClient } from 'pg';
import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import { distribute, migrations, openPool } from '#libs/persistence';
import { dataSourceOptions, runMigrations } from '#libs/typeorm';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../support/apps/postgres.js';
import { until } from '../support/expectations.js';

const root = resolve(import.meta.dirname, '../..');

let directory: string;
let postgres: EmbeddedPostgres;
let url: string;
let pool: Pool;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'schema-'));
  postgres = await startEmbeddedPostgres({ directory });
  url = await aDatabase('schema');
  pool = openPool({ url, poolSize: 2, applicationName: 'schema.int-spec' });
});

afterAll(async () => {
  await pool?.end();
  await postgres?.remove();
});

async function aDatabase(name: string): Promise<string> {
  await postgres.createDatabase(name);
  return postgres.url(name);
}

/** All entities, in whichever feature they are. */
async function findEntities(): Promise<Function[]> {
  const files = readdirSync(join(root, 'libs'), { recursive: true, encoding: 'utf8' });
  const modules = await Promise.all(
    files.filter((file) => file.endsWith('.entity.ts')).map((file) => import(join(root, 'libs', file))),
  );
  return modules.flatMap((module) => Object.values(module as Record<string, unknown>)).filter(isClass);
}

const isClass = (value: unknown): value is Function => typeof value === 'function';

/** The guards listed in the decision: `table.trigger`. */
function guardsOnPage(): string[] {
  const page = readFileSync(join(root, 'docs/decisions/platform/0004-triggers-guard.md'), 'utf8');
  return [...page.matchAll(/^- `(\w+)`: (.+)$/gm)].flatMap(([, table, guards = '']) =>
    [...guards.matchAll(/`(_\w+)`/g)].map(([, suffix]) => `${table}.${table}${suffix}`),
  );
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

  it('make the tables that the entities describe, and no others', async () => {
    const dataSource = await new DataSource(dataSourceOptions(pool, await findEntities())).initialize();
    try {
      const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
      expect(upQueries.map(({ query }) => query)).toEqual([]);
      const tables = dataSource.entityMetadatas.map(({ tableName }) => tableName);
      const { rows } = await pool.query<{ name: string }>(
        `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'migrations'`,
      );
      expect(rows.map(({ name }) => name).sort()).toEqual(tables.sort());
    } finally {
      await dataSource.destroy();
    }
  });

  it('leave exactly the triggers that their page lists', async () => {
    expect((await triggersOfSchema()).map(({ name }) => name)).toEqual(guardsOnPage().sort());
  });

  it('leave no guard that writes', async () => {
    const faults = (await triggersOfSchema()).flatMap(({ name, body }) => {
      const writes = [...body.matchAll(/\b(?:UPDATE|DELETE FROM|INSERT INTO)\s+(?!SET\b)\w+/gi)];
      return writes.map(([write]) => `${name}: ${write}`);
    });
    expect(faults).toEqual([]);
  });

  it('refuse a database of a version before 1.0, and leave it as it is', async () => {
    const older = await aDatabase('older');
    const client = openPool({ url: older, poolSize: 1, applicationName: 'schema.int-spec' });
    try {
      await client.query(
        'CREATE TABLE migrations (id serial PRIMARY KEY, "timestamp" bigint NOT NULL, name text NOT NULL)',
      );
      await client.query(
        `INSERT INTO migrations ("timestamp", name) VALUES (1795222800000, 'CreateClients1795222800000')`,
      );
      await expect(runMigrations(older)).rejects.toThrow('A version before 1.0 made this database');
      const { rows } = await client.query(`SELECT to_regclass('clients') AS clients`);
      expect(rows).toEqual([{ clients: null }]);
    } finally {
      await client.end();
    }
  });

  it('release their tables rather than make a statement of an application fail in a deadlock', async () => {
    const application = await pool.connect();
    try {
      // As one statement of an application does: the migration takes these tables in another order.
      await application.query('BEGIN');
      // However slow the machine is, the migration is the one that gives up.
      await application.query("SET LOCAL deadlock_timeout = '1min'");
      await application.query('LOCK TABLE payment_consents IN ROW EXCLUSIVE MODE');
      const migrating = runMigrations(url, [...migrations, LockTables1900000000000]);
      await untilSomebodyWaits(application, 'payment_consents');
      await application.query('LOCK TABLE payment_orders IN ROW EXCLUSIVE MODE');
      await application.query('COMMIT');
      await expect(migrating).resolves.toEqual(['LockTables1900000000000']);
    } finally {
      application.release(true);
    }
  });
});

/** What Citus has, without nodes: it notes what is laid out. */
const likeCitus = `
  INSERT INTO pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion)
    SELECT 999999, 'citus', extowner, extnamespace, false, '13' FROM pg_extension LIMIT 1;
  CREATE TABLE pg_dist_node AS SELECT true AS isactive, true AS shouldhaveshards;
  CREATE TABLE pg_dist_partition (logicalrelid regclass, key text);
  CREATE FUNCTION create_reference_table(text) RETURNS void BEGIN ATOMIC
    INSERT INTO pg_dist_partition VALUES ($1::regclass); END;
  CREATE FUNCTION create_distributed_table(text, key text, colocate_with text DEFAULT '') RETURNS void BEGIN ATOMIC
    INSERT INTO pg_dist_partition VALUES ($1::regclass, $2); END`;

it('a cluster has the client in the keys of clients’ rows, and all others as they were', async () => {
  const cluster = openPool({ url: await aDatabase('cluster'), poolSize: 1, applicationName: 'schema.int-spec' });
  const keys = async () => {
    const { rows } = await cluster.query<{ name: string; key: string }>(
      `SELECT indrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS key FROM pg_index
        WHERE indisunique AND indrelid::regclass::text !~ '^pg_' ORDER BY 2`,
    );
    return rows;
  };
  try {
    await runMigrations(postgres.url('cluster'));
    const before = await keys();
    await cluster.query(likeCitus);
    await distribute(cluster);
    const { rows } = await cluster.query<{ name: string; key: string }>(
      `SELECT logicalrelid::text AS name, key FROM pg_dist_partition WHERE key LIKE '%_id'`,
    );
    const columns = new Map(rows.map(({ name, key }) => [name, key]));
    const after = await keys();
    const isWhole = ({ name, key }: (typeof after)[number]) => key.includes(columns.get(name) ?? '');
    expect(after.filter((each) => !isWhole(each))).toEqual([]);
    const isOther = ({ name }: (typeof after)[number]) => !columns.has(name);
    expect(after.filter(isOther)).toEqual(before.filter(isOther));
    expect(after).toHaveLength(before.length);
    expect(await distribute(cluster)).toEqual([]);
  } finally {
    await cluster.end();
  }
});

/** A later migration that changes two tables. */
class LockTables1900000000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('LOCK TABLE payment_orders IN ACCESS EXCLUSIVE MODE');
    await queryRunner.query('LOCK TABLE payment_consents IN ACCESS EXCLUSIVE MODE');
  }

  async down(): Promise<void> {}
}

async function untilSomebodyWaits(connection: PoolClient, table: string): Promise<void> {
  const sql = 'SELECT FROM pg_locks WHERE relation = $1::regclass AND NOT granted';
  await until(async () => (await connection.query(sql, [table])).rowCount !== 0);
}
