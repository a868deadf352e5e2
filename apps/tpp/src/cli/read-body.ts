import { readFile } from 'node:fs/promises';
import { UsageError } from './usage-error.js';

/**
 * @returns the octets of a file that the user named: a body to sign or send
 * @throws UsageError if it cannot be read
 */
export async function readBody(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (cause) {
    throw new UsageError(`${file} cannot be read`, { cause });
  }
}
