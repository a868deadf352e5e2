import { secondsAfter } from '#libs/persistence';

/** More than any lease and any pause of the worker's queues: an hour each at most. */
const longestSeconds = 3_900;
/** What agrees with the bank's book, but is open there, is compared again within a week. */
const longestUntilComparedSeconds = 7 * 86_400 + longestSeconds;

/**
 * SQL: the row of a queue is due later than the service makes anything due. The database's clock was ahead when it was
 * written, or somebody else wrote it.
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
