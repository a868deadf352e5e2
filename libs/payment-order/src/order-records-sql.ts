import { noteEventsOf } from '#libs/events';
import { noteReconciliationsOf } from './note-reconciliations-sql.js';

/**
 * RETURNING of an UPDATE of file_payments: the columns that the records need.
 * @param alias of the table in the UPDATE
 */
export const changedFilePayment = (alias: string): string => `
  ${alias}.file_payment_id, ${alias}.consent_id, ${alias}.client_id, ${alias}.status, ${alias}.status_updated_at,
  greatest(${alias}.status_updated_at, ${alias}.approvals_updated_at, ${alias}.held_at) AS changed_at`;

/** What has changed in a file payment. */
type Change = 'status' | 'approval' | 'held' | 'payments';

/** Kind and version are those of the consent, which never change. */
const ofConsent = (column: string): string =>
  `(SELECT consent.${column} FROM file_payment_consents AS consent WHERE consent.consent_id = changed.consent_id)`;

/**
 * Part of WITH: writes the webhook event of changed file payments.
 * @param source relation of the same statement with the columns of {@link changedFilePayment}, one row for each file
 * payment
 */
export function noteFilePaymentEventsOf(source: string, change: Change): string {
  const news = `(
    SELECT changed.*, ${ofConsent('kind')} AS kind, ${ofConsent('api_version')} AS api_version FROM ${source} AS changed) AS news`;
  return noteEventsOf(news, {
    type: `kind || '.${change}'`,
    resourceType: 'kind',
    resourceId: 'file_payment_id',
    at: 'changed_at',
  });
}

/**
 * Parts of WITH: write the records of ended file payments, and of their payments that were Rejected with them.
 * @param ended relation of the same statement with the columns of {@link changedFilePayment}
 * @param rejected relation of the same statement, its payments, with the column file_payment_id
 */
export function recordsOfEnded(ended: string, rejected: string): string {
  const withPayments = `(
    SELECT * FROM ${ended} WHERE file_payment_id IN (SELECT file_payment_id FROM ${rejected}))`;
  return `
  ended_event AS (${noteFilePaymentEventsOf(ended, 'status')}),
  rejected_event AS (${noteFilePaymentEventsOf(withPayments, 'payments')}),
  ended_reconciliation AS (${noteReconciliationsOf(ended)})`;
}

/**
 * Part of WITH: queues the notification of the further approvers of a new file payment.
 * @param source relation of the same statement, new file payments: file_payment_id, approvals_required,
 * approvals_received and created_at
 */
export function requestApprovalsOf(source: string): string {
  return `
    INSERT INTO approval_requests (file_payment_id, next_attempt_at)
    SELECT file_payment_id, created_at FROM ${source} WHERE approvals_received < approvals_required`;
}
