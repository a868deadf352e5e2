import type { Client } from 'pg';
import { columnsWrittenBy } from './written-columns.js';

/** By table the rights that a role needs: SELECT, DELETE, and INSERT and UPDATE of columns: `UPDATE (status, revision)`. */
export type Grants = Readonly<Record<string, readonly string[]>>;

const rights = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'] as const;
type Right = (typeof rights)[number];
const probe = 'probe_of_grants';

/** Asks PostgreSQL itself which rights statements need, and reads out of triggers what these need beside. */
export class GrantFinder {
  readonly #tables: readonly string[];
  readonly #triggers: readonly { table: string; event: Right; function: string }[];
  readonly #functions: ReadonlyMap<string, string>;
  readonly #known = new Map<string, ReadonlySet<string>>();

  /** @param client superuser of a migrated database, alone on this connection */
  static async create(client: Client): Promise<GrantFinder> {
    await client.query(`CREATE ROLE ${probe}; GRANT USAGE ON SCHEMA public TO ${probe}`);
    const { rows: tables } = await client.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
    );
    const { rows: triggers } = await client.query<{ table: string; event: Right; function: string }>(`
      SELECT relname AS table, event, proname AS function
        FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid JOIN pg_proc ON pg_proc.oid = tgfoid
        CROSS JOIN (VALUES ('INSERT', 4), ('DELETE', 8), ('UPDATE', 16)) AS kind (event, bit)
       WHERE NOT tgisinternal AND tgtype & bit <> 0`);
    const { rows: functions } = await client.query<{ name: string; text: string }>(
      `SELECT proname AS name, prosrc AS text FROM pg_proc WHERE pronamespace = 'public'::regnamespace`,
    );
    return new GrantFinder(client, {
      tables: tables.map(({ name }) => name),
      triggers,
      functions: new Map(functions.map(({ name, text }) => [name, text])),
    });
  }

  private constructor(
    private readonly client: Client,
    schema: {
      tables: readonly string[];
      triggers: readonly { table: string; event: Right; function: string }[];
      functions: ReadonlyMap<string, string>;
    },
  ) {
    this.#tables = schema.tables;
    this.#triggers = schema.triggers;
    this.#functions = schema.functions;
  }

  /** @returns what a role needs to run the statements, and whatever they set off */
  async find(statements: readonly string[]): Promise<Grants> {
    const needed = new Set<string>();
    for (const sql of statements) for (const grant of await this.#ofStatement(sql)) needed.add(grant);
    for (const grant of needed) for (const more of this.#ofTriggers(grant)) needed.add(more);
    const grants: Record<string, string[]> = {};
    for (const table of [...this.#tables].sort()) {
      const own = rights
        .filter((right) => needed.has(`${right} ${table}`))
        .map((right) => withColumns(right, table, needed));
      if (own.length > 0) grants[table] = own;
    }
    return grants;
  }

  async #ofStatement(sql: string): Promise<ReadonlySet<string>> {
    const known = this.#known.get(sql) ?? (await this.#ask(sql));
    this.#known.set(sql, known);
    return known;
  }

  /** Every right without which PostgreSQL refuses the statement. */
  async #ask(sql: string): Promise<ReadonlySet<string>> {
    const tables = this.#tables.filter((table) => new RegExp(`\\b${table}\\b`).test(sql));
    const needed = new Set<string>();
    const all = `SELECT, INSERT, UPDATE, DELETE ON ${tables.join(', ')}`;
    if (tables.length === 0) return needed;
    await this.client.query(`GRANT ${all} TO ${probe}`);
    const refusal = await this.#refusalOf(sql);
    if (refusal !== undefined) throw new Error(`Refused with every right: ${sql}`, { cause: refusal });
    for (const table of tables) {
      for (const right of rights) {
        await this.client.query(`REVOKE ${right} ON ${table} FROM ${probe}`);
        if ((await this.#refusalOf(sql)) === undefined) continue;
        needed.add(`${right} ${table}`);
        await this.client.query(`GRANT ${right} ON ${table} TO ${probe}`);
      }
    }
    await this.client.query(`REVOKE ${all} FROM ${probe}`);
    for (const column of columnsWrittenBy(sql)) needed.add(column);
    return needed;
  }

  async #refusalOf(sql: string): Promise<unknown> {
    await this.client.query(`SET ROLE ${probe}`);
    try {
      await this.client.query(`EXPLAIN (GENERIC_PLAN) ${sql}`);
      return undefined;
    } catch (error) {
      return error;
    } finally {
      await this.client.query('RESET ROLE');
    }
  }

  #ofTriggers(grant: string): string[] {
    const [right, table] = grant.split(' ');
    return this.#triggers
      .filter((trigger) => trigger.event === right && trigger.table === table)
      .flatMap(({ function: name }) => this.#ofFunction(name));
  }

  /** A trigger runs with the rights of anybody who has set it off. */
  #ofFunction(name: string): string[] {
    const text = this.#functions.get(name) ?? '';
    const called = [...this.#functions.keys()].filter((other) => other !== name && text.includes(`${other}(`));
    return [...rightsIn(text, this.#tables), ...called.flatMap((other) => this.#ofFunction(other))];
  }
}

/**
 * @returns e.g. `UPDATE (status, revision)`. Who may only lock rows, because they expire, needs the right to update any
 * one column
 */
function withColumns(right: Right, table: string, needed: ReadonlySet<string>): string {
  if (right === 'SELECT' || right === 'DELETE') return right;
  const start = `${right} ${table}.`;
  const columns = [...needed].filter((each) => each.startsWith(start)).map((each) => each.slice(start.length));
  const written = columns.length === 0 ? [table === 'works' ? 'name' : 'expires_at'] : columns.sort();
  return `${right} (${written.join(', ')})`;
}

/** Whatever changes rows by a condition reads them too. */
const wordsOfRights: readonly (readonly [RegExp, readonly Right[]])[] = [
  [/\bINSERT INTO (\w+)(?=[^;]*\bON CONFLICT\b[^;]*\bDO UPDATE\b)/g, ['UPDATE', 'SELECT']],
  [/\bINSERT INTO (\w+)(?=[^;]*\b(?:ON CONFLICT|RETURNING)\b)/g, ['SELECT']],
  [/\bINSERT INTO (\w+)/g, ['INSERT']],
  [/(?<!FOR )\bUPDATE (\w+)/g, ['UPDATE', 'SELECT']],
  [/\bDELETE FROM (\w+)/g, ['DELETE', 'SELECT']],
  [/\b(?:FROM|JOIN) (\w+)(?=[^;]*\bFOR (?:NO KEY )?(?:UPDATE|SHARE)\b)/g, ['UPDATE', 'SELECT']],
  [/\b(?:FROM|JOIN) (\w+)/g, ['SELECT']],
];

function rightsIn(text: string, tables: readonly string[]): string[] {
  return wordsOfRights.flatMap(([words, needed]) =>
    [...text.matchAll(words)].flatMap(([, table = '']) =>
      tables.includes(table) ? needed.map((right) => `${right} ${table}`) : [],
    ),
  );
}
