import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { locateDataDirectory, findUnprivilegedAccount } from './apps/postgres.js';
import { importOnce } from './import-once.js';
import { copyFolder, ensureShared } from './shared-by-suites.js';

const loadMaker = () => importOnce<typeof import('./make-migrated-cluster.js')>('./make-migrated-cluster.ts');

/**
 * Puts a PostgreSQL into a folder as if it had been started there before, which takes a fraction of the time. It
 * survives a kill; only a crash of the whole machine does it not survive.
 * @param directory the folder of an embedded PostgreSQL that was never started
 */
export async function copyMigratedCluster(directory: string): Promise<void> {
  const template = await ensureShared('migrated-cluster', async (made) =>
    (await loadMaker()).makeMigratedCluster(made),
  );
  await mkdir(directory, { recursive: true });
  const account = await findUnprivilegedAccount(join(directory, 'data'));
  const { path } = await locateDataDirectory(directory, account);
  await copyFolder(join(template, 'data'), path);
  await copyFile(join(template, 'password'), join(directory, 'password'));
  // For end-run.mjs, should the suite leave it running.
  await writeFile(join(directory, 'suite'), expect.getState().testPath ?? '');
}
