import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { privateMode, writeFileAtomically } from '../write-file-atomically.js';

const file = (directory: string): string => join(directory, 'control-token');

/** Makes the token that permits changes to this run of the sandbox, in a file that only its owner can read. */
export async function createControlToken(directory: string): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await writeFileAtomically(file(directory), token, privateMode);
  return token;
}

/** @returns the token of the current or last run of the sandbox */
export function readControlToken(directory: string): Promise<string> {
  return readFile(file(directory), 'utf8');
}

const hash = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Compares in constant time. */
export function isControlToken(expected: string, authorization: string | undefined): boolean {
  return timingSafeEqual(hash(`Bearer ${expected}`), hash(authorization ?? ''));
}
