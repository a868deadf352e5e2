import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Account } from './unprivileged-account.js';

const read = 0o4;
const search = 0o1;

/** Owner, group and mode of a file, as `stat` tells them. */
export interface Ownership {
  uid: number;
  gid: number;
  mode: number;
}

/**
 * @param ownership owner, group and mode of the file
 * @param account the account that needs the permission
 * @param bits the requested permission bits, as in the last octal digit of a mode
 * @returns whether the account has all of them
 */
export function isPermitted(ownership: Ownership, account: Account, bits: number): boolean {
  const shift = ownership.uid === account.uid ? 6 : ownership.gid === account.gid ? 3 : 0;
  return ((ownership.mode >> shift) & bits) === bits;
}

/**
 * A folder below a private one (the home of root, a folder of mktemp) cannot be entered by another account, whatever
 * its permissions.
 * @param path absolute path of an existing folder
 * @param account the account that needs to enter; `undefined` is that of this process, which can
 * @returns whether it can search the folder and all above it, and read the folder itself
 */
export async function isReachable(path: string, account: Account | undefined): Promise<boolean> {
  if (!account) return true;
  if (!isPermitted(await stat(path), account, read | search)) return false;
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    if (!isPermitted(await stat(folder), account, search)) return false;
  }
  return true;
}
