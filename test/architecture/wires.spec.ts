import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { parseSource } from '../support/parse-source.js';

const root = resolve(import.meta.dirname, '../..');
const wire = 'apps/api/src/wire';
const resources = 'apps/api/src/resources';

function sourcesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.spec.ts'))
    .map((path) => `${folder}/${path}`);
}

const textOf = (file: string): string => readFileSync(join(root, file), 'utf8');

/** @returns the matching files that the sources below a folder import, as `source imports file` */
function importsBelow(folder: string, isWanted: (file: string, source: string) => boolean): string[] {
  return sourcesBelow(folder).flatMap((source) =>
    ts
      .preProcessFile(textOf(source))
      .importedFiles.map(({ fileName }) => fileName)
      .filter((name) => name.startsWith('.'))
      .map((name) => relative(root, resolve(root, dirname(source), name)))
      .filter((file) => isWanted(file, source))
      .map((file) => `${source} imports ${file}`),
  );
}

/** @returns the version that a file belongs to, e.g. `v3.1` */
const versionOf = (file: string): string | undefined => /^apps\/api\/src\/wire\/(v[\d.]+)\//.exec(file)?.[1];

/** @returns the texts of a source; comments may name the standard */
function literalsOf(file: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) found.push(node.getText());
    ts.forEachChild(node, visit);
  };
  visit(parseSource(join(root, file)));
  return found;
}

/** The number of equal lines in two versions that counts as a repetition. */
const fewestLines = 6;

/** @returns as many empty lines as a text has */
const blank = (text: string): string => text.replaceAll(/[^\n]/g, '');

/** @returns the lines of a source with their text, without comments, imports and empty lines */
function sayingLinesOf(file: string): readonly { readonly text: string; readonly place: string }[] {
  const code = textOf(file)
    .replaceAll(/\/\*[\s\S]*?\*\//g, blank)
    .replaceAll(/^\s*\/\/.*$/gm, '')
    .replaceAll(/^import [\s\S]*?;$/gm, blank);
  return code
    .split('\n')
    .map((line, index) => ({ text: line.trim(), place: `${file}:${index + 1}` }))
    .filter(({ text }) => text !== '');
}

/** @returns every sequence of that many lines below a folder, by its text, with its place */
function piecesBelow(folder: string): Map<string, string> {
  const pieces = new Map<string, string>();
  for (const lines of sourcesBelow(folder).map(sayingLinesOf)) {
    for (const [index, { place }] of lines.entries()) {
      const piece = lines.slice(index, index + fewestLines).map(({ text }) => text);
      if (piece.length === fewestLines) pieces.set(piece.join('\n'), place);
    }
  }
  return pieces;
}

/** @returns the sequences that occur in both, as `place is place` */
function repetitions(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): string[] {
  return [...one].flatMap(([text, place]) => (other.has(text) ? [`${place} is ${other.get(text)}`] : []));
}

describe('the versions of the Read/Write API', () => {
  it('do not repeat each other', () => {
    const versions = readdirSync(join(root, wire))
      .filter((name) => /^v[\d.]+$/.test(name))
      .map((name) => piecesBelow(`${wire}/${name}`));
    expect(versions.length).toBeGreaterThan(1);
    for (const pieces of versions) expect(pieces.size).toBeGreaterThan(200);
    const pairs = versions.flatMap((one, index) => versions.slice(index + 1).map((other) => [one, other] as const));
    expect(pairs.flatMap(([one, other]) => repetitions(one, other))).toEqual([]);
  });

  it('are unknown to the code that serves them and the code that they share', () => {
    const knowing = [resources, `${wire}/form`].flatMap((folder) =>
      importsBelow(folder, (file) => versionOf(file) !== undefined),
    );
    expect(knowing).toEqual([]);
  });

  it('import neither the code that serves them nor each other', () => {
    const taking = importsBelow(wire, (file, source) => {
      const [own, other] = [versionOf(source), versionOf(file)];
      // The list alone knows both sides.
      return (
        (source !== `${wire}/wires.ts` && file.startsWith(`${resources}/`)) ||
        (own !== undefined && other !== undefined && own !== other)
      );
    });
    expect(taking).toEqual([]);
  });

  it('keep their words: libs of consents and payments contain no path of a body and no OBIE code', () => {
    const words =
      /Data\.(?:ConsentId|Initiation|Status)|UK\.OBIE\.(?:Field|Header|Resource|Rules|Signature|Unsupported)\b/;
    const libs = ['consent', 'error-envelope', 'file-payment', 'guards'].map((lib) => `libs/${lib}/src`);
    const files = libs.flatMap(sourcesBelow);
    expect(files.length).toBeGreaterThan(50);
    expect(files.filter((file) => literalsOf(file).some((text) => words.test(text)))).toEqual([]);
  });
});

it.each([
  ['file-payments', 'b64 (false; '],
  ['domestic-payments', 'b64 (false; '],
  ['file-payments-4.0', 'and no b64'],
  ['domestic-payments-4.0', 'and no b64'],
])('the document of %s says of b64 in the header of a signature: %s', (name, said) => {
  expect(textOf(`apps/openapi/documents/${name}.json`)).toContain(said);
});
