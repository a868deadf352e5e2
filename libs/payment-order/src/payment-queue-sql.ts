import type { StatementTime } from '#libs/config';
import {
  paymentOrderStep,
  paymentOrderTransitions,
  finalStates,
  paymentStep,
  settledStates,
  sqlList,
} from '#libs/obie-rules';
import { changedOrder, noteOrderEventsOf, recordsOfEnded } from './order-records-sql.js';
import { noteReconciliationsOf } from './note-reconciliations-sql.js';
import { rowByKey, secondsAfter, statement } from '#libs/persistence';
import { type NotedResults, noteResults, resultNames } from './payment-result.js';
import type { PaymentStatusDetail } from './payment.entity.js';
import { consentAndClient, isWaitingSql, stopCauseSql } from './stop-cause-sql.js';

const completion = paymentOrderStep('InitiationPending', 'InitiationCompleted');
const failure = paymentOrderStep('InitiationPending', 'InitiationFailed');
const refusal = paymentStep('Pending', 'Rejected');

/** A worker's hold on a file payment: its id and the number of the attempt. */
export interface Lease {
  readonly filePaymentId: string;
  readonly handOverAttempt: number;
}

/**
 * SQL on payment_orders: still leased to the worker of `:handOverAttempt`. Taking it over increments the attempt;
 * stopping, holding or ending it removes it from the queue.
 */
const isLeased = (attempt = ':handOverAttempt'): string =>
  `status = '${completion.from}' AND hand_over_attempt = ${attempt} AND held_at IS NULL AND stopped_at IS NULL`;

/** SQL: puts a file payment aside, or leases it. */
const leaseOrPutAside = (now: string, leaseSeconds: string): string => `
  next_attempt_at = CASE WHEN judged.stop_cause IS NULL THEN
    ${secondsAfter(`${now}::timestamptz`, `${leaseSeconds}::integer`)} END,
  stopped_at = CASE WHEN judged.stop_cause IS NOT NULL THEN ${now}::timestamptz END, stop_cause = judged.stop_cause`;

/** SQL: writes into the report that the file payment in relation `aside` was put aside. */
const tellOfStop = (aside: string, detail: string): string => `
  UPDATE payments SET status_detail = ${detail}::text FROM ${aside}
   WHERE ${aside}.stop_cause IS NOT NULL AND payments.payment_order_id = ${aside}.payment_order_id AND ${isWaitingSql}`;

/**
 * Excludes final states and held file payments. If the query named the open state, or said `IS NULL`, PostgreSQL would
 * expect few rows in a new table, and read and sort them all. `detail` is what the report says about a stopped one.
 */
export const takeOrder = statement<{ now: StatementTime; leaseSeconds: number; detail: PaymentStatusDetail }>(
  'take-file-payment',
  ['now'],
)`
  WITH due AS MATERIALIZED (
    SELECT payment_order_id FROM payment_orders
     WHERE next_attempt_at <= :now AND num_nonnulls(held_at) < 1
       AND status NOT IN (${sqlList(finalStates(paymentOrderTransitions))})
     ORDER BY next_attempt_at LIMIT 1 FOR UPDATE SKIP LOCKED),
  judged AS MATERIALIZED (
    SELECT payment.payment_order_id, ${stopCauseSql} AS stop_cause
      FROM due CROSS JOIN ${rowByKey('payment_orders', 'payment_order_id = due.payment_order_id')} AS payment
        ${consentAndClient}),
  taken AS (
    UPDATE payment_orders AS payment
       SET attempts = attempts + 1, hand_over_attempt = hand_over_attempt + 1,
         ${leaseOrPutAside(':now', ':leaseSeconds')}
      FROM judged WHERE payment.payment_order_id = judged.payment_order_id
    RETURNING payment.payment_order_id, consent_id, approvals_updated_at, batch_accepted_at, attempts,
      hand_over_attempt, faults,
      payment.stop_cause, payment.client_id, payment.status_updated_at),
  told AS (${tellOfStop('taken', ':detail')}),
  stopped AS (${noteReconciliationsOf('taken WHERE stop_cause IS NOT NULL')})
  SELECT taken.*, consent.psu_id, consent.debtor_account, consent.local_instrument,
         consent.approved_hash, consent.risk, list.instructions,
         consent.challenge_id || ARRAY(
           SELECT challenge_id FROM payment_approvals AS approval
            WHERE approval.payment_order_id = taken.payment_order_id AND decision = 'Approved') AS challenge_ids,
         (SELECT json_agg(json_build_object('payment_id', payment.payment_id, 'position', payment.position)
                   ORDER BY payment.position)
            FROM payments AS payment
           WHERE payment.payment_order_id = taken.payment_order_id AND payment.handed_over_at IS NULL) AS waiting
    FROM taken JOIN payment_consents AS consent USING (consent_id)
    LEFT JOIN ${rowByKey('instruction_lists', 'consent_id = taken.consent_id')} AS list ON true`;

