import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import ts from 'typescript';
import { parseSource } from '../support/parse-source.js';

/** The "must" rows of the customer experience guidelines, as the tests and the page number them. */
const musts = [1, 2, 3, 4, 5, 7, 9, 10, 11, 15, 16, 17, 21, 22, 23, 24, 26, 27, 28, 31, 33, 34];

/** The titles of a test file: of `it`, `it.each(…)`, `describe` and their like. */
function titlesOf(path: string): string[] {
  const file = parseSource(path);
  const titles: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && /^(?:it|describe)\b/.test(node.expression.getText(file))) {
      const [title] = node.arguments;
      if (title && ts.isStringLiteralLike(title)) titles.push(title.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return titles;
}

it('each must of the customer experience guidelines is a test, or has its reason on the page', () => {
  const titles = ['test/e2e', 'apps/authorize/src']
    .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)))
    .filter((file) => file.endsWith('spec.ts'))
    .flatMap(titlesOf);
  const text = [...titles, readFileSync('docs/reference/what-is-supported.md', 'utf8')].join('\n');
  const named = new Set([...text.matchAll(/\bX-(\d+)\b/g)].map(([, row]) => Number(row)));
  expect(musts.filter((row) => !named.has(row))).toEqual([]);
});
