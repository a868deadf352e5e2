import { randomUUID } from 'node:crypto';
import { chown, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolder } from '#libs/command-line';

/** Readable by its owner only: for keys, passwords, and what names them. */
export const privateMode = 0o600;

/** For certificates and other files that anybody may read. */
export const publicMode = 0o644;

/**
 * Writes a file whole or not at all: readers see the old content or the new one, also after a crash. In a run as root
 * the file goes to the owner of its folder, so that a later run as that user can still read it.
 * @param path where to
 * @param content the new content
 * @param mode permissions of the file
 */
export async function writeFileAtomically(path: string, content: string | Buffer, mode: number): Promise<void> {
  const unfinished = `${path}.${randomUUID()}.new`;
  try {
    const file = await open(unfinished, 'wx', mode);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await giveToFolderOwner(unfinished);
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** In a run as root, gives a new file or folder to the owner of the folder it is in. */
export async function giveToFolderOwner(path: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = await stat(dirname(path));
  if (uid !== 0) await chown(path, uid, gid);
}

/**
 * Makes a folder, and those above it, unless it exists. In a run as root it goes to the owner of the folder above it.
 */
export function ensureFolder(path: string): Promise<void> {
  return makeFolder(path, { mode: 0o755, onMade: giveToFolderOwner });
}

/**
 * Makes a log file unless it is there. Loggers report a file they cannot open too late to be of use.
 * @returns its path
 */
export async function ensureLogFile(path: string): Promise<string> {
  const file = await open(path, 'a', privateMode);
  await file.close();
  await giveToFolderOwner(path);
  return path;
}
