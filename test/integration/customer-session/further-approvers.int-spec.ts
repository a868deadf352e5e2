import { beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { PaymentApprovalService, ApprovalRequestQueue } from '#libs/payment-order';
import { type ApprovalRequest, type ApproverNotification, BankRefusedError, BankUnavailableError } from '#libs/bank';
import type { Config } from '#libs/config';
import { ApproverNotifier } from '../../support/apps/worker.js';
import { until } from '../../support/expectations.js';
import { SetClock } from '../../support/scripted-scheme.js';
import { aClient, aConsent, database, dataSource, later, useCustomerSessions } from './customer-session-world.js';

useCustomerSessions();

describe('telling further approvers (OBMultiAuthorisation1)', () => {
  const config = {
    authUrl: 'https://auth.bank.example',
    authorization: { approvalSeconds: 86_400 },
  } as unknown as Config;
  const clock = new SetClock();
  const queue = (): ApprovalRequestQueue => new ApprovalRequestQueue(database, config, clock);
  let told: ApprovalRequest[];
  let answer: () => 'Requested' | 'NotOffered';
  const notification = {
    requestApprovals: async ({ approval }: { approval: ApprovalRequest }) => {
      told.push(approval);
      return answer();
    },
  } as unknown as ApproverNotification;
  const notifier = (): ApproverNotifier => new ApproverNotifier(queue(), notification, config);

  beforeEach(async () => {
    told = [];
    answer = () => 'Requested';
    await dataSource.query('DELETE FROM approval_requests');
  });

  async function aFilePayment({
    approvalsRequired = 2,
    deadline = undefined as Date | undefined,
  } = {}): Promise<string> {
    const clientId = await aClient();
    const consentId = await aConsent(clientId, { status: 'Consumed', approvalsRequired });
    await dataSource.query('UPDATE payment_consents SET conditions = $2 WHERE consent_id = $1', [
      consentId,
      deadline === undefined
        ? {}
        : { Authorisation: { AuthorisationType: 'Any', CompletionDateTime: deadline.toISOString() } },
    ]);
    const filePaymentId = randomUUID();
    await dataSource.query(
      `WITH created AS (
         INSERT INTO payment_orders (payment_order_id, consent_id, client_id, status, created_at, status_updated_at,
           approvals_required, approvals_received, approvals_updated_at)
         VALUES ($1, $2, $3, 'InitiationPending', $4, $4, $5, 1, $4) RETURNING payment_order_id)
       INSERT INTO payments (payment_id, payment_order_id, position, amount, status, status_updated_at)
       SELECT replace(payment_order_id::text, '-', ''), payment_order_id, 0, 1.10, 'Pending', $4 FROM created`,
      [filePaymentId, consentId, clientId, clock.now(), approvalsRequired],
    );
    if (approvalsRequired > 1) {
      const request = [filePaymentId, clock.now()];
      await dataSource.query(
        'INSERT INTO approval_requests (payment_order_id, next_attempt_at) VALUES ($1, $2)',
        request,
      );
    }
    return filePaymentId;
  }

  it('once, with what waits and until when; not about files that need one approval only', async () => {
    const deadline = new Date(clock.time + 3_600_000);
    const filePaymentId = await aFilePayment({ deadline });
    await aFilePayment({ approvalsRequired: 1 });
    const workers = [notifier(), notifier(), notifier()];
    await Promise.all(workers.map((worker) => worker.notifyNext()));
    clock.time += 7_200_000;
    await notifier().notifyNext();
    expect(told).toEqual([
      {
        filePaymentId,
        psuId: 'bob',
        debtorAccount: { schemeName: 'UK.OBIE.IBAN', identification: 'GB82WEST' },
        total: '1.10',
        currency: 'GBP',
        numberOfPayments: 1,
        requestedBy: 'Payroll',
        approvalsRequired: 2,
        approvalsReceived: 1,
        approvalsUrl: 'https://auth.bank.example/approvals',
        approveBefore: deadline.toISOString(),
      },
    ]);
  });

  it('one each by simultaneous workers, without waiting for each other', async () => {
    const ids = [await aFilePayment(), await aFilePayment()].sort();
    await database.transaction(async (other) => {
      const { rows } = await other.query<{ payment_order_id: string }>(
        'hold-one',
        'SELECT payment_order_id FROM approval_requests ORDER BY payment_order_id LIMIT 1 FOR UPDATE',
        [],
      );
      expect(rows).toEqual([{ payment_order_id: ids[0] }]);
      const taken = await queue().take(20);
      expect(taken.map(({ filePaymentId }) => filePaymentId)).toEqual([ids[1]]);
    });
  });

  it('until the deadline of the TPP, and no longer', async () => {
    const deadline = new Date(clock.time + 3_600_000);
    const [filePaymentId, other] = [await aFilePayment({ deadline }), await aFilePayment()];
    const states: unknown[] = [];
    for (const now of [new Date(deadline.getTime() - 1), deadline]) {
      await new PaymentApprovalService(database).endOverdue({ now, batchSize: 100, approvalSeconds: 86_400 });
      const sql = 'SELECT status FROM payment_orders WHERE payment_order_id = $1';
      states.push(...(await dataSource.query(sql, [filePaymentId])));
    }
    expect(states).toEqual([{ status: 'InitiationPending' }, { status: 'InitiationFailed' }]);
    const payments = 'SELECT status FROM payments WHERE payment_order_id = ANY ($1) ORDER BY payment_order_id = $2';
    expect(await dataSource.query(payments, [[filePaymentId, other], other])).toEqual([
      { status: 'Rejected' },
      { status: 'Pending' },
    ]);
  });

  it.each([
    ['approved', 'approvals_received = 2', { status: 'InitiationPending', approvals_received: 2 }],
    ['declined', `status = 'InitiationFailed'`, { status: 'InitiationFailed', approvals_received: 1 }],
  ])('not that waiting has ended, if it was %s at that moment', async (title, decision, expected) => {
    const filePaymentId = await aFilePayment();
    const approvals = new PaymentApprovalService(database);
    // Found while it still waits; the end then waits for the decision, and finds it.
    const ending = await database.transaction(async (runner) => {
      await runner.query(`decide-${title}`, `UPDATE payment_orders SET ${decision} WHERE payment_order_id = $1`, [
        filePaymentId,
      ]);
      const end = approvals.endOverdue({ now: later(999_999_999), batchSize: 100, approvalSeconds: 1 });
      await until(async () => {
        const waiting = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
        return (await dataSource.query(waiting)).length > 0;
      });
      return { end };
    });
    await ending.end;
    const [row] = await dataSource.query('SELECT * FROM payment_orders WHERE payment_order_id = $1', [filePaymentId]);
    expect(row).toMatchObject({ ...expected, status_updated_at: clock.now() });
  });

  it('later, with growing pauses, while the bank is unavailable; the bank’s own limit ends it', async () => {
    Logger.overrideLogger(false);
    await aFilePayment();
    const ownDeadline = new Date(clock.time + 86_400_000).toISOString();
    answer = () => {
      throw new BankUnavailableError('away');
    };
    const attempts: number[] = [];
    // Pauses of 10, 20 and 40 seconds.
    for (const passed of [0, 9, 1, 20, 39]) {
      clock.time += passed * 1_000;
      await notifier().notifyNext();
      attempts.push(told.length);
    }
    expect(attempts).toEqual([1, 1, 2, 3, 3]);
    expect(told[0]?.approveBefore).toBe(ownDeadline);
  });

  it.each([
    [
      'refuses it',
      () => {
        throw new BankRefusedError('never');
      },
    ],
    ['tells nobody', () => 'NotOffered' as const],
  ])('no more once the bank %s', async (_title, said) => {
    Logger.overrideLogger(false);
    await aFilePayment();
    answer = said;
    for (let hour = 0; hour < 3; hour += 1) {
      await notifier().notifyNext();
      clock.time += 3_600_000;
    }
    expect(told).toHaveLength(1);
  });

  it('no more once somebody has decided', async () => {
    const declined = await aFilePayment();
    const approved = await aFilePayment();
    await dataSource.query(`UPDATE payment_orders SET status = 'InitiationFailed' WHERE payment_order_id = $1`, [
      declined,
    ]);
    await dataSource.query(`UPDATE payment_orders SET approvals_received = 2 WHERE payment_order_id = $1`, [approved]);
    await notifier().notifyNext();
    expect(told).toEqual([]);
    expect(await dataSource.query('SELECT FROM approval_requests')).toEqual([]);
  });
});
