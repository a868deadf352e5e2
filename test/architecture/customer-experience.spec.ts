import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';

/** The "must" rows of the customer experience guidelines, as the tests and the page number them. */
const musts = [1, 2, 3, 4, 5, 9, 10, 11, 15, 16, 17, 21, 22, 23, 24, 26, 27, 28, 31, 34];

it('each must of the customer experience guidelines is a test, or has its reason on the page', () => {
  const tests = readdirSync('test/e2e', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.e2e-spec.ts'))
    .map((file) => readFileSync(join('test/e2e', file), 'utf8'));
  const text = [...tests, readFileSync('docs/reference/what-is-supported.md', 'utf8')].join('\n');
  const named = new Set([...text.matchAll(/\bX-(\d+)\b/g)].map(([, row]) => Number(row)));
  expect(musts.filter((row) => !named.has(row))).toEqual([]);
});
