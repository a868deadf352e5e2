import { readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';

const tests = resolve(import.meta.dirname, '../e2e');

/** The statements on file payments, by the first and last number of each group. */
const groups: readonly [number, number][] = [
  [1, 37],
  [40, 45],
  [50, 81],
  [85, 89],
  [95, 109],
  [115, 122],
  [130, 139],
  [145, 155],
  [160, 179],
  [185, 189],
];

/** @returns the texts of a source file without its comments */
function textsOf(file: string): string[] {
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node)) texts.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.ES2023, true));
  return texts;
}

describe('the statements on file payments (FP-001 to FP-189)', () => {
  it('each have a test over HTTPS that is named by their number', () => {
    const files = readdirSync(tests, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));
    const named = new Set(
      files.flatMap((path) => textsOf(join(tests, path)).flatMap((text) => text.match(/FP-\d{3}/g) ?? [])),
    );
    const numbers = groups.flatMap(([first, last]) =>
      Array.from({ length: last - first + 1 }, (_, index) => `FP-${String(first + index).padStart(3, '0')}`),
    );
    expect(numbers.filter((number) => !named.has(number))).toEqual([]);
    expect([...named].filter((number) => !numbers.includes(number))).toEqual([]);
  });
});
