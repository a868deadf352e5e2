import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { backlogQueries, lateQueries } from '../../support/apps/worker.js';
import {
  aFilePayment,
  clock,
  database,
  drain,
  many,
  processor,
  run,
  scheme,
} from '../payment-processor/payment-processor-world.js';
import { consentOf, stage, useReconciliation } from './reconciliation-world.js';

useReconciliation();

const [minute, day] = [60_000, 86_400_000];
/** of each queue: the table, the column that says when it is due, and how long the service lets it wait at most */
const queues: Readonly<Record<string, [table: string, column: string, longest: number]>> = {
  'payment orders': ['payment_orders', 'next_attempt_at', 60 * minute],
  payments: ['payments', 'next_attempt_at', 60 * minute],
  'domain events': ['domain_events', 'next_attempt_at', 60 * minute],
  'approval requests': ['approval_requests', 'next_attempt_at', 60 * minute],
  'decline notices': ['decline_notices', 'next_attempt_at', 60 * minute],
  reconciliations: ['reconciliations', 'due_at', 7 * day],
  // A change makes a reconciliation due at its own time.
  'reconciliations of a change': ['reconciliations', 'changed_at', 0],
};

/** One row in each queue, due now. */
async function aRowInEachQueue(): Promise<void> {
  scheme.outcomeOf = () => ({ status: 'AcceptedSettlementInProcess' });
  await aFilePayment(many(1));
  await drain(processor);
  const waiting = await aFilePayment(many(1));
  const now = clock.now();
  await run('INSERT INTO approval_requests (payment_order_id, next_attempt_at) VALUES ($1, $2)', [waiting, now]);
  await run('INSERT INTO decline_notices (decline_notice_id, report, next_attempt_at) VALUES ($1, $2, $3)', [
    randomUUID(),
    {},
    now,
  ]);
  await run('DELETE FROM reconciliations', []);
  await run('INSERT INTO reconciliations (consent_id, changed_at, due_at) VALUES ($1, $2, $2)', [
    await consentOf(waiting),
    now,
  ]);
}

async function countLate(queue: string): Promise<number> {
  const [row] = await run(lateQueries[queue.replace(' of a change', '')] ?? '', [clock.now(), 100]);
  return Number(row?.['count']);
}

describe('what is due later than the service makes anything due', () => {
  it('is looked for in every table with a due time', async () => {
    const tables = await run(
      `SELECT table_name FROM information_schema.columns
        WHERE table_schema = 'public' AND column_name IN ('next_attempt_at', 'due_at') ORDER BY 1`,
      [],
    );
    const looked = Object.values(lateQueries).map((sql) => /FROM (\w+) WHERE/.exec(sql)?.[1]);
    expect(tables.map((row) => row['table_name'])).toEqual(looked.sort());
  });

  it.each(Object.keys(queues))(
    'is counted and, if it is not a payment, made due as the runbook says: %s',
    async (queue) => {
      const [table, column, longest] = queues[queue] ?? ['', '', 0];
      await aRowInEachQueue();
      const move = (milliseconds: number): Promise<unknown> =>
        stage(`UPDATE ${table} SET ${column} = $1 WHERE ${column} IS NOT NULL`, [new Date(clock.time + milliseconds)]);
      await move(longest);
      expect(await countLate(queue)).toBe(0);
      await move(longest + 70 * minute);
      expect(await countLate(queue)).toBeGreaterThan(0);
      if (!['approval_requests', 'decline_notices', 'reconciliations'].includes(table)) return;
      const runbook = readFileSync(join(import.meta.dirname, '../../../deploy/runbooks.md'), 'utf8');
      const [, sql = ''] = /### `OpenBankingDueTooLate`.*?```sql\n(.*?)```/s.exec(runbook) ?? [];
      await database.pool.query(sql.replaceAll('now()', `'${clock.now().toISOString()}'::timestamptz`));
      expect(await countLate(queue)).toBe(0);
    },
  );
});

describe('work for the worker', () => {
  it.each(Object.keys(backlogQueries))('is counted from the moment on at which it is due: %s', async (queue) => {
    await aRowInEachQueue();
    const [table, column] = queues[queue] ?? ['audit_events', 'occurred_at'];
    const countDueAt = async (time: number): Promise<unknown> => {
      await stage(`UPDATE ${table} SET ${column} = $1 WHERE ${column} IS NOT NULL`, [new Date(time)]);
      return (await run(backlogQueries[queue] ?? '', [clock.now(), 100]))[0]?.['count'];
    };
    expect(await countDueAt(clock.time + 1)).toBe(0);
    expect(await countDueAt(clock.time)).toBeGreaterThan(0);
    await stage('UPDATE audit_events SET seal_number = 1');
    if (table === 'audit_events') expect(await countDueAt(clock.time)).toBe(0);
  });
});
