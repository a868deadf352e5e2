import { loadModule, parseSync } from 'libpg-query';

/** PostgreSQL's own grammar, compiled to WebAssembly. */
await loadModule();

type Node = Readonly<Record<string, unknown>>;

/** @returns every column that a statement writes: `INSERT table.column`, `UPDATE table.column` */
export function columnsWrittenBy(sql: string): string[] {
  const found = new Set<string>();
  visit(parseSync(sql), found);
  return [...found];
}

function visit(node: unknown, found: Set<string>): void {
  if (typeof node !== 'object' || node === null) return;
  for (const [kind, value] of Object.entries(node)) {
    if (kind === 'InsertStmt' || kind === 'UpdateStmt') note(kind, value as Node, found);
    visit(value, found);
  }
}

function note(kind: 'InsertStmt' | 'UpdateStmt', statement: Node, found: Set<string>): void {
  const { relname: table } = statement['relation'] as { relname: string };
  const isInsert = kind === 'InsertStmt';
  const inserted = isInsert ? namesIn(statement['cols']) : [];
  if (isInsert && inserted.length === 0) throw new Error(`An INSERT INTO ${table} does not name its columns.`);
  const updated = isInsert ? (statement['onConflictClause'] as Node | undefined) : statement;
  for (const name of inserted) found.add(`INSERT ${table}.${name}`);
  for (const name of namesIn(updated?.['targetList'])) found.add(`UPDATE ${table}.${name}`);
}

function namesIn(targets: unknown): string[] {
  return ((targets ?? []) as { ResTarget: { name: string } }[]).map(({ ResTarget }) => ResTarget.name);
}
