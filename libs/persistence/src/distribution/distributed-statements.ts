import type { QueryResult, QueryResultRow } from 'pg';
import { clientOf, type ClientOfStatement } from './clients-of-statements.js';
import { countParameters, nameClient } from './name-client.js';

/** Sends one statement: name, text, parameters. */
export type Send = <Row extends QueryResultRow>(
  name: string,
  sql: string,
  parameters: readonly unknown[],
) => Promise<QueryResult<Row>>;

/** No client has this id: a statement that finds nobody answers in its usual form. */
const nobody = '00000000-0000-0000-0000-000000000000';

/** Maximum number of rows whose client is remembered; a row never changes its client. */
const mostKnown = 10_000;

/**
 * Runs the service's statements in a database whose rows are distributed by client: each for one client, on its node.
 */
export class DistributedStatements {
  readonly #statements = new Map<string, { text: string; rule?: ClientOfStatement }>();
  readonly #clients = new Map<string, string>();

  /**
   * @param send how a statement gets to the database
   * @returns the answer; for several clients, the rows of all of them
   */
  async run<Row extends QueryResultRow>(
    send: Send,
    name: string,
    sql: string,
    parameters: readonly unknown[],
  ): Promise<QueryResult<Row>> {
    const { text, rule } = this.#statementOf(name, sql);
    if (rule === undefined) return send<Row>(name, text, parameters);
    const clients = await this.#clientsFor(rule, { send, name, parameters });
    if (clients === undefined) return send<Row>(`${name}-anywhere`, sql, parameters);
    const results: QueryResult<Row>[] = [];
    for (const client of clients.length === 0 ? [nobody] : clients) {
      const result = await send<Row>(name, text, [...parameters, client]);
      results.push(result);
      if ('untilFound' in rule && result.rows.length > 0) break;
    }
    const [first] = results as [QueryResult<Row>];
    if (results.length === 1) return first;
    const rowCount = results.reduce((sum, result) => sum + (result.rowCount ?? 0), 0);
    return { ...first, rowCount, rows: results.flatMap(({ rows }) => rows) };
  }

  #statementOf(name: string, sql: string): { text: string; rule?: ClientOfStatement } {
    const known = this.#statements.get(name);
    if (known) return known;
    const rule = clientOf(name, sql);
    const text = rule === undefined ? sql : nameClient(sql);
    const made =
      rule !== undefined && 'client' in rule && rule.client === 'none'
        ? { text: sql.replace('FOR UPDATE SKIP LOCKED', '') }
        : { text, ...(text !== sql && { rule }) };
    this.#statements.set(name, made);
    return made;
  }

  async #clientsFor(
    rule: ClientOfStatement,
    { send, name, parameters }: { send: Send; name: string; parameters: readonly unknown[] },
  ): Promise<string[] | undefined> {
    if ('client' in rule) {
      if (rule.client === 'none') return undefined;
      const client = firstOf(parameters[rule.client - 1]);
      return typeof client === 'string' ? [client] : undefined;
    }
    if ('each' in rule) {
      const used = parameters.slice(0, countParameters(rule.each));
      const { rows } = await send<{ client_id: string }>(`clients-to-${name}`, rule.each, used);
      return rows.map((row) => row.client_id);
    }
    const client = await this.#clientOfRow(rule.of, send, parameters);
    if (client !== undefined) return [client];
    const other = rule.otherwise === undefined ? undefined : firstOf(parameters[rule.otherwise - 1]);
    return typeof other === 'string' ? [other] : [];
  }

  async #clientOfRow(
    [table, column, parameter]: readonly [string, string, number],
    send: Send,
    parameters: readonly unknown[],
  ): Promise<string | undefined> {
    const key = firstOf(parameters[parameter - 1]);
    if (key === null || key === undefined) return undefined;
    const place = `${table} ${Buffer.isBuffer(key) ? key.toString('base64') : String(key)}`;
    const known = this.#clients.get(place);
    if (known !== undefined) return known;
    const sql = `SELECT client_id FROM ${table} WHERE ${column} = $1 LIMIT 1`;
    const { rows } = await send<{ client_id: string }>(`client-of-${table}-${column}`, sql, [key]);
    const client = rows[0]?.client_id;
    if (client !== undefined) {
      if (this.#clients.size >= mostKnown) this.#clients.delete(String(this.#clients.keys().next().value));
      this.#clients.set(place, client);
    }
    return client;
  }
}

function firstOf(parameter: unknown): unknown {
  return Array.isArray(parameter) ? parameter[0] : parameter;
}
