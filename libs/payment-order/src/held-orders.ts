import { type PaymentOrderStatus, paymentOrderStep, paymentStep } from '#libs/obie-rules';
import { changedOrder, recordsOfEnded } from './order-records-sql.js';
import { statement, type StatementRunner } from '#libs/persistence';
import { withKind } from './kind-sql.js';
import { isDueTooLate } from './due-too-late.js';
import type { PaymentStatusDetail } from './payment.entity.js';
import { noteResultsOf, type PaymentResult, resultValues } from './payment-result.js';
import { isUnsettledSql } from './settlement-watch.js';

const completion = paymentOrderStep('InitiationPending', 'InitiationCompleted');
const failure = paymentOrderStep('InitiationPending', 'InitiationFailed');
const refusal = paymentStep('Pending', 'Rejected');

/**
 * A file payment that waits for a person to decide. It is InitiationPending, and too many of the bank's answers made no
 * sense; or it is InitiationCompleted, and the bank did not report in time on payments that it accepted.
 */
export interface HeldOrder {
  readonly filePaymentId: string;
  /** name of its kind of consent */
  readonly kind: string;
  readonly consentId: string;
  readonly clientId: string;
  readonly status: PaymentOrderStatus;
  readonly heldAt: Date;
  readonly faults: number;
  readonly lastFault: string | null;
  /** number of payments that the bank has acknowledged */
  readonly handedOver: number;
  /** PaymentIds, also the bank's idempotency keys, of the others */
  readonly waiting: readonly string[];
  /** PaymentIds of acknowledged payments about which the bank is no longer asked */
  readonly unsettled: readonly string[];
}

const isRejectable = `(held_at IS NOT NULL OR stopped_at IS NOT NULL) AND status = '${completion.from}'`;
const isWaiting = `payments.handed_over_at IS NULL`;
const isForgotten = `payments.handed_over_at IS NOT NULL AND payments.next_attempt_at IS NULL AND ${isUnsettledSql}`;

/** Bounds the work, however many are held. */
const longestHeld = `(SELECT * FROM payment_orders WHERE held_at IS NOT NULL ORDER BY held_at LIMIT 5000)`;

const findHeld = statement<object>('find-held-file-payments')`${withKind(
  `SELECT held.payment_order_id AS "filePaymentId", held.consent_id AS "consentId", held.client_id AS "clientId",
          held.status, held.held_at AS "heldAt", held.faults, held.last_fault AS "lastFault",
          count(*) FILTER (WHERE payments.handed_over_at IS NOT NULL)::int AS "handedOver",
          coalesce(array_agg(payments.payment_id ORDER BY payments.position) FILTER (WHERE ${isWaiting}),
            '{}') AS waiting,
          coalesce(array_agg(payments.payment_id ORDER BY payments.position) FILTER (WHERE ${isForgotten}),
            '{}') AS unsettled
     FROM ${longestHeld} AS held JOIN payments USING (payment_order_id)
    GROUP BY held.payment_order_id, held.consent_id, held.client_id, held.status, held.held_at, held.faults,
      held.last_fault
   HAVING held.status = '${completion.from}' OR bool_or(${isForgotten}) ORDER BY held.held_at LIMIT 500`,
  '"heldAt"',
)}`;

/** @returns the file payments that are held, the oldest first, at most 500 */
export async function findHeldOrders(runner: StatementRunner): Promise<HeldOrder[]> {
  const { rows } = await runner.query<HeldOrder & { [column: string]: unknown }>(...findHeld.with({}));
  return rows;
}

/** How many file payments are held, by what is open, of 5,000 at most. No parameters. */
export const countHeldSql = `
  SELECT count(*) FILTER (WHERE held.status = '${completion.from}')::int AS "handOver",
         count(*) FILTER (WHERE held.status <> '${completion.from}' AND EXISTS (
           SELECT FROM payments WHERE payments.payment_order_id = held.payment_order_id
             AND ${isForgotten}))::int AS settlement
    FROM ${longestHeld} AS held`;

/**
 * More than workers make between a backup and its restore, unless it was retried since: one a minute for two months.
 */
const skippedAttempts = 100_000;

const retryHeld = statement<{ filePaymentId: string; now: Date }>('retry-held-file-payment', ['filePaymentId'])`
  WITH resumed AS (
    UPDATE payment_orders SET held_at = NULL, faults = 1, attempts = 0, next_attempt_at = :now,
           hand_over_attempt = hand_over_attempt + ${skippedAttempts}
     WHERE payment_order_id = :filePaymentId AND (held_at IS NOT NULL OR ${isDueTooLate('payment_orders', ':now')})
       AND status = '${completion.from}'
    RETURNING payment_order_id, client_id),
  told AS (
    UPDATE payments SET status_detail = NULL FROM resumed
     WHERE payments.payment_order_id = resumed.payment_order_id AND handed_over_at IS NULL)
  SELECT client_id FROM resumed`;

