import { paymentOrderStep, paymentStep } from '#libs/obie-rules';
import { approvalEventId, auditEventsOf } from '#libs/audit';
import { declineNoticeOf } from '#libs/authorization-session';
import { changedOrder, noteOrderEventsOf, recordsOfEnded } from './order-records-sql.js';
import { lockedRowByKey, rowByKey } from '#libs/persistence';

const failure = paymentOrderStep('InitiationPending', 'InitiationFailed');
const refusal = paymentStep('Pending', 'Rejected');

// The first decision is in the consent, the others have rows.
// These statements read and write the tables of file payments, payments and consents: a decision and what follows from it are one.

const columns = `
  payment.payment_order_id, payment.status AS payment_status, payment.created_at, payment.approvals_required,
  payment.approvals_received, consent.debtor_account, consent.control_sum::text AS control_sum, consent.number_of_transactions,
  client.client_name, client.org_name, client.org_id, client.organisation_identifier, client.on_behalf_of_org,
  client.status = 'Active' AS is_client_active, payment.stopped_at IS NOT NULL AS is_stopped, approval.decision, approval.decided_at, consent.psu_id = $1 AS is_first_approver,
  consent.psu_id AS first_approver, consent.authorised_at, further.decisions AS further_decisions`;

const consentOfPayment = `CROSS JOIN ${rowByKey('payment_consents', 'consent_id = payment.consent_id')} AS consent`;
const clientOfPayment = `CROSS JOIN ${rowByKey('clients', 'client_id = payment.client_id')} AS client`;
const joins = `
  ${consentOfPayment}
  ${clientOfPayment}
  LEFT JOIN ${rowByKey('payment_approvals', 'payment_order_id = payment.payment_order_id AND psu_id = $1')} AS approval ON true
  CROSS JOIN LATERAL (
    SELECT COALESCE(jsonb_agg(jsonb_build_object('psuId', psu_id, 'outcome', decision, 'decidedAt', decided_at,
      'reason', CASE WHEN psu_id = $1 THEN decline_reason END) ORDER BY decided_at), '[]') AS decisions
    FROM payment_approvals WHERE payment_order_id = payment.payment_order_id) AS further`;

// The account of the consent is one of the bank's own, in the bank's own writing: it is compared as it is.
const ofAccounts = `
  EXISTS (
    SELECT FROM unnest($2::text[], $3::text[]) AS account (scheme_name, identification)
    WHERE account.scheme_name = consent.debtor_account ->> 'SchemeName'
      AND account.identification = consent.debtor_account ->> 'Identification')`;

// Nothing is approved of a TPP that is not permitted any more, nor what the bank has stopped.
const mayBeApproved = `payment.stopped_at IS NULL AND client.status = 'Active'`;

/**
 * $1 PSU, $2 schemes and $3 identifications of the PSU's accounts. Oldest first; what this PSU has already decided is left out. It begins with the
 * accounts, and never meets what waits for other people.
 */
export const findAwaitingSql = `
  SELECT ${columns}
  FROM (SELECT DISTINCT scheme_name, identification FROM unnest($2::text[], $3::text[]) AS listed (scheme_name, identification)) AS account
  CROSS JOIN LATERAL (
    SELECT consent_id FROM payment_consents
    WHERE approvals_required > 1 AND debtor_account ->> 'Identification' = account.identification
      AND debtor_account ->> 'SchemeName' = account.scheme_name OFFSET 0) AS shared
  CROSS JOIN ${rowByKey('payment_orders', 'consent_id = shared.consent_id')} AS payment
  ${joins}
  WHERE payment.status = '${failure.from}' AND payment.approvals_received < payment.approvals_required
    AND consent.psu_id <> $1 AND approval.decision IS NULL AND ${mayBeApproved}
  ORDER BY payment.created_at LIMIT 100`;

/**
 * $1 PSU, $2, $3 as above. What is decided, by this PSU or by others, or waits for somebody else; the latest first.
 */
