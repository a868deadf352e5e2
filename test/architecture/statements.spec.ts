import { readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';

const root = resolve(import.meta.dirname, '../..');
const statements = readFileSync(join(root, 'test/e2e/file-payments/README.md'), 'utf8');

function sourcesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => join(root, folder, path));
}

/** @returns the texts of a source file without its comments: a number in a comment names no test */
function textsOf(file: string): string[] {
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node)) texts.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.ES2023, true));
  return texts;
}

const numbersIn = (text: string): string[] => text.match(/FP-\d{3}/g) ?? [];

describe('the statements on file payments', () => {
  const stated = (statements.match(/^- FP-\d{3}/gm) ?? []).map((line) => line.slice(2));

  it('are stated once each, in their order', () => {
    expect(stated.length).toBeGreaterThan(100);
    expect(stated).toEqual([...new Set(stated)].sort());
  });

  it('have a test over HTTPS each that is named by their number', () => {
    const tested = new Set(sourcesBelow('test/e2e').flatMap((file) => textsOf(file).flatMap(numbersIn)));
    expect(stated.filter((number) => !tested.has(number))).toEqual([]);
  });

  it('are stated where anything names them', () => {
    const files = ['apps', 'libs', 'test'].flatMap(sourcesBelow);
    const named = new Set(files.flatMap((file) => numbersIn(readFileSync(file, 'utf8'))));
    expect([...named].filter((number) => !stated.includes(number))).toEqual([]);
  });
});
