import { readFile } from 'node:fs/promises';
import { JourneyError } from '../journey-error.js';

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EISDIR: 'is a folder, not a file',
  EACCES: 'may not be read by you',
};

/**
 * @returns the bytes of a file that the user named: a body to sign or send
 * @throws JourneyError if it cannot be read
 */
export async function readBody(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (cause) {
    const code: unknown = Reflect.get(Object(cause), 'code');
    throw new JourneyError(`${file} ${reasons[String(code)] ?? 'cannot be read'}`, { cause });
  }
}
