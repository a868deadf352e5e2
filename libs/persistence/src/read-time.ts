import type { StatementTime } from '#libs/config';
import type { StatementRunner } from './database.js';

/** @returns the time that a statement calls 'now', for a program that calculates with it */
export async function readTime(runner: StatementRunner, time: StatementTime): Promise<Date> {
  if (time !== 'now') return time;
  const { rows } = await runner.query<{ now: Date }>('read-time', 'SELECT clock_timestamp() AS now', []);
  return rows[0]?.now ?? new Date(Number.NaN);
}
