import { existsSync } from 'node:fs';
import { chmod, chown, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';

/** A command cannot be carried out on these keys; the message says why, without key material. */
export class KeyFileError extends Error {
  override readonly name = 'KeyFileError';
}

/** @throws KeyFileError */
export function readKeyFile(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((cause: unknown) => {
    throw new KeyFileError(`${file} cannot be read.`, { cause });
  });
}

/**
 * Writes a file for its owner alone; a replaced one keeps its owner and mode, because the service reads it. A crash
 * leaves the old one.
 * @throws KeyFileError
 */
export async function writeKeyFile(file: string, text: string): Promise<void> {
  const unfinished = `${file}.${process.pid}.tmp`;
  try {
    await writeFile(unfinished, text, { mode: 0o600, flag: 'wx' });
    if (existsSync(file)) await takeAfter(unfinished, file);
    await rename(unfinished, file);
  } catch (cause) {
    await rm(unfinished, { force: true });
    throw new KeyFileError(`${file} cannot be written with its owner and mode.`, { cause });
  }
}

async function takeAfter(unfinished: string, file: string): Promise<void> {
  const { uid, gid, mode } = await stat(file);
  await chown(unfinished, uid, gid);
  await chmod(unfinished, mode & 0o777);
}
