import { loadModule, parseSync } from 'libpg-query';
import { columnOfClient } from '../../libs/persistence/src/distribution/distributed-tables.js';

type Tree = Readonly<Record<string, unknown>>;

interface Table {
  readonly relname: string;
  readonly alias?: { readonly aliasname: string };
}

/** PostgreSQL's own grammar, compiled to WebAssembly. */
await loadModule();

/**
 * @param sql a statement for the rows of one client
 * @param parameter the number of the parameter that is this client
 * @returns tables of clients' rows that it reads or changes for more than this client, or adds rows to without naming one
 */
export function findTablesOfAllClients(sql: string, parameter: number): string[] {
  const found: string[] = [];
  visit(parseSync(sql), found, parameter);
  return found;
}

function visit(node: unknown, found: string[], parameter: number): void {
  if (typeof node !== 'object' || node === null) return;
  for (const [kind, value] of Object.entries(node as Tree)) {
    const tree = value as Tree;
    if (kind === 'SelectStmt' || kind === 'UpdateStmt' || kind === 'DeleteStmt') {
      const target = tree['relation'] as Table | undefined;
      const tables = [...(target ? [target] : []), ...tablesIn(tree['fromClause']), ...tablesIn(tree['usingClause'])];
      const conditions = conjunctsOf(tree['whereClause']);
      found.push(...tables.filter((table) => isOfClients(table) && !isRestricted(table)).map(({ relname }) => relname));

      function isRestricted({ relname, alias }: Table): boolean {
        const names = tables.length === 1 ? [undefined, alias?.aliasname ?? relname] : [alias?.aliasname ?? relname];
        return names.some((name) =>
          conditions.some((condition) => isEqual(condition, [name, columnOfClient[relname] ?? ''], parameter)),
        );
      }
    }
    if (kind === 'InsertStmt') {
      const table = tree['relation'] as Table;
      if (isOfClients(table) && !namesClient(tree, columnOfClient[table.relname] ?? '')) found.push(table.relname);
    }
    visit(value, found, parameter);
  }
}

const isOfClients = ({ relname }: Table): boolean => Object.hasOwn(columnOfClient, relname);

/** Tables behind FROM, those of joins included; not those of a query in parentheses. */
function tablesIn(clause: unknown): Table[] {
  return ((clause ?? []) as Tree[]).flatMap((item): Table[] => {
    if (item['RangeVar'] !== undefined) return [item['RangeVar'] as Table];
    const join = item['JoinExpr'] as Tree | undefined;
    return join === undefined ? [] : tablesIn([join['larg'], join['rarg']]);
  });
}

/** Conditions that all must hold. */
function conjunctsOf(condition: unknown): Tree[] {
  if (condition === undefined) return [];
  const { boolop, args } = ((condition as Tree)['BoolExpr'] ?? {}) as { boolop?: string; args?: unknown[] };
  return boolop === 'AND_EXPR' ? (args ?? []).flatMap(conjunctsOf) : [condition as Tree];
}

/** Whether a condition is `table.column = $parameter`. */
function isEqual(condition: Tree, [table, column]: readonly [string | undefined, string], parameter: number): boolean {
  const { kind, name, lexpr, rexpr } = (condition['A_Expr'] ?? {}) as Tree;
  if (kind !== 'AEXPR_OP' || textsOf(name).join() !== '=') return false;
  const { fields } = ((lexpr as Tree)['ColumnRef'] ?? {}) as Tree;
  const value = ((rexpr as { TypeCast?: { arg: Tree } }).TypeCast?.arg ?? rexpr) as { ParamRef?: { number: number } };
  const path = table === undefined ? [column] : [table, column];
  return textsOf(fields).join('.') === path.join('.') && value.ParamRef?.number === parameter;
}

function textsOf(list: unknown): string[] {
  return ((list ?? []) as { String?: { sval: string } }[]).map((item) => item.String?.sval ?? '');
}

/** Whether new rows have the column of the client, and the key by which they may be there already, too. */
function namesClient({ cols, onConflictClause }: Tree, column: string): boolean {
  const columns = ((cols ?? []) as { ResTarget: { name: string } }[]).map(({ ResTarget }) => ResTarget.name);
  const { infer } = (onConflictClause ?? {}) as { infer?: { indexElems?: { IndexElem: { name: string } }[] } };
  const key = infer?.indexElems?.map(({ IndexElem }) => IndexElem.name);
  return columns.includes(column) && (key === undefined || key.includes(column));
}
