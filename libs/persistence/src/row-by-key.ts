/**
 * Part of FROM: the row of a table with this key, found by the index of the key whatever the statistics of the table.
 *
 * A named statement is planned for any values, and its plan is kept until a table of it is analysed. While a table is new, or what is known
 * of it is old, reading all of it looks cheaper than a join with some keys, or EXISTS with one. And where a statement asks for the client or
 * the state of the row as well, so does an index by that: of the index of open consents PostgreSQL may expect next to none. Each request then
 * costs more than the one before it. Into a subquery with LIMIT or OFFSET PostgreSQL moves neither join nor condition. So nothing but the key
 * stands in there, and whatever else is asked of the row belongs outside.
 * @param key SQL that says what each column of the primary key or of a unique index is
 */
export function rowByKey(table: string, key: string): string {
  return `LATERAL (SELECT * FROM ${table} WHERE ${key} LIMIT 1)`;
}

/** The same for a key shared by a few rows. */
export function rowsByKey(table: string, key: string): string {
  return `LATERAL (SELECT * FROM ${table} WHERE ${key} OFFSET 0)`;
}

/**
 * The row, locked as by an UPDATE, so it is read after any earlier change. An UPDATE in the same statement then finds
 * it by its key alone.
 */
export function lockedRowByKey(table: string, key: string): string {
  return `LATERAL (SELECT * FROM ${table} WHERE ${key} LIMIT 1 FOR NO KEY UPDATE)`;
}
