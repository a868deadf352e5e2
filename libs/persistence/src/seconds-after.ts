/**
 * SQL: the moment this many seconds after another. PostgreSQL treats times with intervals only as unchanging within one
 * statement, because a day may have 23 hours; a distributed database takes such a sum for no column. A number of seconds is what it is.
 * @param moment SQL for a timestamptz
 * @param seconds SQL for a number
 */
export function secondsAfter(moment: string, seconds: string): string {
  return `to_timestamp(extract(epoch FROM ${moment} - 'epoch'::timestamptz) + ${seconds})`;
}
