import { Injectable } from '@nestjs/common';
import { Clock, Config, type StatementTime } from '#libs/config';
import { paymentOrderTransitions, finalStates, settledStates, sqlList } from '#libs/obie-rules';
import { noteReconciliationsOf } from './note-reconciliations-sql.js';
import { changedOrder, noteOrderEventsOf } from './order-records-sql.js';
import { Database, lockedRowByKey, rowByKey, secondsAfter, statement } from '#libs/persistence';
import type { PaymentStatusDetail } from './payment.entity.js';
import { noteResultsOf, type PaymentResult, resultValues } from './payment-result.js';

/** A payment about which the scheme may still have news. */
export interface UnsettledPayment {
  readonly paymentId: string;
  readonly localInstrument: string;
  /** its final state is overdue */
  readonly isOverdue: boolean;
}

/** SQL on `payments`: the scheme may still have news. */
export const isUnsettledSql = `payments.status NOT IN (${sqlList(settledStates)})`;

/** @returns seconds after its execution until the final state of a payment is expected */
export function settlementSeconds({ filePayment }: Pick<Config, 'filePayment'>): number {
  return filePayment.settlementDays * 86_400;
}

/** @returns when the final state of a payment executed at that time is expected */
export function settlementEnd(execution: Date, config: Pick<Config, 'filePayment'>): Date {
  return new Date(execution.getTime() + settlementSeconds(config) * 1_000);
}

const takeUnsettled = statement<{ now: StatementTime; limit: number }>('take-unsettled-payments', ['now'])`
  WITH taken AS (
    UPDATE payments
       SET attempts = attempts + 1, next_attempt_at = ${secondsAfter(
         ':now::timestamptz',
         'CASE WHEN attempts < 100 THEN least(power(2, least(attempts, 10)), 900) ELSE 3600 END',
       )}
     WHERE payment_id = ANY (ARRAY(
       SELECT payment_id FROM payments WHERE next_attempt_at <= :now
        ORDER BY next_attempt_at LIMIT :limit FOR UPDATE SKIP LOCKED))
     RETURNING payment_id, payment_order_id)
  SELECT taken.payment_id AS "paymentId", consent.local_instrument AS "localInstrument",
         file.status IN (${sqlList(finalStates(paymentOrderTransitions))})
           AND coalesce(file.settle_by <= :now, file.batch_accepted_at <= :now - interval '1 year') AS "isOverdue"
    FROM taken
   CROSS JOIN ${rowByKey('payment_orders', 'payment_order_id = taken.payment_order_id')} AS file
   CROSS JOIN ${rowByKey('payment_consents', 'consent_id = file.consent_id')} AS consent`;

const holdUnsettled = statement<{
  paymentIds: readonly string[];
  details: readonly string[];
  now: StatementTime;
  fault: string;
}>('hold-unsettled-payments', ['paymentIds'])`
  WITH overdue AS MATERIALIZED (
    SELECT given.payment_id, given.detail FROM unnest(:paymentIds::text[], :details::text[]) AS given (payment_id,
      detail)
     CROSS JOIN ${lockedRowByKey('payments', 'payment_id = given.payment_id')} AS payments
     WHERE payments.next_attempt_at IS NOT NULL AND ${isUnsettledSql}),
  stopped AS (
    UPDATE payments SET next_attempt_at = NULL, status_detail = overdue.detail FROM overdue
     WHERE payments.payment_id = overdue.payment_id AND payments.payment_id = ANY (:paymentIds)
    RETURNING payments.payment_order_id),
  former AS MATERIALIZED (
    SELECT file.payment_order_id, file.held_at FROM (SELECT DISTINCT payment_order_id FROM stopped
      ORDER BY payment_order_id) AS of_stopped
     CROSS JOIN ${lockedRowByKey('payment_orders', 'payment_order_id = of_stopped.payment_order_id')} AS file),
  noted AS (
    UPDATE payment_orders AS file SET held_at = coalesce(file.held_at, :now), last_fault = :fault
      FROM former WHERE file.payment_order_id = former.payment_order_id
       AND file.payment_order_id = ANY (ARRAY(SELECT payment_order_id FROM former))
    RETURNING ${changedOrder('file')}, former.held_at IS NULL AS is_news),
  held AS (SELECT * FROM noted WHERE is_news),
  event AS (${noteOrderEventsOf('held', 'held')}),
  reconciliation AS (${noteReconciliationsOf('held')})
  SELECT payment_order_id FROM noted`;

const noteSettled = noteResultsOf('note-payments-settled');

/**
 * Asks about payments that were handed over until their final state is known: after 1, 2, 4 ... seconds, every quarter
 * of an hour for about a day, then every hour. Overdue payments are held for a person.
 */
@Injectable()
export class SettlementWatch {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Takes payments about which the scheme must be asked again. */
  async take(limit: number): Promise<UnsettledPayment[]> {
    const { rows } = await this.database.query<UnsettledPayment & { [column: string]: unknown }>(
      ...takeUnsettled.with({ now: this.clock.ofDatabase(), limit }),
    );
    return rows;
  }

  /** Records the scheme's reports on payments that were handed over. */
  async note(results: readonly PaymentResult[]): Promise<void> {
    if (results.length === 0) return;
    const values = { ...resultValues(results), now: this.clock.ofDatabase(), askedInSeconds: undefined };
    await this.database.query(...noteSettled.with(values));
  }

  /**
   * Stops asking about overdue payments that have no final state, and holds their file payments: an event says so, and
   * the report file. The bank's own reports on them still count.
   * @returns ids of their file payments
   */
  async hold(payments: readonly UnsettledPayment[]): Promise<string[]> {
    if (payments.length === 0) return [];
    const { rows } = await this.database.query<{ payment_order_id: string }>(
      ...holdUnsettled.with({
        paymentIds: payments.map(({ paymentId }) => paymentId),
        details: payments.map(({ localInstrument }) => JSON.stringify(overdueDetail(localInstrument))),
        now: this.clock.ofDatabase(),
        fault: 'The bank has not reported the outcome of accepted payments in time.',
      }),
    );
    return rows.map((row) => row.payment_order_id);
  }
}

/** What the report says about a payment that the bank accepted but has not reported on since. */
function overdueDetail(localInstrument: string): PaymentStatusDetail {
  return {
    LocalInstrument: localInstrument,
    Status: 'SettlementOverdue',
    StatusReason: 'PendingSettlement',
    StatusReasonDescription: 'The outcome of the payment is not yet known. The bank is investigating.',
  };
}
