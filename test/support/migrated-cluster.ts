import { appendFile, copyFile, mkdir, mkdtemp, realpath, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { runMigrations } from '#libs/typeorm';
import { locateDataDirectory } from '../../apps/sandbox/src/postgres/data-directory.js';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../apps/sandbox/src/postgres/index.js';
import { findUnprivilegedAccount } from '../../apps/sandbox/src/postgres/unprivileged-account.js';
import { copyFolder, ensureShared } from './shared-by-suites.js';

/** The database with our schema. */
export const migratedDatabase = 'open_banking';

/** Starts a PostgreSQL with the database {@link migratedDatabase} for one suite; call `remove` at its end. */
export async function startMigratedPostgres(): Promise<EmbeddedPostgres> {
  const directory = await mkdtemp(join(tmpdir(), 'migrated-postgres-'));
  await copyMigratedCluster(directory);
  return startEmbeddedPostgres({ directory });
}

/**
 * Puts a PostgreSQL into a folder as if it had been started there before, which takes a fraction of the time. It
 * survives a kill; only a crash of the whole machine does it not survive.
 * @param directory the folder of an embedded PostgreSQL that was never started
 */
export async function copyMigratedCluster(directory: string): Promise<void> {
  const template = await ensureShared('migrated-cluster', makeMigratedCluster);
  await mkdir(directory, { recursive: true });
  const account = await findUnprivilegedAccount(join(directory, 'data'));
  const { path } = await locateDataDirectory(directory, account);
  await copyFolder(join(template, 'data'), path);
  await copyFile(join(template, 'password'), join(directory, 'password'));
  // For end-run.mjs, should the suite leave it running.
  await writeFile(join(directory, 'suite'), expect.getState().testPath ?? '');
}

async function makeMigratedCluster(made: string): Promise<void> {
  const directory = `${made}-first-start`;
  const postgres = await startEmbeddedPostgres({ directory, settings: { fsync: 'off' } });
  try {
    await postgres.createDatabase(migratedDatabase);
    await runMigrations(postgres.url(migratedDatabase));
    await postgres.stop();
    const data = await realpath(join(directory, 'data'));
    await appendFile(join(data, 'postgresql.conf'), 'fsync = off\nfull_page_writes = off\n');
    await copyFolder(data, join(made, 'data'));
    await copyFile(join(directory, 'password'), join(made, 'password'));
  } finally {
    await postgres.remove();
  }
}
