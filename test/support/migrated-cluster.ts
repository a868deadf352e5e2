import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { appendFile, copyFile, mkdir, mkdtemp, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from '@jest/globals';
import { runMigrations } from '#libs/typeorm';
import { locateDataDirectory } from '../../apps/sandbox/src/postgres/data-directory.js';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../apps/sandbox/src/postgres/index.js';
import { findUnprivilegedAccount } from '../../apps/sandbox/src/postgres/unprivileged-account.js';

/** The database with our schema. */
export const migratedDatabase = 'open_banking';

/** `cp` keeps the owner, which is not always ourselves. */
const copyFolder = (from: string, to: string) => promisify(execFile)('cp', ['-a', from, to]);

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
  const folder = process.env['TEST_RUN_FOLDER'];
  if (folder === undefined) throw new Error('TEST_RUN_FOLDER is not set: see start-run.mjs.');
  const template = join(folder, 'migrated-cluster');
  if (!existsSync(template)) await makeTemplate(folder, template);
  await mkdir(directory, { recursive: true });
  const account = await findUnprivilegedAccount(join(directory, 'data'));
  const { path } = await locateDataDirectory(directory, account);
  await copyFolder(join(template, 'data'), path);
  await copyFile(join(template, 'password'), join(directory, 'password'));
  // For end-run.mjs, should the suite leave it running.
  await writeFile(join(directory, 'suite'), expect.getState().testPath ?? '');
}

/** Two workers may make it at the same moment: one of them is the first. */
async function makeTemplate(folder: string, template: string): Promise<void> {
  const directory = await mkdtemp(join(folder, 'first-start-'));
  const made = await mkdtemp(join(folder, 'made-'));
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
  await rename(made, template).catch(async (error: unknown) => {
    await rm(made, { recursive: true, force: true });
    if (!existsSync(template)) throw error;
  });
}
