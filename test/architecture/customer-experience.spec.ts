import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';

/** The "must" rows of the customer experience guidelines, as the tests and the page number them. */
const musts = [1, 2, 3, 4, 5, 7, 9, 10, 11, 15, 16, 17, 21, 22, 23, 24, 26, 27, 28, 31, 33, 34];

it('each must of the customer experience guidelines is a test, or has its reason on the page', () => {
  const tests = ['test/e2e', 'apps/authorize/src']
    .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)))
    .filter((file) => file.endsWith('spec.ts'))
    .map((file) => readFileSync(file, 'utf8'));
  const text = [...tests, readFileSync('docs/reference/what-is-supported.md', 'utf8')].join('\n');
  const named = new Set([...text.matchAll(/\bX-(\d+)\b/g)].map(([, row]) => Number(row)));
  expect(musts.filter((row) => !named.has(row))).toEqual([]);
});
