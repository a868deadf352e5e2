import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { SourceTextModule, SyntheticModule, type Module } from 'node:vm';
import ts from 'typescript';

const root = resolve(import.meta.dirname, '../..');

/** A statement that some process sends to PostgreSQL under a name. */
export interface NamedStatement {
  readonly name: string;
  readonly sql: string;
  /** path of the source from the root of the repository */
  readonly file: string;
}

/** A call of `query(name, sql, parameters)` in the source; the values of `statement` have both. */
interface Call {
  readonly name: ts.Expression;
  readonly sql: ts.Expression;
}

/**
 * All statements that are sent under a name, read from the sources, so that none is missing for want of a request that
 * sends it. Only what stands outside of classes and functions is run to get the texts.
 * @param folders with sources, from the root of the repository
 * @returns the statements, and the files in which a name is no text, each as often as that is so
 * @throws Error if a text is put together inside of a function: as a constant of the module it can be read
 */
export async function findNamedStatements(
  folders: readonly string[],
): Promise<{ statements: NamedStatement[]; computed: string[] }> {
  const statements: NamedStatement[] = [];
  const computed: string[] = [];
  for (const file of folders.flatMap(sourcesIn)) {
    const text = readFileSync(join(root, file), 'utf8');
    const hasValues = file.endsWith('-sql.ts') || /import \{[^}]*\bstatement\b/.test(text);
    if (!text.includes('.query') && !hasValues) continue;
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2023, true);
    const calls = findCalls(source);
    computed.push(...calls.filter(({ name }) => !ts.isStringLiteral(name)).map(() => file));
    const named = calls.filter(({ name }) => ts.isStringLiteral(name));
    if (named.length > 0 || hasValues) statements.push(...(await evaluate(source, named)));
  }
  return { statements, computed };
}

function sourcesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.spec.ts') && !path.includes('migrations/'))
    .map((path) => `${folder}/${path}`);
}

function findCalls(source: ts.SourceFile): Call[] {
  const calls: Call[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression) && node.arguments.length === 3) {
      const [name, sql] = node.arguments;
      if (node.expression.name.text === 'query' && name && sql) calls.push({ name, sql });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return calls;
}

/** Runs the imports, constants and functions of a source, and after them the expressions that make the texts. */
async function evaluate(source: ts.SourceFile, calls: readonly Call[]): Promise<NamedStatement[]> {
  const file = source.fileName;
  const kept = source.statements.filter(
    (each) => ts.isImportDeclaration(each) || ts.isVariableStatement(each) || ts.isFunctionDeclaration(each),
  );
  const texts = calls.map(({ name, sql }) => `[${name.getText()}, () => ${sql.getText()}]`);
  const values = kept.filter(ts.isVariableStatement).flatMap(({ declarationList }) => declarationList.declarations);
  const code = [
    ...kept.map((each) => each.getText()),
    `const values = [${values.map(({ name }) => name.getText()).join(', ')}];`,
    `const each = values.flatMap((value) => (value?.sql ? value : Object.values(value ?? {})));`,
    `const ofValues = each.filter((value) => value?.with && value.sql).map(({ name, sql }) => [name, () => sql]);`,
    `export const texts = [...ofValues, ${texts.join(', ')}];`,
  ].join('\n');
  const { outputText } = ts.transpileModule(code, {
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
  });
  const module = new SourceTextModule(outputText, { identifier: file });
  // One after the other: Jest gets confused by imports at the same time.
  const imported = new Map<string, Module>();
  for (const specifier of module.dependencySpecifiers) {
    imported.set(specifier, await importInto(specifier, dirname(join(root, file))));
  }
  await module.link((specifier) => imported.get(specifier) as Module);
  await module.evaluate();
  const { texts: found } = module.namespace as { texts: [string, () => string][] };
  return found.map(([name, sql]) => {
    try {
      return { name, sql: sql(), file };
    } catch (cause) {
      throw new Error(`${file}: make the SQL of '${name}' a constant of the module.`, { cause });
    }
  });
}

async function importInto(specifier: string, folder: string): Promise<Module> {
  const path = specifier.startsWith('.') ? resolve(folder, specifier.replace(/\.js$/, '.ts')) : specifier;
  const namespace = (await import(path)) as Record<string, unknown>;
  const names = Object.keys(namespace);
  return new SyntheticModule(names, function (this: SyntheticModule) {
    for (const name of names) this.setExport(name, namespace[name]);
  });
}