export const findDecidedSql = `
  SELECT ${columns}
  FROM unnest($2::text[], $3::text[]) AS account (scheme_name, identification)
  CROSS JOIN LATERAL (
    SELECT consent_id, authorised_at FROM payment_consents
    WHERE approvals_required > 1 AND debtor_account ->> 'Identification' = account.identification
      AND debtor_account ->> 'SchemeName' = account.scheme_name AND authorised_at IS NOT NULL
    ORDER BY authorised_at DESC LIMIT 50) AS shared
  CROSS JOIN ${rowByKey('payment_orders', 'consent_id = shared.consent_id')} AS payment
  ${joins}
  WHERE consent.psu_id = $1 OR approval.decision IS NOT NULL OR payment.status <> '${failure.from}'
    OR payment.approvals_received >= payment.approvals_required
  ORDER BY shared.authorised_at DESC LIMIT 50`;

/** $1 PSU, $2, $3 as above, $4 file payment. In whatever state, with all that the page shows. */
export const findPaymentToApproveSql = `
  SELECT ${columns}, consent.consent_id, consent.status AS consent_status, consent.expires_at AS consent_expires_at, consent.initiation,
    consent.authorisation, consent.charges, consent.read_refund_account, consent.local_instrument, consent.approval_hash, list.instructions
  FROM ${rowByKey('payment_orders', 'payment_order_id = $4')} AS payment ${joins}
  LEFT JOIN ${rowByKey('instruction_lists', 'consent_id = consent.consent_id')} AS list ON true
  WHERE payment.approvals_required > 1 AND ${ofAccounts}`;

/**
 * $1 PSU, $2, $3 accounts, $4 file payment, $5 hash of the list that was shown, $6 now, $7 acr, $8 authenticated at, $9 decision,
 * $10 what the report says of a declined payment, $11 interaction id or null; $12 hash of the session and $13 challenge of an approval, null for a decline; $14 why the PSU
 * declined or null, $15 the report to the bank, JSON or null, $16 actor. The challenge is redeemed with the decision: it is good for
 * this file payment and this list of it, once.
 * The file payment is locked first, so that of two people who decide simultaneously each finds what the other did. The last approval
 * hands it to the worker; a decline ends it, and no payment of it is ever made.
 */
export const decideSql = `
  WITH challenge AS MATERIALIZED (
    SELECT session.challenge ->> 'approvalHash' AS approval_hash, session.challenge -> 'payees' AS payees
    FROM ${lockedRowByKey('approval_sessions', 'session_hash = $12::bytea')} AS session
    WHERE session.psu_id = $1::text AND session.expires_at > $6::timestamptz AND session.challenge ->> 'challengeId' = $13::text
      AND session.challenge ->> 'filePaymentId' = $4::uuid::text),
  held AS MATERIALIZED (
    SELECT payment.payment_order_id, payment.client_id, consent.consent_id
    FROM ${lockedRowByKey('payment_orders', 'payment_order_id = $4::uuid')} AS payment
    ${consentOfPayment}
    ${clientOfPayment}
    WHERE payment.status = '${failure.from}' AND payment.approvals_received < payment.approvals_required
      AND consent.psu_id <> $1::text AND ($9::text = 'Declined' OR (${mayBeApproved})) AND ${ofAccounts} AND consent.approval_hash = $5::bytea
      AND ($9::text = 'Declined' OR encode($5::bytea, 'hex') = (SELECT approval_hash FROM challenge))),
  approval AS (
    INSERT INTO payment_approvals (payment_order_id, psu_id, decision, acr, authenticated_at, decided_at, decline_reason,
      challenge_id)
    SELECT payment_order_id, $1::text, $9::text, $7::text, $8::timestamptz, $6::timestamptz, $14::text, $13::text FROM held
    ON CONFLICT DO NOTHING RETURNING payment_order_id),
  approval_audit AS (${auditEventsOf('held WHERE EXISTS (SELECT FROM approval)', {
    action: `'payment.' || lower($9::text)`,
    ids: `coalesce(${approvalEventId('payment_order_id', '$13::text')}, gen_random_uuid())`,
    details: `jsonb_build_object('filePaymentId', payment_order_id, 'psuId', $1::text) || jsonb_strip_nulls(jsonb_build_object(
      'ending', $9::text, 'reason', $14::text, 'acr', $7::text, 'authenticatedAt', $8::timestamptz, 'challengeId', $13::text,
      'payees', (SELECT payees FROM challenge)))`,
    actor: '$16::text',
    interactionId: '$11::text',
    at: '$6::timestamptz',
  })}),
  redeemed AS (
    UPDATE approval_sessions SET challenge = NULL, challenge_checked_at = NULL
    WHERE session_hash = $12::bytea AND EXISTS (SELECT FROM approval)),
  approved AS (
    UPDATE payment_orders AS payment
    SET approvals_received = approvals_received + 1, approvals_updated_at = $6::timestamptz,
      next_attempt_at = CASE WHEN approvals_received + 1 >= approvals_required THEN $6::timestamptz END
    FROM approval WHERE $9::text = 'Approved' AND payment.payment_order_id = approval.payment_order_id
    RETURNING ${changedOrder('payment')}),
  approved_event AS (${noteOrderEventsOf('approved', 'approval')}),
  declined AS (
    UPDATE payment_orders AS payment
    SET status = '${failure.to}', status_updated_at = $6::timestamptz, status_reason = $10::text::json ->> 'Status',
      approvals_updated_at = $6::timestamptz, next_attempt_at = NULL
    FROM approval WHERE $9::text = 'Declined' AND payment.payment_order_id = approval.payment_order_id
    RETURNING ${changedOrder('payment')}),
  told AS (${declineNoticeOf('declined WHERE true', { report: '$15', interactionId: '$11' })}),
  rejected AS (
    UPDATE payments SET status = '${refusal.to}', status_updated_at = $6::timestamptz, status_detail = $10::text, next_attempt_at = NULL
    FROM declined WHERE payments.payment_order_id = declined.payment_order_id AND payments.status = '${refusal.from}'
    RETURNING payments.payment_order_id),
  ${recordsOfEnded('declined', 'rejected')}
  SELECT EXISTS (SELECT FROM approval) AS decided`;

