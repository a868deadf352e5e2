import { readdirSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { parseSource } from '../support/parse-source.js';

const root = resolve(import.meta.dirname, '../..');

/**
 * A value that a file offers. Types are left out: those of parameters and results are worth a name, even if nobody
 * imports it.
 */
interface Offer {
  readonly file: string;
  readonly name: string;
}

function sourcesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.m?[tj]s$/.test(path) && !path.includes('node_modules'))
    .map((path) => join(root, folder, path));
}

const sources = new Map(
  ['apps', 'libs', 'test', 'deploy'].flatMap(sourcesBelow).map((file) => [file, parseSource(file)] as const),
);
const production = [...sources.keys()].filter(
  // The test of the schema finds entities by the names of their files.
  (file) => /\/(?:apps|libs)\/[^/]+\/src\//.test(file) && !/\.(?:spec|entity)\.ts$/.test(file),
);
const isIndex = (file: string): boolean => /\/libs\/[^/]+\/src\/index\.ts$/.test(file);

/** @returns the file that an import names; the index of a lib for `#libs/name`; undefined for a package */
function fileOf(specifier: string, from: string): string | undefined {
  const lib = /^#libs\/([a-z-]+)$/.exec(specifier)?.[1];
  if (lib !== undefined) return join(root, 'libs', lib, 'src/index.ts');
  if (!specifier.startsWith('.')) return undefined;
  // Benchmarks and their workers load what was built.
  const built = resolve(dirname(from), specifier).replace(join(root, 'dist'), root);
  return sources.has(built) ? built : built.replace(/\.js$/, '.ts');
}

function offersOf(file: string): Offer[] {
  return (sources.get(file)?.statements ?? []).flatMap((statement): Offer[] => {
    if (ts.isExportDeclaration(statement) && !statement.isTypeOnly && statement.exportClause) {
      const elements = ts.isNamedExports(statement.exportClause) ? statement.exportClause.elements : [];
      return elements.filter(({ isTypeOnly }) => !isTypeOnly).map(({ name }) => ({ file, name: name.text }));
    }
    const isExported = ts.canHaveModifiers(statement) && ts.getModifiers(statement)?.some(isExportKeyword) === true;
    if (!isExported) return [];
    if (ts.isVariableStatement(statement)) {
      return statement.declarationList.declarations.flatMap(({ name }) =>
        ts.isIdentifier(name) ? [{ file, name: name.text }] : [],
      );
    }
    const isValue = ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement);
    return isValue && statement.name ? [{ file, name: statement.name.text }] : [];
  });
}

const isExportKeyword = ({ kind }: ts.ModifierLike): boolean => kind === ts.SyntaxKind.ExportKeyword;

/** @returns `file name` of everything that a file takes from others; `file *` where it takes all */
function takenBy(file: string, source: ts.SourceFile): string[] {
  const take = (specifier: string, names: readonly string[]): string[] => {
    const from = fileOf(specifier, file);
    return from === undefined ? [] : names.map((name) => `${from} ${name}`);
  };
  const statically = source.statements.flatMap((statement) => {
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) return [];
    const { moduleSpecifier } = statement;
    if (!moduleSpecifier || !ts.isStringLiteral(moduleSpecifier)) return [];
    const clause = ts.isImportDeclaration(statement) ? statement.importClause?.namedBindings : statement.exportClause;
    const isNamed = clause !== undefined && (ts.isNamedImports(clause) || ts.isNamedExports(clause));
    const elements: readonly (ts.ImportSpecifier | ts.ExportSpecifier)[] = isNamed ? clause.elements : [];
    return take(moduleSpecifier.text, isNamed ? elements.map((each) => (each.propertyName ?? each.name).text) : ['*']);
  });
  const dynamically = [...source.text.matchAll(/\bimport\(\s*['"`]([^'"`]+)['"`]/g)].flatMap(([, specifier = '']) =>
    take(specifier, ['*']),
  );
  return [...statically, ...dynamically];
}

describe('a value that is exported', () => {
  const taken = new Set([...sources].flatMap(([file, source]) => takenBy(file, source)));

  it('is imported somewhere, and exports of a lib outside that lib', () => {
    const offers = production.flatMap(offersOf);
    expect(offers.length).toBeGreaterThan(500);
    const unused = offers.filter(({ file, name }) => !taken.has(`${file} ${name}`) && !taken.has(`${file} *`));
    expect(unused.map(({ file, name }) => `${relative(root, file)} ${name}`)).toEqual([]);
    expect(production.filter(isIndex).length).toBeGreaterThan(20);
  });

  it('is there where a program that no compiler checks imports it', () => {
    const offered = new Set(production.flatMap(offersOf).map(({ file, name }) => `${file} ${name}`));
    const files = new Set(production);
    const wanted = [...sources]
      .filter(([file]) => file.endsWith('.mjs'))
      .flatMap(([file, source]) =>
        takenBy(file, source).map((each) => ({ file, each, from: each.split(' ')[0] ?? '' })),
      )
      .filter(({ each, from }) => files.has(from) && !each.endsWith(' *'));
    expect(wanted.length).toBeGreaterThan(5);
    const missing = wanted.filter(({ each }) => !offered.has(each));
    expect(missing.map(({ file, each }) => `${relative(root, file)}: ${relative(root, each)}`)).toEqual([]);
  });
});
