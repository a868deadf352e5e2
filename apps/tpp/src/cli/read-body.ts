import { readFile } from 'node:fs/promises';
import { UsageError } from './usage-error.js';

/**
 * @returns the octets of a file that the person named: a body to sign or to send
 * @throws UsageError when it cannot be read
 */
export async function readBody(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (cause) {
    throw new UsageError(`${file} cannot be read`, { cause });
  }
}
