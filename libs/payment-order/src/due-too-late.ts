import { secondsAfter } from '#libs/persistence';

/** More than any lease and any pause of the worker's queues: an hour each at most. */
const longestSeconds = 3_900;

/**
 * SQL: the row of a queue is due later than the service makes anything due. The database's clock was ahead when it was
 * written, or somebody else wrote it.
 * @param now the parameter with the time
 */
export function isDueTooLate(row: string, now: string): string {
  return `${row}.next_attempt_at > ${secondsAfter(`${now}::timestamptz`, String(longestSeconds))}`;
}
