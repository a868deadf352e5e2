import { DataSource } from 'typeorm';
import { openPool } from '#libs/persistence';
import { dataSourceOptions } from './data-source-options.js';

/** Any fixed number: everybody who migrates this database asks for the same lock. */
const migrationLock = 4_120_577_301;

/**
 * Brings the database to the newest schema. Several processes may call it at once: one migrates, the others wait.
 * @param url postgres:// URL of a role that may create tables
 * @returns the names of the migrations that ran now
 */
export async function runMigrations(url: string): Promise<string[]> {
  // Waiting for the lock, or for a long change, is no fault.
  const pool = openPool({ url, poolSize: 2, applicationName: 'migrate', statementTimeoutMilliseconds: 0 });
  const dataSource = new DataSource(dataSourceOptions(pool));
  try {
    await dataSource.initialize();
    return await migrateUnderLock(dataSource);
  } finally {
    // Ends the connections, and with them the lock.
    if (dataSource.isInitialized) await dataSource.destroy();
    await pool.end();
  }
}

async function migrateUnderLock(dataSource: DataSource): Promise<string[]> {
  const lockHolder = dataSource.createQueryRunner();
  try {
    // A lock of the transaction, not of the session: it holds through a pooler, too.
    await lockHolder.startTransaction();
    await lockHolder.query('SELECT pg_advisory_xact_lock($1)', [migrationLock]);
    const applied = await dataSource.runMigrations({ transaction: 'each' });
    await lockHolder.commitTransaction();
    return applied.map((migration) => migration.name);
  } finally {
    await lockHolder.release();
  }
}
