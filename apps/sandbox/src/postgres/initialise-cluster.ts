import { execFile } from 'node:child_process';
import { chown, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { privateMode } from '../write-file-atomically.js';
import { createOwnedFolder } from './data-directory.js';
import type { PostgresBinaries } from './postgres-binaries.js';
import type { Account } from './unprivileged-account.js';

/** The one role of the cluster. */
export const superuser = 'postgres';

/**
 * Creates the cluster in a temporary folder that is renamed at the end, so that an interrupted run leaves nothing that
 * looks like a cluster.
 * @param path absolute path of the data directory to be
 * @param password of the role {@link superuser}
 */
export async function initialiseCluster(options: {
  path: string;
  password: string;
  binaries: PostgresBinaries;
  account: Account | undefined;
}): Promise<void> {
  const { path, password, binaries, account } = options;
  const unfinished = `${path}.new`;
  await createOwnedFolder(unfinished, account);
  const passwordFile = join(unfinished, '..', 'initdb-password');
  try {
    await rm(passwordFile, { force: true });
    await writeFile(passwordFile, password, { mode: privateMode, flag: 'wx' });
    if (account) await chown(passwordFile, account.uid, account.gid);
    await promisify(execFile)(binaries.initdb, initdbParameters(unfinished, passwordFile), { cwd: '/', ...account });
  } finally {
    await rm(passwordFile, { force: true });
  }
  await rename(unfinished, path);
}

function initdbParameters(path: string, passwordFile: string): string[] {
  return [
    `--pgdata=${path}`,
    `--username=${superuser}`,
    // Any local user can connect to the port, so the password must be required (no "trust").
    '--auth=scram-sha-256',
    `--pwfile=${passwordFile}`,
    '--encoding=UTF8',
    '--locale=C',
    '--no-instructions',
  ];
}
