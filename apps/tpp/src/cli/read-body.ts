import { readFile } from 'node:fs/promises';
import { JourneyError } from '../journey-error.js';

/**
 * @returns the bytes of a file that the user named: a body to sign or send
 * @throws JourneyError if it cannot be read
 */
export async function readBody(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (cause) {
    throw new JourneyError(`${file} cannot be read`, { cause });
  }
}
