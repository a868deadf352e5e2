import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const root = join(import.meta.dirname, '../..');
// What a function decides is tested beside it.
const folders = [
  'test/e2e/registration',
  'test/e2e/discovery',
  'test/e2e/authorization',
  'libs/client-registration/src',
  'libs/client-registration/src/request',
  'libs/directory/src',
  'libs/oauth/src/client-authentication',
].map((name) => join(root, name));
const statements = readFileSync(join(import.meta.dirname, '../e2e/registration/README.md'), 'utf8');

/** Names of tests, in titles and in rows of tables; a number in a comment does not count. */
const titles = folders
  .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
  .filter((file) => file.endsWith('spec.ts'))
  .flatMap((file) => readFileSync(file, 'utf8').split('\n'))
  .filter((line) => /^\s*(?:it(?:\.each)?\(|\[?['"`]DCR-|\[)|\)\(['"`]/.test(line));

const numbersIn = (text: string): string[] => text.match(/DCR-T\d{3}/g) ?? [];

describe('the statements on discovery and registration', () => {
  const stated = (statements.match(/^- DCR-T\d{3}/gm) ?? []).map((line) => line.slice(2));
  const tested = new Set(titles.flatMap(numbersIn));

  it('are numbered without a gap', () => {
    expect(stated).toEqual(Array.from({ length: 127 }, (_, index) => `DCR-T${String(index + 1).padStart(3, '0')}`));
  });

  it('have a test each', () => {
    expect(stated.filter((number) => !tested.has(number))).toEqual([]);
  });

  it('exist if a test names them', () => {
    expect([...tested].filter((number) => !stated.includes(number))).toEqual([]);
  });
});
