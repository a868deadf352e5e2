import { noteEventsOf } from '#libs/events';
import { noteReconciliationsOf } from './note-reconciliations-sql.js';

/**
 * RETURNING of an UPDATE of payment_orders: the columns that the records need.
 * @param alias of the table in the UPDATE
 */
export const changedOrder = (alias: string): string => `
  ${alias}.payment_order_id, ${alias}.consent_id, ${alias}.client_id, ${alias}.status, ${alias}.status_updated_at,
  greatest(${alias}.status_updated_at, ${alias}.approvals_updated_at, ${alias}.held_at) AS changed_at`;

/** What has changed in a file payment. */
type Change = 'status' | 'approval' | 'held' | 'payments';

/** Kind and version are those of the consent, which never change. */
const ofConsent = (column: string): string =>
  `(SELECT consent.${column} FROM payment_consents AS consent WHERE consent.consent_id = changed.consent_id)`;

/**
 * Part of WITH: writes the webhook event of changed file payments.
 * @param source relation of the same statement with the columns of {@link changedOrder}, one row for each file
 * payment
 */
export function noteOrderEventsOf(source: string, change: Change): string {
  const news = `(
    SELECT changed.*, ${ofConsent('kind')} AS kind, ${ofConsent('api_version')} AS api_version
      FROM ${source} AS changed) AS news`;
  return noteEventsOf(news, {
    type: `kind || '.${change}'`,
    resourceType: 'kind',
    resourceId: 'payment_order_id',
    at: 'changed_at',
  });
}

/**
 * Parts of WITH: write the records of ended file payments, and of their payments that were Rejected with them.
 * @param ended relation of the same statement with the columns of {@link changedOrder}
 * @param rejected relation of the same statement, its payments, with the column payment_order_id
 */
export function recordsOfEnded(ended: string, rejected: string): string {
  const withPayments = `(
    SELECT * FROM ${ended} WHERE payment_order_id IN (SELECT payment_order_id FROM ${rejected}))`;
  return `
  ended_event AS (${noteOrderEventsOf(ended, 'status')}),
  rejected_event AS (${noteOrderEventsOf(withPayments, 'payments')}),
  ended_reconciliation AS (${noteReconciliationsOf(ended)})`;
}

/**
 * Part of WITH: queues the notification of the further approvers of a new file payment.
 * @param source relation of the same statement, new file payments: payment_order_id, approvals_required,
 * approvals_received and created_at
 */
export function requestApprovalsOf(source: string): string {
  return `
    INSERT INTO approval_requests (payment_order_id, next_attempt_at)
    SELECT payment_order_id, created_at FROM ${source} WHERE approvals_received < approvals_required`;
}
