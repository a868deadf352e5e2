import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { importOnce } from './import-once.js';
import { copyMigratedCluster } from './migrated-cluster.js';
import { copyFolder, ensureShared } from './shared-by-suites.js';

const loadMaker = () => importOnce<typeof import('./make-credentials.js')>('./make-credentials.ts');
const loadClusterMaker = () => importOnce<typeof import('./make-migrated-cluster.js')>('./make-migrated-cluster.ts');

/**
 * Makes a new folder one in which a sandbox has been started before, on other ports: a first start takes seconds of
 * computing for keys and migrations.
 * @param directory an empty folder
 */
export async function asStartedBefore(directory: string): Promise<void> {
  await copyCredentials(directory);
  const postgres = join(directory, 'postgres');
  await copyMigratedCluster(postgres, async (made) => (await loadClusterMaker()).makeMigratedCluster(made));
  // For end-run.mjs, should the suite leave it running.
  await writeFile(join(postgres, 'suite'), expect.getState().testPath ?? '');
}

/**
 * Puts the keys and certificates of a sandbox and of its TPPs into a folder, which are the same for every suite of a
 * run.
 */
export async function copyCredentials(directory: string): Promise<void> {
  const shared = await ensureShared('credentials', async (folder) => (await loadMaker()).makeCredentials(folder));
  await copyFolder(`${shared}/.`, directory);
}
