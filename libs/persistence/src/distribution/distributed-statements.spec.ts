import { describe, expect, it } from '@jest/globals';
import type { QueryResult, QueryResultRow } from 'pg';
import { DistributedStatements, type Send } from './distributed-statements.js';

const clients = ['a', 'b', 'c'];

/** A database in which each of three clients has one row that is due. Notes the client of each statement. */
function threeClients(): { send: Send; asked: unknown[] } {
  const asked: unknown[] = [];
  const send = (name: string, _sql: string, parameters: readonly unknown[]): Promise<QueryResult<QueryResultRow>> => {
    const client = parameters.at(-1);
    if (!name.startsWith('clients-to-')) asked.push(client);
    const rows = name.startsWith('clients-to-') ? clients.map((id) => ({ client_id: id })) : [{ of: client }];
    return Promise.resolve({ rows, rowCount: rows.length, command: '', oid: 0, fields: [] });
  };
  return { send: send as Send, asked };
}

describe('Statements for several clients', () => {
  it('ask one client after the other, and answer for all of them', async () => {
    const { send, asked } = threeClients();
    const sql =
      'SELECT FROM payments WHERE next_attempt_at <= $1 ORDER BY next_attempt_at LIMIT $2 FOR UPDATE SKIP LOCKED';
    const { rows, rowCount } = await new DistributedStatements().run(send, 'take-unsettled-payments', sql, [
      new Date(),
    ]);
    expect(asked).toEqual(clients);
    expect(rows).toEqual(clients.map((of) => ({ of })));
    expect(rowCount).toBe(3);
  });

  it('of no client take no locks: a statement that asks all nodes cannot', async () => {
    const sql = 'DELETE FROM used_jwt_ids WHERE jti IN (SELECT jti FROM used_jwt_ids LIMIT $1 FOR UPDATE SKIP LOCKED)';
    const sent: string[] = [];
    const send = async (_name: string, text: string) => void sent.push(text);
    await new DistributedStatements().run(send as unknown as Send, 'delete-expired-jwt-ids', sql, [1]);
    expect(sent).toEqual(['DELETE FROM used_jwt_ids WHERE jti IN (SELECT jti FROM used_jwt_ids LIMIT $1 )']);
  });

  it('take one file payment: that of another client stays free for another worker', async () => {
    const { send, asked } = threeClients();
    const sql = `SELECT FROM payment_orders WHERE next_attempt_at <= $1 ORDER BY next_attempt_at LIMIT 1
      FOR UPDATE SKIP LOCKED`;
    const { rows } = await new DistributedStatements().run(send, 'take-file-payment', sql, [new Date()]);
    expect(asked).toEqual(['a']);
    expect(rows).toEqual([{ of: 'a' }]);
  });

  it('of a row go to the client that has it, which is asked once', async () => {
    const statements = new DistributedStatements();
    const sent: unknown[] = [];
    const send = async (_name: string, sql: string, parameters: readonly unknown[]) => {
      sent.push(parameters);
      return { rows: sql.endsWith('FROM payments WHERE payment_order_id = $1 LIMIT 1') ? [{ client_id: 'a' }] : [] };
    };
    const sql = 'SELECT FROM payments WHERE payment_order_id = $1';
    const find = () => statements.run(send as unknown as Send, 'find-payments', sql, ['o']);
    for (const run of [find, find]) await run();
    expect(sent).toEqual([['o'], ['o', 'a'], ['o', 'a']]);
  });
});
