import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

/**
 * @param file below the repository's root
 * @param title part of the title of a test, or of a row of a table of tests
 * @returns whether the file has such a test
 */
export function hasTest(file: string, title: string): boolean {
  return readFileSync(join(root, file), 'utf8')
    .split('\n')
    .filter((line) => /\bit(?:\.each)?\(|\)\(['"`]|^\s*\[?['"`]|^ {2}\w+\(['"`]/.test(line))
    .some((line) => line.includes(title));
}
