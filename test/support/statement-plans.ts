import type { Client } from 'pg';
import { growingTables } from '../bench/million-rows.mjs';
import type { NamedStatement } from './named-statements.js';

/** How a plan gets at the rows of a table. */
interface TableAccess {
  readonly table: string;
  /** undefined: it reads the table from end to end */
  readonly index?: string;
  /** what is asked of the index */
  readonly condition: string;
}

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Plans?: readonly PlanNode[];
}

/** Columns of each index, and whether they make a row unique. */
type Indexes = ReadonlyMap<string, { readonly columns: readonly string[]; readonly isUnique: boolean }>;

/** Indexes with a few rows for each value of their first column. */
const narrowIndexes = [
  'payments_payment_order_id_position_key',
  'access_tokens_code_hash_idx',
  'refresh_tokens_code_hash_idx',
  'refresh_grants_psu_id_idx',
  'refresh_grants_consent_id_idx',
  'clients_software_id_idx',
];

/** Tells statements that read more rows the longer the service runs. */
export class PlanJudge {
  /** @param client of a database with our schema */
  static async create(client: Client): Promise<PlanJudge> {
    return new PlanJudge(client, await readIndexes(client));
  }

  private constructor(
    private readonly client: Client,
    private readonly indexes: Indexes,
  ) {}

  /**
   * @param lists indexes that a statement may read by something else than a key
   * @returns for each statement that does not get at every growing table by a key in the present state of the database:
   *   what it does, and its plan for any values of its parameters, which PostgreSQL takes from the sixth execution on
   */
  async findFaults(
    statements: readonly Pick<NamedStatement, 'name' | 'sql'>[],
    lists: Readonly<Record<string, readonly string[]>>,
  ): Promise<string[]> {
    const faults: string[] = [];
    for (const { name, sql } of statements) {
      const { accesses, plan } = await this.#explain(sql);
      const wrong = accesses.filter(
        (access) => growingTables.includes(access.table) && !this.#isByKey(access, lists[name] ?? []),
      );
      const words = wrong.map(({ table, index }) => (index === undefined ? `all of ${table}` : `much of ${index}`));
      if (words.length > 0) faults.push(`${name} reads ${words.join(', ')}\n${plan}`);
    }
    return faults;
  }

  async #explain(sql: string): Promise<{ accesses: TableAccess[]; plan: string }> {
    const json = await this.client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${sql}`,
    );
    const text = await this.client.query<{ 'QUERY PLAN': string }>(`EXPLAIN (GENERIC_PLAN) ${sql}`);
    return {
      accesses: json.rows.flatMap((row) => accessesOf(row['QUERY PLAN'][0].Plan)),
      plan: text.rows.map((row) => row['QUERY PLAN']).join('\n'),
    };
  }

  #isByKey({ index, condition }: TableAccess, lists: readonly string[]): boolean {
    if (index === undefined) return false;
    const { columns = [], isUnique = false } = this.indexes.get(index) ?? {};
    const isGiven = (column: string): boolean => new RegExp(`[( ]${column} = `).test(condition);
    if (isUnique && columns.every(isGiven)) return true;
    return lists.includes(index) || (narrowIndexes.includes(index) && columns.slice(0, 1).every(isGiven));
  }
}

function accessesOf(node: PlanNode, tableAbove?: string): TableAccess[] {
  const table = node['Relation Name'] ?? tableAbove;
  const below = (node.Plans ?? []).flatMap((each) =>
    accessesOf(each, node['Node Type'] === 'Bitmap Heap Scan' ? table : tableAbove),
  );
  const index = node['Index Name'];
  if (table === undefined) return below;
  if (index !== undefined) return [{ table, index, condition: node['Index Cond'] ?? '' }, ...below];
  return node['Node Type'] === 'Seq Scan' ? [{ table, condition: '' }, ...below] : below;
}

async function readIndexes(client: Client): Promise<Indexes> {
  const { rows } = await client.query<{ name: string; columns: string[]; is_unique: boolean }>(`
    SELECT entry.indexrelid::regclass::text AS name, entry.indisunique AS is_unique, ARRAY(
             SELECT pg_get_indexdef(entry.indexrelid, position, true) FROM generate_series(1, entry.indnkeyatts) AS position) AS columns
      FROM pg_index AS entry JOIN pg_class AS relation ON relation.oid = entry.indrelid
     WHERE relation.relnamespace = 'public'::regnamespace`);
  return new Map(rows.map(({ name, columns, is_unique: isUnique }) => [name, { columns, isUnique }]));
}