/**
 * $1 latest moment of creation that is overdue in any case, $2 how many, $3 moment and $4 id of the last one seen. With the deadline
 * of the TPP, if there is one. The moment comes and goes as text: a Date would lose its microseconds.
 */
export const findWaitingSql = `
  SELECT payment.payment_order_id, payment.created_at::text AS created_at, payment.created_at <= $1 AS is_overdue, consent.authorisation
  FROM (SELECT payment_order_id, consent_id, created_at FROM payment_orders
         WHERE status = '${failure.from}' AND approvals_received < approvals_required
           AND created_at >= $3::text::timestamptz AND (created_at, payment_order_id) > ($3::text::timestamptz, $4::uuid)
         ORDER BY created_at, payment_order_id LIMIT $2) AS payment ${consentOfPayment}
  ORDER BY payment.created_at, payment.payment_order_id`;

/**
 * File payments that wait for approvals end. $2 now, $3 what the report file says of each payment. One that was decided meanwhile stays as it is.
 * @param which SQL on payment_orders
 */
const ending = (which: string): string => `
  WITH ended AS (
    UPDATE payment_orders SET status = '${failure.to}', status_updated_at = $2::timestamptz, status_reason = $3::text::json ->> 'Status',
      approvals_updated_at = $2::timestamptz
    WHERE ${which} AND status = '${failure.from}' AND approvals_received < approvals_required
    RETURNING ${changedOrder('payment_orders')}),
  items AS (
    UPDATE payments SET status = '${refusal.to}', status_updated_at = $2::timestamptz, status_detail = $3::text, next_attempt_at = NULL
    FROM ended WHERE payments.payment_order_id = ended.payment_order_id AND payments.status = '${refusal.from}'
    RETURNING payments.payment_order_id),
  ${recordsOfEnded('ended', 'items')}
  SELECT count(*)::int AS ended FROM ended`;

/** $1 file payments */
export const endOverdueSql = ending('payment_order_id = ANY ($1::uuid[])');

/** $1 client that is shut out, $4 how many */
export const endApprovalsOfClientSql = ending(`payment_order_id = ANY (ARRAY(
      SELECT payment_order_id FROM payment_orders
      WHERE client_id = $1::uuid AND status = '${failure.from}' AND approvals_received < approvals_required LIMIT $4))`);
