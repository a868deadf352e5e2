import { readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The account PostgreSQL runs under. */
export interface Account {
  uid: number;
  gid: number;
}

/** uid and gid of nobody wherever /etc/passwd does not say otherwise. */
const nobodyByConvention = 65_534;

/**
 * PostgreSQL refuses to run as root, so a run as root switches to the owner of an existing cluster or of the folder
 * around it, or to `nobody` if that owner is root too.
 * @param dataDirectory where the cluster is or will be
 * @returns the account to switch to; `undefined` if we are not root and need not (or cannot) switch
 */
export async function findUnprivilegedAccount(dataDirectory: string): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  for (const folder of [dataDirectory, dirname(dataDirectory)]) {
    const owner = await stat(folder).catch(() => undefined); // absent: the cluster is still to be made
    if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  }
  const passwd = await readFile('/etc/passwd', 'utf8').catch(() => ''); // absent in the smallest containers
  return parseNobody(passwd);
}

/**
 * @param passwd text of /etc/passwd
 * @returns uid and gid of the account nobody
 */
export function parseNobody(passwd: string): Account {
  const match = /^nobody:[^:]*:(-?\d+):(-?\d+):/m.exec(passwd);
  const uid = Number(match?.[1] ?? nobodyByConvention);
  const gid = Number(match?.[2] ?? nobodyByConvention);
  // macOS writes nobody as -2, which setuid() wants as an unsigned number.
  return { uid: uid >>> 0, gid: gid >>> 0 };
}
