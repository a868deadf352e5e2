import { expect, it } from '@jest/globals';
import type { Pool } from 'pg';
import { inTransaction } from './in-transaction.js';

it('is repeated after a conflict, such as that of passing time with the worker', async () => {
  const sent: string[] = [];
  const query = async (text: string): Promise<void> => {
    sent.push(text);
    if (text === 'UPDATE' && sent.length === 2) throw Object.assign(new Error('deadlock detected'), { code: '40P01' });
  };
  const client = { query, on: () => undefined, off: () => undefined, release: () => undefined };
  const pool = { connect: async () => client } as unknown as Pool;
  await inTransaction(pool, (each) => each.query('UPDATE'));
  expect(sent).toEqual(['BEGIN', 'UPDATE', 'BEGIN', 'UPDATE', 'COMMIT']);
});
