import { copyFile, mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { locateDataDirectory } from '../../apps/sandbox/src/postgres/data-directory.js';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../apps/sandbox/src/postgres/index.js';
import { findUnprivilegedAccount } from '../../apps/sandbox/src/postgres/unprivileged-account.js';
import { importOnce } from './import-once.js';
import { copyFolder, ensureShared } from './shared-by-suites.js';

/** The database with our schema. */
export const migratedDatabase = 'open_banking';

const loadMaker = () => importOnce<typeof import('./make-migrated-cluster.js')>('./make-migrated-cluster.ts');

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
  const template = await ensureShared('migrated-cluster', async (made) =>
    (await loadMaker()).makeMigratedCluster(made, migratedDatabase),
  );
  await mkdir(directory, { recursive: true });
  const account = await findUnprivilegedAccount(join(directory, 'data'));
  const { path } = await locateDataDirectory(directory, account);
  await copyFolder(join(template, 'data'), path);
  await copyFile(join(template, 'password'), join(directory, 'password'));
  // For end-run.mjs, should the suite leave it running.
  await writeFile(join(directory, 'suite'), expect.getState().testPath ?? '');
}
