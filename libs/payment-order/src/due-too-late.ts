import { secondsAfter } from '#libs/persistence';

/** More than any lease or pause of the worker's queues, which are at most an hour. */
const longestSeconds = 3_900;
/** Books that agree, but are open at the bank, are compared again within a week. */
const longestUntilComparedSeconds = 7 * 86_400 + longestSeconds;

/**
 * SQL: the row of a queue is due later than the service makes anything due. The database's clock was ahead when the row
 * was written, or another program wrote it.
 * @param now the parameter with the time
 */
export function isDueTooLate(row: string, now: string): string {
  return isAfter(`${row}.next_attempt_at`, now, longestSeconds);
}

/** SQL: as {@link isDueTooLate}, for a comparison with the bank's book. A change makes it due at its own time. */
export function isComparedTooLate(row: string, now: string): string {
  return (
    `(${isAfter(`${row}.due_at`, now, longestUntilComparedSeconds)} OR ` +
    `${isAfter(`${row}.changed_at`, now, longestSeconds)})`
  );
}

function isAfter(column: string, now: string, seconds: number): string {
  return `${column} > ${secondsAfter(`${now}::timestamptz`, String(seconds))}`;
}
