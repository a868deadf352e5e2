import { describe, expect, it, jest } from '@jest/globals';
import type { Pool } from 'pg';
import { Database } from './database.js';
import { isDatabaseUnavailable } from './database-unavailable.js';

/** A database whose statements conflict with others this many times. */
function aDatabase(conflicts: number, code: string): { database: Database; sent: string[] } {
  const sent: string[] = [];
  let left = conflicts;
  const query = async (given: string | { text: string }): Promise<object> => {
    const text = typeof given === 'string' ? given : given.text;
    sent.push(text);
    if (text === 'UPDATE' && left-- > 0) throw Object.assign(new Error('conflict'), { code });
    return { rows: [], rowCount: 1 };
  };
  const connection = { query, on: () => undefined, off: () => undefined, release: () => undefined };
  const pool = { query, connect: async () => connection } as unknown as Pool;
  return { database: new Database(pool, { applicationName: 'spec' }), sent };
}

it.each([
  ['is prepared by its name', undefined, 'u'],
  ['is sent without a name if a pooler may give it any connection', false, undefined],
])('a statement %s', async (_title, preparedStatements, name) => {
  const query = jest.fn(async (_statement: object) => ({ rows: [] }));
  const settings = { applicationName: 'spec', ...(preparedStatements === undefined ? {} : { preparedStatements }) };
  await new Database({ query } as unknown as Pool, settings).query('u', 'UPDATE', [1]);
  expect(query.mock.calls).toEqual([[{ name, text: 'UPDATE', values: [1] }]]);
});

const ways: [string, (database: Database) => Promise<unknown>][] = [
  ['a transaction', (database) => database.transaction((runner) => runner.query('u', 'UPDATE', []))],
  ['a statement', (database) => database.query('u', 'UPDATE', [])],
];

describe.each(ways)('%s that meets others', (_title, run) => {
  it.each(['40P01', '40001'])('is done in the end (%s)', async (code) => {
    const { database, sent } = aDatabase(3, code);
    const startedAt = performance.now();
    await run(database);
    // The pause grows each time, so that the other statement can end.
    expect(performance.now() - startedAt).toBeGreaterThan(200);
    expect(sent.filter((text) => text === 'UPDATE')).toHaveLength(4);
  });

  it.each(['40P01', '40001'])('is given up after five attempts, and the caller may come again (%s)', async (code) => {
    const { database, sent } = aDatabase(Infinity, code);
    const failure = await run(database).catch((error: unknown) => error);
    expect(isDatabaseUnavailable(failure)).toBe(true);
    expect(sent.filter((text) => text === 'UPDATE')).toHaveLength(5);
  });

  it('is not repeated for anything else', async () => {
    const { database, sent } = aDatabase(1, '23505');
    await expect(run(database)).rejects.toThrow('conflict');
    expect(sent.filter((text) => text === 'UPDATE')).toHaveLength(1);
  });
});
