import { beforeAll, describe, expect, it } from '@jest/globals';
import { loadModule, parseSync } from 'libpg-query';
import { expiringTables } from '../support/apps/worker.js';
import { clientOf, others } from '../../libs/persistence/src/distribution/clients-of-statements.js';
import { nameClient } from '../../libs/persistence/src/distribution/name-client.js';
import { findNamedStatements, type NamedStatement } from '../support/named-statements.js';
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
 * @returns tables of clients' rows that it reads or changes for more than this client, or adds rows to without naming
 * one
 */
function findTablesOfAllClients(sql: string, parameter: number): string[] {
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

/** Tables that every node holds: operators' requests, the audit trail, the worker's counters. */
const onAllNodes: readonly string[] = [
  'count-open-differences',
  'count-recent-state-changes',
  'count-stopped-file-payments',
  'count-undelivered-events',
  'erase-audit-events',
  'find-begun-stopped-file-payments',
  'find-consumed-consents',
  'find-erasable-seals',
  'find-events-of-approvals',
  'find-funds-questions',
  'find-held-file-payments',
  'find-last-funds-questions',
  'find-stopped-file-payments',
  'find-unsealed-events',
  'note-domain-events-delivered',
  'note-sealed-events',
  'page-approvals-of-access',
  'page-approvals-of-payments',
  'page-changed-consents',
  'page-consumed-consents',
  'page-further-approvals',
  'read-orphaned-events',
  'read-sealed-events',
  'record-keys',
];

let statements: NamedStatement[];

beforeAll(async () => {
  const found = await findNamedStatements(['apps', 'libs']);
  statements = found.statements.filter(({ file }) => !file.startsWith('apps/sandbox/'));
}, 120_000);

describe('the statements in a database that is distributed by client', () => {
  it('name the client, or are among those that ask all nodes', () => {
    const unnamed = statements.filter(({ name, sql }) => clientOf(name, sql) === undefined && nameClient(sql) !== sql);
    expect([...new Set(unnamed.map(({ name }) => name))].toSorted()).toEqual(onAllNodes);
    expect(unnamed.filter(({ sql }) => /\bFOR (?:NO KEY )?UPDATE\b/.test(sql))).toEqual([]);
  });

  it('that name it are there, and have rows of clients', () => {
    const names = Object.entries(others).filter(([, rule]) => !('client' in rule && rule.client === 'none'));
    const senseless = names.filter(
      ([name]) => !statements.some((each) => each.name === name && nameClient(each.sql) !== each.sql),
    );
    expect(senseless.map(([name]) => name)).toEqual([]);
  });

  it('that name it by a parameter have that parameter', () => {
    const faults = statements.flatMap(({ name, sql }) => {
      const rule = clientOf(name, sql);
      const parameters =
        rule === undefined || 'each' in rule ? [] : 'of' in rule ? [rule.of[2], rule.otherwise] : [rule.client];
      return parameters
        .filter((each) => typeof each === 'number' && !new RegExp(`\\$${each}\\b`).test(sql))
        .map((each) => `${name}: ${each}`);
    });
    expect(faults).toEqual([]);
  });

  it.each([
    ['reject-expired-consents', 'payment_consents'],
    ['expire-access-consents', 'access_consents'],
  ])('that end consents (%s) ask for the clients of every one that is due', (name, table) => {
    const rule = clientOf(name, statements.find((each) => each.name === name)?.sql ?? '');
    expect(statesIn(rule !== undefined && 'each' in rule ? rule.each : undefined)).toEqual(
      statesIn(expiringTables[table]?.expired),
    );
  });

  it('that name it are for its rows alone, by the grammar of PostgreSQL', () => {
    const named = statements.filter(({ name, sql }) => clientOf(name, sql) !== undefined && nameClient(sql) !== sql);
    expect(named.length).toBeGreaterThan(100);
    const faults = named.flatMap(({ name, sql }) =>
      findTablesOfAllClients(nameClient(sql), highestParameter(sql) + 1).map((table) => `${name}: ${table}`),
    );
    expect([...new Set(faults)]).toEqual([]);
  });

  it.each([
    ['SELECT 1 FROM payments WHERE a = $1', ['payments']],
    ['SELECT 1 FROM payments WHERE client_id = $1::uuid OR a', ['payments']],
    ['SELECT 1 FROM payments AS p JOIN payment_orders AS f USING (a) WHERE p.client_id = $1', ['payment_orders']],
    ['SELECT 1 FROM payments AS p, b WHERE p.client_id = $1', []],
    ['UPDATE payments SET a = 1 FROM payment_orders WHERE payments.client_id = $1', ['payment_orders']],
    ['WITH a AS (DELETE FROM payments WHERE client_id = $2) SELECT 1', ['payments']],
    ['INSERT INTO payments (a) VALUES (1)', ['payments']],
    ['INSERT INTO payments (client_id, a) VALUES ($1, 1) ON CONFLICT (a) DO NOTHING', ['payments']],
    ['INSERT INTO payments (client_id, a) VALUES ($1, 1) ON CONFLICT (client_id, a) DO NOTHING', []],
    ['SELECT (SELECT 1 FROM (SELECT * FROM payments WHERE client_id = $1) AS p WHERE b)', []],
  ])('are told from others: %s', (sql, tables) => {
    expect(findTablesOfAllClients(sql, 1)).toEqual(tables);
  });
});

const statesIn = (sql = ''): string[] => [...sql.matchAll(/'(\w+)'/g)].map(([, state = '']) => state).toSorted();

const highestParameter = (sql: string): number =>
  Math.max(0, ...[...sql.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)));
