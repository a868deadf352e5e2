import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, readdir, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isPostmasterOf, readPostmasterFile } from './postmaster-file.js';
import { ensureSharedFolder } from './shared-folder.js';
import { stopPostmaster } from './stop-process.js';

const prefix = 'open-banking-sandbox-data-';

/** Names the folder that a cluster outside belongs to. */
const originFile = 'origin';

/** Its own folder may be missing only for now: its disk may not be mounted. */
const abandonedAfterMilliseconds = 30 * 86_400_000;

/**
 * Makes a folder outside for the cluster of a folder that the server's account cannot enter. Deletes outside clusters
 * whose own folder is gone and that nobody used for 30 days.
 * @param directory the folder of an embedded PostgreSQL that has no cluster
 * @returns the folder outside; a cluster that an earlier directory of that path left in it is deleted
 */
export async function createOutsideFolder(directory: string, now: Date = new Date()): Promise<string> {
  const origin = await realpath(directory);
  const id = createHash('sha256').update(origin).digest('hex').slice(0, 16);
  const folder = await ensureSharedFolder(`${prefix}${id}`);
  await removeCluster(folder);
  await writeFile(join(folder, originFile), origin);
  await removeAbandoned(dirname(folder), now);
  return folder;
}

/**
 * @param data `data` of the directory, leading to an existing cluster
 * @returns whether the cluster belongs to the directory: yes if the directory was moved, no if it is a copy whose
 * original exists
 */
export async function isOwnCluster(directory: string, data: string): Promise<boolean> {
  const cluster = await realpath(data);
  const own = await realpath(directory);
  if (dirname(cluster) === own) return true;
  const file = join(dirname(cluster), originFile);
  const origin = await readFile(file, 'utf8').catch(() => own); // absent: made by an interrupted start of ours
  if (origin !== own && existsSync(origin)) return false;
  await writeFile(file, own);
  return true;
}

async function removeAbandoned(root: string, now: Date): Promise<void> {
  const names = (await readdir(root)).filter((name) => name.startsWith(prefix));
  for (const name of names) {
    const folder = await ensureSharedFolder(name).catch(() => undefined); // somebody else's: not ours to clear away
    // A folder without the file is being made now.
    const origin = folder && (await readFile(join(folder, originFile), 'utf8').catch(() => undefined));
    if (folder === undefined || origin === undefined || existsSync(origin)) continue;
    if (now.getTime() - (await lastUse(folder)) < abandonedAfterMilliseconds) continue;
    await removeCluster(folder);
    await rm(folder, { recursive: true, force: true });
  }
}

/** @returns milliseconds since the epoch: every start writes the origin, every checkpoint the control file */
async function lastUse(folder: string): Promise<number> {
  const files = [join(folder, originFile), join(folder, 'data', 'global', 'pg_control')];
  const times = files.map((file) =>
    stat(file).then(
      ({ mtimeMs }) => mtimeMs,
      () => 0,
    ),
  ); // absent: not used in this way
  return Math.max(...(await Promise.all(times)));
}

/** Deletes the cluster in a folder, and first stops the server that a killed run left on it. */
async function removeCluster(folder: string): Promise<void> {
  const data = join(folder, 'data');
  const postmaster = await readPostmasterFile(data);
  if (postmaster && (await isPostmasterOf(postmaster.pid, data))) await stopPostmaster(postmaster.pid);
  await rm(data, { recursive: true, force: true });
}
