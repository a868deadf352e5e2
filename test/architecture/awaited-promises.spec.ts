import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { parseSource } from '../support/parse-source.js';

const root = resolve(import.meta.dirname, '../..');
const isProduct = /^(?:apps\/(?:api|authorize|operator|token|worker)|libs\/[\w-]+)\/src\/.*(?<!\.spec)\.ts$/;
const nodes = ['apps', 'libs']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
  )
  .filter((path) => isProduct.test(path))
  .flatMap((path) => [...nodesOf(parseSource(join(root, path)))]);

function* nodesOf(node: ts.Node): Generator<ts.Node> {
  const below: ts.Node[] = [node];
  for (const each of below) {
    yield each;
    ts.forEachChild(each, (child) => void below.push(child));
  }
}

/** Names that JavaScript, Node or an event has for something else, which gives no promise. */
const namesOfOthers = new Set(['delete', 'hold', 'noteFault', 'push', 'register', 'reject', 'resume']);

type Made = ts.FunctionDeclaration | ts.MethodDeclaration | ts.MethodSignature | ts.VariableDeclaration;
const isMade = (node: ts.Node): node is Made =>
  ts.isFunctionDeclaration(node) ||
  ts.isMethodDeclaration(node) ||
  ts.isMethodSignature(node) ||
  (ts.isVariableDeclaration(node) && node.initializer !== undefined && ts.isArrowFunction(node.initializer));

function givesPromise(made: Made): boolean {
  const work = ts.isVariableDeclaration(made) ? (made.initializer as ts.ArrowFunction) : made;
  const isAsync = work.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword) ?? false;
  return isAsync || (work.type?.getText().startsWith('Promise<') ?? false);
}

/** @returns names under which every function of the product gives a promise */
function namesOfPromises(): Set<string> {
  const made = nodes.filter(isMade);
  const others = new Set(made.filter((each) => !givesPromise(each)).map(({ name }) => name?.getText()));
  const names = made.filter(givesPromise).map(({ name }) => name?.getText() ?? '');
  return new Set(names.filter((name) => !others.has(name) && !namesOfOthers.has(name)));
}

const calledName = (node: ts.Node): string =>
  ts.isCallExpression(node) ? (/([#\w]+)$/.exec(node.expression.getText())?.[1] ?? '') : '';

describe('a promise', () => {
  const statements = nodes.filter(ts.isExpressionStatement).map(({ expression }) => expression);

  it('is awaited where a statement begins it', () => {
    const names = namesOfPromises();
    expect(names.size).toBeGreaterThan(300);
    expect(names).toContain('recordAuditEvent');
    expect(statements.filter((each) => names.has(calledName(each))).map((each) => each.getText())).toEqual([]);
  });

  // An answer of Fastify can be awaited, and need not be.
  it('that nobody awaits is one of these', () => {
    const unawaited = statements.filter(ts.isVoidExpression).map(({ expression }) => expression.getText());
    expect(unawaited.filter((each) => !/^reply\b/.test(each)).map((each) => each.split(/\s/)[0])).toEqual([
      'drainAndClose(app).then(',
      'this.#carryOut(all.slice(start,',
      'this.#connectAndTell(callback',
      'answer(request,',
    ]);
  });
});
