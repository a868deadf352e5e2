import { createHash } from 'node:crypto';
import { copyFile, mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { locateDataDirectory, findUnprivilegedAccount } from './apps/postgres.js';
import { copyFolder, ensureKept } from './shared-by-suites.js';

const checkout = fileURLToPath(new URL('../..', import.meta.url));
/** The sources of the cluster. If one differs, another cluster is made. */
const origins = [
  'libs/persistence/src/migrations',
  'libs/typeorm/src',
  'apps/sandbox/src/bank',
  'apps/sandbox/src/postgres',
];
const originFiles = ['package-lock.json', 'test/support/make-migrated-cluster.ts'].map((file) => join(checkout, file));

/**
 * Puts a PostgreSQL into a folder as if it had been started there before, which takes a fraction of the time: copied
 * from the first run with this schema. It survives a kill; only a crash of the whole machine does it not survive.
 * @param directory the folder of an embedded PostgreSQL that was never started
 * @param make fills a folder with the one to copy
 */
export async function copyMigratedCluster(directory: string, make: (folder: string) => Promise<void>): Promise<void> {
  const template = await ensureKept('test-cluster', await hashOrigins(), make);
  await mkdir(directory, { recursive: true });
  const account = await findUnprivilegedAccount(join(directory, 'data'));
  const { path } = await locateDataDirectory(directory, account);
  await copyFolder(join(template, 'data'), path);
  await copyFile(join(template, 'password'), join(directory, 'password'));
}

async function hashOrigins(): Promise<string> {
  const hash = createHash('sha256').update(String(process.getuid?.()));
  const folders = origins.map((origin) => readdir(join(checkout, origin), { recursive: true, withFileTypes: true }));
  const files = (await Promise.all(folders)).flat().filter((entry) => entry.isFile());
  const paths = files.map(({ parentPath, name }) => join(parentPath, name));
  for (const path of [...paths.toSorted(), ...originFiles]) hash.update(path).update(await readFile(path));
  return hash.digest('hex').slice(0, 16);
}
