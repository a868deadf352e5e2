import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { parseSource } from '../support/parse-source.js';

const root = resolve(import.meta.dirname, '../..');

/** @returns the modules that a file loads when it is imported, without types and import() */
function modulesLoadedBy(file: string): string[] {
  const { statements } = parseSource(file);
  return statements.flatMap((statement) => {
    if (ts.isImportDeclaration(statement)) {
      const { importClause, moduleSpecifier } = statement;
      return isTypeOnly(importClause) ? [] : [(moduleSpecifier as ts.StringLiteral).text];
    }
    if (!ts.isExportDeclaration(statement) || statement.isTypeOnly || !statement.moduleSpecifier) return [];
    return [(statement.moduleSpecifier as ts.StringLiteral).text];
  });
}

function isTypeOnly(clause: ts.ImportClause | undefined): boolean {
  if (clause === undefined) return false;
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
  const { name, namedBindings } = clause;
  if (name || !namedBindings || ts.isNamespaceImport(namedBindings)) return false;
  return namedBindings.elements.every((element) => element.isTypeOnly);
}

/** @returns the packages that a program loads before it listens */
function packagesLoadedBy(program: string): Set<string> {
  const packages = new Set<string>();
  const seen = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const specifier of modulesLoadedBy(file)) {
      if (specifier.startsWith('#libs/')) visit(join(root, 'libs', specifier.slice('#libs/'.length), 'src/index.ts'));
      else if (specifier.startsWith('.')) visit(resolve(dirname(file), specifier.replace(/\.js$/, '.ts')));
      else packages.add(specifier);
    }
  };
  visit(join(root, program));
  return packages;
}

describe('a process', () => {
  it.each([
    ['token', /typeorm|swagger|commander/],
    ['authorize', /swagger|commander/],
  ])('%s does not load %s', (app, unwanted) => {
    const packages = [...packagesLoadedBy(`apps/${app}/src/main.ts`)];
    expect(packages).toEqual(expect.arrayContaining(['@nestjs/common', 'pg']));
    expect(packages.filter((name) => unwanted.test(name))).toEqual([]);
  });

  it('api loads both: it has repositories and serves the documents', () => {
    expect([...packagesLoadedBy('apps/api/src/main.ts')]).toEqual(
      expect.arrayContaining(['@nestjs/typeorm', '@nestjs/swagger']),
    );
  });
});
