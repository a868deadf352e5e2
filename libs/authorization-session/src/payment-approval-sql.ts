import { filePaymentStep, paymentStep } from '#libs/obie-rules';
import { interactionIdForTriggers, lockedRowByKey, rowByKey } from '#libs/persistence';

const failure = filePaymentStep('InitiationPending', 'InitiationFailed');
const refusal = paymentStep('Pending', 'Rejected');

// These statements read and write the tables of file payments, payments and consents: a decision and what follows from it are one.

const columns = `
  payment.file_payment_id, payment.status AS payment_status, payment.created_at, payment.approvals_required,
  payment.approvals_received, consent.debtor_account, consent.control_sum::text AS control_sum, consent.number_of_transactions,
  client.client_name, client.org_name, approval.decision, approval.decided_at, consent.psu_id = $1 AS is_first_approver`;

const consentOfPayment = `CROSS JOIN ${rowByKey('file_payment_consents', 'consent_id = payment.consent_id')} AS consent`;
const joins = `
  ${consentOfPayment}
  CROSS JOIN ${rowByKey('clients', 'client_id = payment.client_id')} AS client
  LEFT JOIN ${rowByKey('file_payment_approvals', 'file_payment_id = payment.file_payment_id AND psu_id = $1')} AS approval ON true`;

// The account of the consent is one of the bank's own, in the bank's own writing: it is compared as it is.
const ofAccounts = `
  EXISTS (
    SELECT FROM unnest($2::text[], $3::text[]) AS account (scheme_name, identification)
    WHERE account.scheme_name = consent.debtor_account ->> 'SchemeName'
      AND account.identification = consent.debtor_account ->> 'Identification')`;

/** $1 PSU, $2 schemes and $3 identifications of the PSU's accounts. Oldest first; what this PSU has already decided is left out. */
export const findAwaitingSql = `
  SELECT ${columns} FROM file_payments AS payment ${joins}
  WHERE payment.status = '${failure.from}' AND payment.approvals_received < payment.approvals_required
    AND consent.psu_id <> $1 AND approval.decision IS NULL AND ${ofAccounts}
  ORDER BY payment.created_at LIMIT 100`;

/** $1 PSU, $2, $3 as above, $4 file payment. In whatever state, with all that the page shows. */
export const findPaymentToApproveSql = `
  SELECT ${columns}, consent.consent_id, consent.status AS consent_status, consent.expires_at AS consent_expires_at, consent.initiation,
    consent.authorisation, consent.charges, consent.local_instrument, file.content, sha256(file.content) AS content_hash
  FROM ${rowByKey('file_payments', 'file_payment_id = $4')} AS payment ${joins}
  CROSS JOIN ${rowByKey('payment_files', 'consent_id = consent.consent_id')} AS file
  WHERE payment.approvals_required > 1 AND ${ofAccounts}`;

/**
 * $1 PSU, $2, $3 accounts, $4 file payment, $5 hash of the file that was shown, $6 now, $7 acr, $8 authenticated at, $9 decision,
 * $10 what the report says of a declined payment, $11 interaction id or null.
 * The file payment is locked first, so that of two people who decide at the same moment each finds what the other did. The last approval
 * hands it to the worker; a decline ends it, and no payment of it is ever made.
 */
export const decideSql = `
  WITH held AS MATERIALIZED (
    SELECT payment.file_payment_id FROM ${lockedRowByKey('file_payments', 'file_payment_id = $4::uuid')} AS payment
    ${consentOfPayment}
    CROSS JOIN ${rowByKey('payment_files', 'consent_id = consent.consent_id')} AS file
    WHERE payment.status = '${failure.from}' AND payment.approvals_received < payment.approvals_required
      AND consent.psu_id <> $1::text AND ${ofAccounts} AND sha256(file.content) = $5::bytea),
  approval AS (
    INSERT INTO file_payment_approvals (file_payment_id, psu_id, decision, acr, authenticated_at, decided_at)
    SELECT file_payment_id, $1::text, $9::text, $7::text, $8::timestamptz, $6::timestamptz FROM held
    ON CONFLICT DO NOTHING RETURNING file_payment_id),
  approved AS (
    UPDATE file_payments AS payment
    SET approvals_received = approvals_received + 1, approvals_updated_at = $6::timestamptz,
      next_attempt_at = CASE WHEN approvals_received + 1 >= approvals_required THEN $6::timestamptz END
    FROM approval WHERE $9::text = 'Approved' AND payment.file_payment_id = approval.file_payment_id),
  declined AS (
    UPDATE file_payments AS payment
    SET status = '${failure.to}', status_updated_at = $6::timestamptz, approvals_updated_at = $6::timestamptz, next_attempt_at = NULL
    FROM approval WHERE $9::text = 'Declined' AND payment.file_payment_id = approval.file_payment_id
    RETURNING payment.file_payment_id),
  rejected AS (
    UPDATE payments SET status = '${refusal.to}', status_updated_at = $6::timestamptz, status_detail = $10::text, next_attempt_at = NULL
    FROM declined WHERE payments.file_payment_id = declined.file_payment_id AND payments.status = '${refusal.from}')
  SELECT EXISTS (SELECT FROM approval) AS decided, ${interactionIdForTriggers('$11')}`;

/**
 * $1 latest moment of creation that is overdue in any case, $2 how many, $3 moment and $4 id of the last one seen. With the deadline
 * of the TPP, if there is one. The moment comes and goes as text: a Date would lose its microseconds.
 */
export const findWaitingSql = `
  SELECT payment.file_payment_id, payment.created_at::text AS created_at, payment.created_at <= $1 AS is_overdue, consent.authorisation
  FROM file_payments AS payment ${consentOfPayment}
  WHERE payment.status = '${failure.from}' AND payment.approvals_received < payment.approvals_required
    AND (payment.created_at <= $1 OR consent.authorisation IS NOT NULL)
    AND (payment.created_at, payment.file_payment_id) > ($3::text::timestamptz, $4::uuid)
  ORDER BY payment.created_at, payment.file_payment_id LIMIT $2`;

/** $1 file payments, $2 now, $3 what the report file says of each payment. One that was decided meanwhile stays as it is. */
export const endOverdueSql = `
  WITH ended AS (
    UPDATE file_payments SET status = '${failure.to}', status_updated_at = $2::timestamptz, approvals_updated_at = $2::timestamptz
    WHERE file_payment_id = ANY ($1::uuid[]) AND status = '${failure.from}' AND approvals_received < approvals_required
    RETURNING file_payment_id),
  items AS (
    UPDATE payments SET status = '${refusal.to}', status_updated_at = $2::timestamptz, status_detail = $3::text, next_attempt_at = NULL
    FROM ended WHERE payments.file_payment_id = ended.file_payment_id AND payments.status = '${refusal.from}')
  SELECT count(*)::int AS ended FROM ended`;
