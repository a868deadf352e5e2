import { columnOfClient } from './distributed-tables.js';

const raw = String.raw;
const table = raw`\b(${Object.keys(columnOfClient).join('|')})\b(?!\.)`;
/** What stands between two words of one pair of parentheses: anything, with whole pairs in it. */
const between = `${Array.from({ length: 9 }).reduce<string>((inner) => raw`(?:[^()]|\(${inner}*\))`, '[^()]')}*?`;

const columnOf = (name: string): string => columnOfClient[name] ?? '';
const reads = new RegExp(raw`(?<!DELETE )\b(FROM|JOIN) ${table}(?=\s+(AS\b)|)`, 'g');
const changes = new RegExp(raw`\b(?:UPDATE|DELETE FROM) ${table}(?: AS (\w+))?${between}\sWHERE\b`, 'g');
const additions = new RegExp(
  raw`\bINSERT INTO ${table}((?: AS \w+)?\s*)\(([^()]*\)\s*(?:SELECT |VALUES \())(${between}\sON CONFLICT \()?`,
  'g',
);

/**
 * Restricts a statement to one client: of every table with clients' rows it reads and changes only this client's, and
 * every new row names it. So a distributed database knows the node before it begins.
 * test/architecture/distribution.spec.ts finds with PostgreSQL's own grammar what is written in a form not known here.
 * @param sql one of the service's own statements
 * @returns the statement, which takes the client id as one more parameter, the last
 */
export function nameClient(sql: string): string {
  const client = `$${countParameters(sql) + 1}::uuid`;
  return sql
    .replaceAll(changes, (all, name: string, alias = name) => `${all} ${alias}.${columnOf(name)} = ${client} AND`)
    .replaceAll(additions, (all, name: string, alias: string, values: string, conflict = '') => {
      const column = columnOf(name);
      if (new RegExp(raw`\b${column}\b[^()]*\)`).test(values)) return all;
      const key = conflict && `${conflict}${column}, `;
      return `INSERT INTO ${name}${alias}(${column}, ${values}${client}, ${key}`;
    })
    .replaceAll(reads, (_all, word: string, name: string, as?: string) => {
      const rows = `${word} (SELECT * FROM ${name} WHERE ${columnOf(name)} = ${client})`;
      return as === undefined ? `${rows} AS ${name}` : rows;
    });
}

/** @returns the highest number of a parameter in the SQL */
export function countParameters(sql: string): number {
  return Math.max(0, ...[...sql.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)));
}
