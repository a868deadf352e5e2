import { readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { parseSource } from '../support/parse-source.js';

const root = resolve(import.meta.dirname, '../..');

function sourcesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => join(root, folder, path));
}

/** @returns the texts of a source file without its comments, because a number in a comment does not count */
function textsOf(file: string): string[] {
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node)) texts.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(parseSource(file));
  return texts;
}

/** The pages of the statements, and the prefixes of their numbers. */
const pages = [
  ['3.1', 'test/e2e/file-payments/README.md', 'FP', 100],
  ['4.0', 'test/e2e/file-payments/v4.0/README.md', 'F4', 30],
] as const;

describe.each(pages)('the statements on file payments of %s', (_version, page, letters, fewest) => {
  const numbersIn = (text: string): string[] => text.match(new RegExp(`${letters}-\\d{3}`, 'g')) ?? [];
  const lines = readFileSync(join(root, page), 'utf8').match(new RegExp(`^- ${letters}-\\d{3}`, 'gm')) ?? [];
  const stated = lines.map((line) => line.slice(2));

  it('are stated once each, in their order', () => {
    expect(stated.length).toBeGreaterThan(fewest);
    expect(stated).toEqual([...new Set(stated)].sort());
  });

  it('have a test over HTTPS each that is named by their number', () => {
    const files = ['test/e2e', 'test/corpus'].flatMap(sourcesBelow);
    const tested = new Set(files.flatMap((file) => textsOf(file).flatMap(numbersIn)));
    expect(stated.filter((number) => !tested.has(number))).toEqual([]);
  });

  it('exist if anything names them', () => {
    const files = ['apps', 'libs', 'test'].flatMap(sourcesBelow);
    const named = new Set(files.flatMap((file) => numbersIn(readFileSync(file, 'utf8'))));
    expect([...named].filter((number) => !stated.includes(number))).toEqual([]);
  });
});

describe('the rows of the changelogs', () => {
  const page40 = readFileSync(join(root, pages[1][1]), 'utf8');
  const all = pages.map(([, page]) => readFileSync(join(root, page), 'utf8')).join('\n');
  const stated = new Set((all.match(/^- F[P4]-\d{3}/gm) ?? []).map((line) => line.slice(2)));
  const rows = [...page40.matchAll(/^\| (\d+) +\|.*\| ([^|]*)\|$/gm)].map(([, number, cell = '']) => ({
    number: Number(number),
    statements: cell.trim().split(', '),
  }));

  it('are all there, from 3.1.2 to 4.0.1', () => {
    expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: 39 }, (_, index) => index + 1));
  });

  it.each(rows)('row $number is held by statements that have a test', ({ statements }) => {
    expect(statements.length).toBeGreaterThan(0);
    expect(statements.filter((number) => !stated.has(number))).toEqual([]);
  });
});