/**
 * Retries a file payment that is held, or due too late. The bank is asked about each payment first, because an earlier
 * attempt may have reached it. The number of the next attempt is above any that the bank may know from before a restore
 * of the database.
 * @returns its client; undefined if no file payment of this id is held
 */
export async function retryHeldOrder(
  runner: StatementRunner,
  { filePaymentId, now }: { filePaymentId: string; now: Date },
): Promise<string | undefined> {
  const { rows } = await runner.query<{ client_id: string }>(...retryHeld.with({ filePaymentId, now }));
  return rows[0]?.client_id;
}

/** More than a worker makes after a restore of the database, before the bank's answer holds the file payment. */
const seizedAttempts = 1_000;

const seize = statement<{ filePaymentId: string }>('seize-file-payment', ['filePaymentId'])`
  UPDATE payment_orders SET hand_over_attempt = hand_over_attempt + ${seizedAttempts}, next_attempt_at = NULL
  WHERE payment_order_id = :filePaymentId AND ${isRejectable} RETURNING client_id, hand_over_attempt, greatest(held_at,
    stopped_at) AS since`;

/**
 * Takes a held or stopped file payment away from any worker that may still process it: from now on every earlier
 * attempt is outdated, even one from a database restored to an earlier moment.
 * @returns its client, the valid attempt, and since when no worker has it; undefined if no file payment of this id is
 * held or stopped
 */
export async function seizeOrder(
  runner: StatementRunner,
  filePaymentId: string,
): Promise<{ clientId: string; handOverAttempt: number; since: Date } | undefined> {
  const { rows } = await runner.query<{ client_id: string; hand_over_attempt: number; since: Date }>(
    ...seize.with({ filePaymentId }),
  );
  const [row] = rows;
  return row && { clientId: row.client_id, handOverAttempt: row.hand_over_attempt, since: row.since };
}

const noteFound = noteResultsOf<{ filePaymentId: string }>(
  'note-payments-found',
  'payments.payment_order_id = :filePaymentId::uuid',
);

/**
 * Records which payments the bank has, before the others end.
 * @param results from the bank's own book
 */
export async function noteFoundAtBank(
  runner: StatementRunner,
  { filePaymentId, results, now }: { filePaymentId: string; results: readonly PaymentResult[]; now: Date },
): Promise<void> {
  if (results.length === 0) return;
  await runner.query(...noteFound.with({ ...resultValues(results), now, askedInSeconds: 0, filePaymentId }));
}

// Locks the payments: the bank may report one of them at this moment.
const rejectHeld = statement<{
  filePaymentId: string;
  now: Date;
  detail: PaymentStatusDetail;
  settleBy: Date;
  handOverAttempt: number;
}>('reject-held-file-payment', ['filePaymentId'])`
  WITH items AS MATERIALIZED (
    SELECT handed_over_at FROM payments WHERE payment_order_id = :filePaymentId ORDER BY payment_id FOR NO KEY UPDATE),
  ended AS (
    UPDATE payment_orders
       SET status = CASE WHEN EXISTS (SELECT FROM items WHERE handed_over_at IS NOT NULL)
             THEN '${completion.to}' ELSE '${failure.to}' END,
           status_updated_at = :now, status_reason = :detail::text::json ->> 'Status', held_at = NULL,
             stopped_at = NULL, stop_cause = NULL, next_attempt_at = NULL,
           hand_over_attempt = hand_over_attempt + 1, settle_by = greatest(settle_by, :settleBy)
     WHERE payment_order_id = :filePaymentId AND hand_over_attempt = :handOverAttempt AND ${isRejectable}
    RETURNING ${changedOrder('payment_orders')}),
  rejected AS (
    UPDATE payments SET status = '${refusal.to}', status_updated_at = :now, status_detail = :detail::text,
      next_attempt_at = NULL
      FROM ended
     WHERE payments.payment_order_id = ended.payment_order_id AND handed_over_at IS NULL
       AND payments.status = '${refusal.from}'
    RETURNING payments.payment_order_id),
  ${recordsOfEnded('ended', 'rejected')}
  SELECT client_id FROM ended`;

/**
 * Ends a file payment that is held or stopped: payments that the bank has not acknowledged are Rejected and never
 * handed over. The caller has made sure that the bank has none of these, and that nobody hands them over meanwhile
 * ({@link seizeOrder}).
 * @param decision.handOverAttempt that of the seizure: if a worker has taken the file payment since, nothing ends
 * @param decision.settleBy when the final states of the acknowledged payments are expected
 * @returns its client; undefined if no file payment of this id is held or stopped and still seized
 */
export async function rejectHeldOrder(
  runner: StatementRunner,
  decision: { filePaymentId: string; handOverAttempt: number; now: Date; settleBy: Date },
): Promise<string | undefined> {
  const detail: PaymentStatusDetail = {
    Status: 'RefusedByBank',
    StatusReason: 'ProprietaryRejection',
    StatusReasonDescription: 'The bank could not make the payment.',
  };
  const { rows } = await runner.query<{ client_id: string }>(...rejectHeld.with({ ...decision, detail }));
  return rows[0]?.client_id;
}
