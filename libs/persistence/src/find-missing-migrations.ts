import type { StatementRunner } from './database.js';
import { migrations } from './migrations/index.js';

/** PostgreSQL's code for a missing table. */
const undefinedTable = '42P01';

/**
 * @returns the names of the migrations that this program needs and the database lacks; newer ones, from a rollout, do
 * no harm
 */
export async function findMissingMigrations(runner: StatementRunner, all = migrations): Promise<string[]> {
  const known = all.map(({ name }) => name);
  try {
    const { rows } = await runner.query<{ name: string }>('find-migrations', 'SELECT name FROM migrations', []);
    const done = new Set(rows.map(({ name }) => name));
    return known.filter((name) => !done.has(name));
  } catch (error) {
    if (error instanceof Error && Reflect.get(error, 'code') === undefinedTable) return known;
    throw error;
  }
}
