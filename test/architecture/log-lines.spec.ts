import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { parseSource } from '../support/parse-source.js';

const root = resolve(import.meta.dirname, '../..');
const isWritten = (call: ts.CallExpression): boolean =>
  /[lL]ogger\.(?:debug|error|log|warn)$/.test(call.expression.getText());

function objectsLogged(file: string): ts.ObjectLiteralExpression[] {
  const found: ts.ObjectLiteralExpression[] = [];
  const visit = (node: ts.Node): void => {
    const [line] = ts.isCallExpression(node) && isWritten(node) ? node.arguments : [];
    if (line !== undefined && ts.isObjectLiteralExpression(line)) found.push(line);
    ts.forEachChild(node, visit);
  };
  visit(parseSource(file));
  return found;
}

/** Read before the first test, so that its time is not that of parsing. */
const lines = ['apps', 'libs']
  .flatMap((folder) =>
    readdirSync(resolve(root, folder), { recursive: true, encoding: 'utf8' }).map((path) =>
      resolve(root, folder, path),
    ),
  )
  .filter((path) => /\/src\/.*(?<!\.spec)\.ts$/.test(path))
  .flatMap(objectsLogged);

describe('a line of the log', () => {
  it('has a message, by which an operator finds what happened', () => {
    expect(lines.length).toBeGreaterThan(30);
    const silent = lines.filter(({ properties }) =>
      properties.every((each) => !ts.isSpreadAssignment(each) && each.name.getText() !== 'message'),
    );
    expect(silent.map((line) => line.getText())).toEqual([]);
  });
});