/** `detail` is what the report says about a stopped one. */
export const noteHandedOver = statement<NotedResults & Lease & { leaseSeconds: number; detail: PaymentStatusDetail }>(
  'note-payments-handed-over',
  [...resultNames, 'filePaymentId'],
)`
  WITH judged AS MATERIALIZED (
    SELECT payment.payment_order_id, ${stopCauseSql} AS stop_cause
      FROM ${rowByKey('payment_orders', 'payment_order_id = :filePaymentId::uuid')} AS payment ${consentAndClient}),
  lease AS (
    UPDATE payment_orders AS payment
       SET attempts = CASE WHEN cardinality(:paymentIds::text[]) > 0 THEN 0 ELSE attempts END,
           hand_over_attempt = hand_over_attempt + (judged.stop_cause IS NOT NULL)::int,
             ${leaseOrPutAside(':now', ':leaseSeconds')}
      FROM judged WHERE payment.payment_order_id = :filePaymentId::uuid AND ${isLeased(':handOverAttempt::integer')}
    RETURNING payment.payment_order_id, payment.stop_cause, payment.consent_id, payment.client_id,
      payment.status_updated_at),
  ${noteResults({ others: 'lease WHERE stop_cause IS NOT NULL' })},
  told AS (
    ${tellOfStop('lease', ':detail')} AND payments.payment_id <> ALL (:paymentIds::text[]))
  SELECT EXISTS (SELECT FROM lease) AS is_leased, (SELECT stop_cause FROM lease) AS stop_cause,
         ARRAY(
           SELECT given.payment_id FROM unnest(:paymentIds::text[], :statuses::text[]) AS given (payment_id, status)
            CROSS JOIN ${rowByKey('payments', 'payment_id = given.payment_id')} AS payment
            WHERE given.payment_id NOT IN (SELECT payment_id FROM former)
              AND payment.status IN (${sqlList(settledStates)})
              AND (payment.status = '${refusal.to}') <> (given.status = '${refusal.to}')) AS contradicted`;

/** A statement on a leased file payment. */
const ofLease = <Step extends object>(name: string) => statement<Lease & Step>(name, ['filePaymentId']);

/** The bank has reserved the money of the file. */
export const noteBatchAccepted = ofLease<{ now: StatementTime; leaseSeconds: number; settleBy: Date }>(
  'note-batch-accepted',
)`
  UPDATE payment_orders SET batch_accepted_at = :now, next_attempt_at =
    ${secondsAfter(':now::timestamptz', ':leaseSeconds::integer')}, attempts = 0,
         settle_by = :settleBy
   WHERE payment_order_id = :filePaymentId AND ${isLeased()}`;

/** Only if nothing waits to be handed over. */
export const completeOrder = ofLease<{ now: StatementTime; settlementSeconds: number }>('complete-file-payment')`
  WITH completed AS (
    UPDATE payment_orders SET status = '${completion.to}', status_updated_at = :now, next_attempt_at = NULL,
           settle_by = greatest(settle_by, ${secondsAfter(':now::timestamptz', ':settlementSeconds::integer')})
     WHERE payment_order_id = :filePaymentId AND ${isLeased()}
       AND NOT EXISTS (SELECT FROM payments WHERE payments.payment_order_id = :filePaymentId AND handed_over_at IS NULL)
    RETURNING ${changedOrder('payment_orders')}),
  event AS (${noteOrderEventsOf('completed', 'status')}),
  reconciliation AS (${noteReconciliationsOf('completed')})
  SELECT FROM completed`;

/** Nothing was handed over, and no payment ever will be. */
export const failOrder = ofLease<{ now: StatementTime; detail: PaymentStatusDetail }>('fail-file-payment')`
  WITH failed AS (
    UPDATE payment_orders SET status = '${failure.to}', status_updated_at = :now,
      status_reason = :detail::text::json ->> 'Status',
           next_attempt_at = NULL
     WHERE payment_order_id = :filePaymentId AND ${isLeased()} RETURNING ${changedOrder('payment_orders')}),
  rejected AS (
    UPDATE payments SET status = '${refusal.to}', status_updated_at = :now, status_detail = :detail::text,
      next_attempt_at = NULL
      FROM failed WHERE payments.payment_order_id = failed.payment_order_id AND payments.status = '${refusal.from}'
    RETURNING payments.payment_order_id),
  ${recordsOfEnded('failed', 'rejected')}
  SELECT FROM failed`;

export const retryOrder = ofLease<{ now: StatementTime; pauseSeconds: number }>('retry-file-payment')`
  UPDATE payment_orders SET next_attempt_at = ${secondsAfter(':now::timestamptz', ':pauseSeconds::integer')}
   WHERE payment_order_id = :filePaymentId AND ${isLeased()}`;

/** After `limit` faults the file payment is held, and its report says so (`detail`). */
export const noteFaultOfOrder = ofLease<{
  now: StatementTime;
  pauseSeconds: number;
  fault: string;
  limit: number;
  detail: PaymentStatusDetail;
}>('note-file-payment-fault')`
  WITH noted AS (
    UPDATE payment_orders
       SET faults = faults + 1, last_fault = :fault, held_at = CASE
         WHEN faults + 1 >= :limit::integer THEN :now::timestamptz END,
           next_attempt_at = CASE WHEN faults + 1 < :limit::integer THEN
             ${secondsAfter(':now::timestamptz', ':pauseSeconds::integer')} END
     WHERE payment_order_id = :filePaymentId AND ${isLeased()} RETURNING ${changedOrder('payment_orders')}, held_at),
  held AS (SELECT * FROM noted WHERE held_at IS NOT NULL),
  event AS (${noteOrderEventsOf('held', 'held')}),
  reconciliation AS (${noteReconciliationsOf('held')}),
  told AS (
    UPDATE payments SET status_detail = :detail FROM noted
     WHERE noted.held_at IS NOT NULL AND payments.payment_order_id = noted.payment_order_id AND handed_over_at IS NULL)
  SELECT held_at IS NOT NULL AS is_held FROM noted`;
