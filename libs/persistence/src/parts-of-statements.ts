/**
 * Part of FROM: the row of a table with this key, found by the index of the key whatever the statistics of the table.
 *
 * A named statement is planned for any values, and its plan is kept until one of its tables is analysed. While a table
 * is new, or its statistics are old, reading all of it looks cheaper than a join with some keys, or EXISTS with one. So
 * does an index by client or state, if the statement asks for them as well: PostgreSQL may expect hardly any open
 * consents. Each request then costs more than the one before it. PostgreSQL does not push joins or conditions into a
 * subquery with LIMIT or OFFSET. Keep only the key inside it; put all other conditions outside.
 * @param key SQL that gives each column of the primary key or of a unique index its value
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

/**
 * SQL: the moment this many seconds after another. To PostgreSQL the sum of a time and an interval is only stable,
 * because a day may have 23 hours, and a distributed database stores no stable expression in a column. The sum with a
 * number of seconds is immutable.
 * @param moment SQL for a timestamptz
 * @param seconds SQL for a number
 */
export function secondsAfter(moment: string, seconds: string): string {
  return `to_timestamp(extract(epoch FROM ${moment} - 'epoch'::timestamptz) + ${seconds})`;
}

/**
 * SQL of a new id in a SELECT whose many rows one INSERT writes. The ids of one statement follow one another, so an
 * index has them on a few pages; random ids would each need a page of their own to be read, logged and written.
 */
export const consecutiveIds = `
  ((SELECT left(gen_random_uuid()::text, 28)) || lpad(to_hex(row_number() OVER ()), 8, '0'))::uuid`;
