import { setTimeout as delay } from 'node:timers/promises';
import type { Pool } from 'pg';
import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import { Database, findMissingMigrations, migrations, openPool } from '#libs/persistence';
import { dataSourceOptions } from './data-source-options.js';

/** Every process that migrates this database locks the same row. It exists before the first migration. */
const makeLockSql = [
  `CREATE TABLE IF NOT EXISTS works (name text CONSTRAINT works_pkey PRIMARY KEY)`,
  `INSERT INTO works (name) VALUES ('migrations') ON CONFLICT DO NOTHING`,
];
const lockSql = `SELECT FROM works WHERE name = 'migrations' FOR UPDATE`;
/** PostgreSQL's codes when several sessions create the same table at once. */
const madeMeanwhile = ['23505', '42P07', '42710'];

/**
 * How long a migration waits for the lock of a table. Meanwhile it holds the locks that it has, and whoever comes after
 * it waits for both. It is less than the second after which PostgreSQL looks for a deadlock and ends somebody's
 * statement.
 */
const lockTimeout = '500ms';
/** Attempts and the milliseconds between them, before an operator has to look: about five minutes. */
const attempts = 200;
const pause = 1_000;
/** Of the first migration of 1.0; there was no release before. */
const firstTimestamp = 1_800_000_000_000;

/** The database was made by a program before 1.0. */
export class UnreleasedSchemaError extends Error {
  override readonly name = 'UnreleasedSchemaError';

  constructor() {
    super('A version before 1.0 made this database, and 1.0 does not read it: use an empty database.');
  }
}

/** PostgreSQL's codes for a lock that was not available in time, and for a deadlock. */
const lockFailures = ['55P03', '40P01'];

/**
 * Brings the database to the newest schema, while others work with it. Several processes may call it at once: one
 * migrates, the others wait.
 * @param url postgres:// URL of a role that may create tables
 * @returns the names of the migrations that ran now
 * @param known all migrations, oldest first
 * @throws UnreleasedSchemaError; whatever PostgreSQL refuses; Error if somebody holds a lock for minutes
 */
export async function runMigrations(url: string, known = migrations): Promise<string[]> {
  const applicationName = 'migrate';
  // Waiting for another migration, or for a long change, is not a fault.
  const pool = openPool({ url, poolSize: 2, applicationName, statementTimeoutMilliseconds: 0 });
  const dataSource = new DataSource({ ...dataSourceOptions(pool), migrations: known.map(withLockTimeout) });
  try {
    await dataSource.initialize();
    return await migrateUnderLock(dataSource, pool, known);
  } finally {
    // Ends the connections, and with them the lock.
    if (dataSource.isInitialized) await dataSource.destroy();
    await pool.end();
  }
}

async function migrateUnderLock(dataSource: DataSource, pool: Pool, known: typeof migrations): Promise<string[]> {
  await makeLock(pool);
  const lockHolder = dataSource.createQueryRunner();
  try {
    // The lock of a row holds through a pooler, on whichever node the row is.
    await lockHolder.startTransaction();
    await lockHolder.query(lockSql);
    const database = new Database(pool, { applicationName: 'migrate', preparedStatements: false });
    const missing = await findMissingMigrations(database, known);
    if (missing.length > 0) await refuseUnreleased(pool);
    await migrate(dataSource);
    await lockHolder.commitTransaction();
    return missing;
  } finally {
    await lockHolder.release();
  }
}

async function refuseUnreleased(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ is_there: boolean }>(`SELECT to_regclass('migrations') IS NOT NULL AS is_there`);
  if (rows[0]?.is_there !== true) return;
  const { rowCount } = await pool.query('SELECT FROM migrations WHERE timestamp < $1', [firstTimestamp]);
  if (rowCount !== 0) throw new UnreleasedSchemaError();
}

async function makeLock(pool: Pool): Promise<void> {
  for (const sql of makeLockSql) {
    await pool.query(sql).catch((error: unknown) => {
      if (!(error instanceof Error) || !madeMeanwhile.includes(String(Reflect.get(error, 'code')))) throw error;
    });
  }
}

/** Each in its own transaction; what has run stays, and the one that could not have its locks is tried again. */
async function migrate(dataSource: DataSource): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await dataSource.runMigrations({ transaction: 'each' });
      return;
    } catch (error) {
      if (!(error instanceof Error) || !lockFailures.includes(String(Reflect.get(error, 'code')))) throw error;
      if (attempt === attempts) {
        const advice = 'A transaction keeps a table locked: look for it in pg_stat_activity, and run this again.';
        throw new Error(`${error.message}. ${advice}`, { cause: error });
      }
      await delay(pause);
    }
  }
}

/**
 * The same migration under the same name, with {@link lockTimeout}. A migration that commits itself (`transaction` is
 * false) locks only rows.
 */
function withLockTimeout(Migration: new () => MigrationInterface): new () => MigrationInterface {
  return class implements MigrationInterface {
    readonly name = Migration.name;
    readonly #migration: MigrationInterface = new Migration();
    readonly transaction = this.#migration.transaction;

    async up(queryRunner: QueryRunner): Promise<void> {
      if (this.transaction !== false) await queryRunner.query(`SET LOCAL lock_timeout = '${lockTimeout}'`);
      await this.#migration.up(queryRunner);
    }

    down(queryRunner: QueryRunner): Promise<void> {
      return this.#migration.down(queryRunner);
    }
  };
}
