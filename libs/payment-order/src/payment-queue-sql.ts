import {
  paymentOrderStep,
  paymentOrderTransitions,
  finalStates,
  paymentStep,
  settledStates,
  sqlList,
} from '#libs/obie-rules';
import { noteReconciliationsOf } from './note-reconciliations-sql.js';
import { rowByKey, secondsAfter } from '#libs/persistence';
import { noteResults } from './payment-result.js';
import { consentAndClient, isWaitingSql, stopCauseSql } from './stop-cause-sql.js';

const pending = paymentOrderStep('InitiationPending', 'InitiationCompleted').from;
const rejected = paymentStep('Pending', 'Rejected').to;

/**
 * SQL on payment_orders: still leased to the worker of this attempt. Taking it over increments the attempt; stopping,
 * holding or ending it removes it from the queue.
 */
export const isLeased = (attempt: string): string =>
  `status = '${pending}' AND hand_over_attempt = ${attempt} AND held_at IS NULL AND stopped_at IS NULL`;

/** SQL: puts a file payment aside, or leases it for so many seconds. */
const leaseOrPutAside = (now: string, leaseSeconds: string): string => `
  next_attempt_at = CASE WHEN judged.stop_cause IS NULL THEN ${secondsAfter(`${now}::timestamptz`, `${leaseSeconds}::integer`)} END,
  stopped_at = CASE WHEN judged.stop_cause IS NOT NULL THEN ${now}::timestamptz END, stop_cause = judged.stop_cause`;

/** SQL: what the report says of a file payment that was put aside now, as relation `aside`. */
const tellOfStop = (aside: string, detail: string): string => `
  UPDATE payments SET status_detail = ${detail}::text FROM ${aside}
   WHERE ${aside}.stop_cause IS NOT NULL AND payments.payment_order_id = ${aside}.payment_order_id AND ${isWaitingSql}`;

/**
 * Leaves out held file payments. For `IS NULL` PostgreSQL would expect so few rows in a new table that it would read
 * and sort them all.
 *
 * $1 now, $2 seconds of the lease, $3 what the report says of one that is stopped
 */
export const takeSql = `
  WITH due AS MATERIALIZED (
    SELECT payment_order_id FROM payment_orders
     WHERE next_attempt_at <= $1 AND num_nonnulls(held_at) < 1 AND status NOT IN (${sqlList(finalStates(paymentOrderTransitions))})
     ORDER BY next_attempt_at LIMIT 1 FOR UPDATE SKIP LOCKED),
  judged AS MATERIALIZED (
    SELECT payment.payment_order_id, ${stopCauseSql} AS stop_cause
      FROM due CROSS JOIN ${rowByKey('payment_orders', 'payment_order_id = due.payment_order_id')} AS payment ${consentAndClient}),
  taken AS (
    UPDATE payment_orders AS payment
       SET attempts = attempts + 1, hand_over_attempt = hand_over_attempt + 1, ${leaseOrPutAside('$1', '$2')}
      FROM judged WHERE payment.payment_order_id = judged.payment_order_id
    RETURNING payment.payment_order_id, consent_id, approvals_updated_at, batch_accepted_at, attempts, hand_over_attempt, faults,
      payment.stop_cause, payment.client_id, payment.status_updated_at),
  told AS (${tellOfStop('taken', '$3')}),
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

/**
 * $1 to $6 of noteResults, $7 file payment, $8 attempt, $9 seconds of the lease, $10 what the report says of one that
 * is stopped
 */
export const noteHandedOverSql = `
  WITH judged AS MATERIALIZED (
    SELECT payment.payment_order_id, ${stopCauseSql} AS stop_cause
      FROM ${rowByKey('payment_orders', 'payment_order_id = $7::uuid')} AS payment ${consentAndClient}),
  lease AS (
    UPDATE payment_orders AS payment
       SET attempts = CASE WHEN cardinality($1::text[]) > 0 THEN 0 ELSE attempts END,
           hand_over_attempt = hand_over_attempt + (judged.stop_cause IS NOT NULL)::int, ${leaseOrPutAside('$5', '$9')}
      FROM judged WHERE payment.payment_order_id = $7::uuid AND ${isLeased('$8::integer')}
    RETURNING payment.payment_order_id, payment.stop_cause, payment.consent_id, payment.client_id, payment.status_updated_at),
  ${noteResults({ others: 'lease WHERE stop_cause IS NOT NULL' })},
  told AS (
    ${tellOfStop('lease', '$10')} AND payments.payment_id <> ALL ($1::text[]))
  SELECT EXISTS (SELECT FROM lease) AS is_leased, (SELECT stop_cause FROM lease) AS stop_cause,
         ARRAY(
           SELECT given.payment_id FROM unnest($1::text[], $2::text[]) AS given (payment_id, status)
            CROSS JOIN ${rowByKey('payments', 'payment_id = given.payment_id')} AS payment
            WHERE payment.status IN (${sqlList(settledStates)})
              AND (payment.status = '${rejected}') <> (given.status = '${rejected}')) AS contradicted`;
