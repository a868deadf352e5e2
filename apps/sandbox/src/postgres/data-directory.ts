import { existsSync } from 'node:fs';
import { access, chown, constants, mkdir, realpath, rm, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { SandboxError } from '../sandbox-error.js';
import { createOutsideFolder, isOwnCluster } from './outside-folder.js';
import { isReachable } from './reachable-path.js';
import type { Account } from './unprivileged-account.js';

/** Where the cluster is, and where an unfinished one is being made. */
export interface DataDirectory {
  path: string;
  isInitialised: boolean;
}

/**
 * Finds where the cluster lives: in `data` of the given folder, or, if the account cannot enter that folder (a checkout
 * below root's home), in a folder outside, to which `data` links.
 * @param directory the folder of this embedded PostgreSQL
 * @param account who will own the cluster; `undefined` for ourselves
 * @throws SandboxError if the cluster belongs to an account we cannot become
 */
export async function locateDataDirectory(directory: string, account: Account | undefined): Promise<DataDirectory> {
  const data = join(directory, 'data');
  if (existsSync(data) && !(await canRead(data))) throw foreignCluster(data);
  if (existsSync(join(data, 'PG_VERSION')) && (await isOwnCluster(directory, data))) {
    return { path: await realpath(data), isInitialised: true };
  }
  await rm(data, { recursive: true, force: true }); // a link to nothing, or to the cluster of another folder
  const parent = (await isReachable(directory, account)) ? directory : await createOutsideFolder(directory);
  const path = join(await realpath(parent), 'data');
  if (parent !== directory) await symlink(path, data);
  return { path, isInitialised: false };
}

async function canRead(path: string): Promise<boolean> {
  return access(path, constants.R_OK | constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
}

function foreignCluster(data: string): SandboxError {
  return new SandboxError(
    `${data} belongs to another user, probably from a run as root: start the sandbox as that user again, or have ` +
      'root delete the folder.',
  );
}

/** Deletes the cluster of a folder, even if it is outside. The server must have stopped. */
export async function removeDataDirectory(directory: string): Promise<void> {
  const data = await realpath(join(directory, 'data'));
  const folder = dirname(data) === (await realpath(directory)) ? data : dirname(data);
  // The last children of a killed server may still be writing.
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}

/**
 * Makes an empty folder that the account owns.
 * @param path absolute path; what was there is deleted
 */
export async function createOwnedFolder(path: string, account: Account | undefined): Promise<void> {
  await rm(path, { recursive: true, force: true });
  await mkdir(path, { mode: 0o700 });
  if (account) await chown(path, account.uid, account.gid);
}
