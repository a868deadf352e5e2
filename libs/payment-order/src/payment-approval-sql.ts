import { paymentOrderStep, paymentStep } from '#libs/obie-rules';
import { approvalEventId, auditEventsOf } from '#libs/audit';
import { type DeclineNotice, declineNoticeOf, type DeclineReason } from '#libs/customer-session';
import type { StatementTime } from '#libs/config';
import { changedOrder, noteOrderEventsOf, recordsOfEnded } from './order-records-sql.js';
import { listOfOne } from './only-payee.js';
import { lockedRowByKey, type Place, rowByKey, statement } from '#libs/persistence';

const failure = paymentOrderStep('InitiationPending', 'InitiationFailed');
const refusal = paymentStep('Pending', 'Rejected');

// The first decision is in the consent, the others have rows. These statements read and write the tables of file
// payments, payments and consents: a decision and its consequences are one change.

const columns = `
  payment.payment_order_id AS file_payment_id, payment.status, payment.created_at, payment.approvals_required,
  payment.approvals_received, consent.debtor_account, consent.control_sum::text AS total,
  consent.number_of_transactions AS number_of_payments, client.client_name, client.org_name, client.org_id,
  client.organisation_identifier AS register_number, client.on_behalf_of_org,
  client.status = 'Active' AS is_client_active, payment.stopped_at IS NOT NULL AS is_stopped, approval.decision,
  approval.decided_at, consent.psu_id = :psuId AS is_first_approver, consent.psu_id AS first_approver,
  consent.authorised_at, further.decisions AS further_decisions, list.instructions`;

const consentOfPayment = `CROSS JOIN ${rowByKey('payment_consents', 'consent_id = payment.consent_id')} AS consent`;
const clientOfPayment = `CROSS JOIN ${rowByKey('clients', 'client_id = payment.client_id')} AS client`;
const joins = `
  ${consentOfPayment}
  ${clientOfPayment}
  LEFT JOIN ${rowByKey('payment_approvals', 'payment_order_id = payment.payment_order_id AND psu_id = :psuId')} AS
    approval ON true
  CROSS JOIN LATERAL (
    SELECT COALESCE(jsonb_agg(jsonb_build_object('psuId', psu_id, 'outcome', decision, 'decidedAt', decided_at,
      'reason', CASE WHEN psu_id = :psuId THEN decline_reason END) ORDER BY decided_at), '[]') AS decisions
    FROM payment_approvals WHERE payment_order_id = payment.payment_order_id) AS further`;

// The account of the consent is spelt as the bank spells it, so texts are compared.
const ofAccounts = `
  EXISTS (
    SELECT FROM unnest(:schemeNames::text[], :identifications::text[]) AS account (scheme_name, identification)
    WHERE account.scheme_name = consent.debtor_account ->> 'SchemeName'
      AND account.identification = consent.debtor_account ->> 'Identification')`;

// No payment can be approved if its TPP is no longer permitted, or if the bank has stopped it.
const mayBeApproved = `payment.stopped_at IS NULL AND client.status = 'Active'`;

/** A customer and their accounts. */
export interface PsuAndAccounts {
  readonly psuId: string;
  readonly schemeNames: readonly string[];
  readonly identifications: readonly string[];
}

/** A statement on what a customer may decide. */
const ofPsu = <Step extends object>(name: string, next: readonly (keyof Step & string)[] = []) =>
  statement<PsuAndAccounts & Step>(name, ['psuId', 'schemeNames', 'identifications', ...next]);

/**
 * Oldest first; what this PSU has already decided is left out. The query starts from the accounts, so it never reads
 * what waits for other people.
 */
export const findAwaiting = ofPsu<object>('find-payments-awaiting-approval')`
  SELECT ${columns}
  FROM (SELECT DISTINCT scheme_name, identification FROM unnest(:schemeNames::text[],
    :identifications::text[]) AS listed (scheme_name, identification)) AS account
  CROSS JOIN LATERAL (
    SELECT consent_id FROM payment_consents
    WHERE approvals_required > 1 AND debtor_account ->> 'Identification' = account.identification
      AND debtor_account ->> 'SchemeName' = account.scheme_name OFFSET 0) AS shared
  CROSS JOIN ${rowByKey('payment_orders', 'consent_id = shared.consent_id')} AS payment
  ${joins} ${listOfOne}
  WHERE payment.status = '${failure.from}' AND payment.approvals_received < payment.approvals_required
    AND consent.psu_id <> :psuId AND approval.decision IS NULL AND ${mayBeApproved}
  ORDER BY payment.created_at LIMIT 100`;

/** What is decided, by this PSU or by others, or waits for somebody else; the latest first. */
export const findDecided = ofPsu<object>('find-decided-payments')`
  SELECT ${columns}
  FROM unnest(:schemeNames::text[], :identifications::text[]) AS account (scheme_name, identification)
  CROSS JOIN LATERAL (
    SELECT consent_id, authorised_at FROM payment_consents
    WHERE approvals_required > 1 AND debtor_account ->> 'Identification' = account.identification
      AND debtor_account ->> 'SchemeName' = account.scheme_name AND authorised_at IS NOT NULL
    ORDER BY authorised_at DESC LIMIT 50) AS shared
  CROSS JOIN ${rowByKey('payment_orders', 'consent_id = shared.consent_id')} AS payment
  ${joins} ${listOfOne}
  WHERE consent.psu_id = :psuId OR approval.decision IS NOT NULL OR payment.status <> '${failure.from}'
    OR payment.approvals_received >= payment.approvals_required
  ORDER BY shared.authorised_at DESC LIMIT 50`;

/** In any state, with everything that the page shows. */
export const findPaymentToApprove = ofPsu<{ filePaymentId: string }>('find-payment-to-approve', ['filePaymentId'])`
  SELECT ${columns}, consent.consent_id, consent.status AS consent_status, consent.expires_at AS consent_expires_at,
    consent.initiation,
    consent.conditions, consent.charges, consent.local_instrument, consent.approval_hash
  FROM ${rowByKey('payment_orders', 'payment_order_id = :filePaymentId')} AS payment ${joins}
  LEFT JOIN ${rowByKey('instruction_lists', 'consent_id = consent.consent_id')} AS list ON true
  WHERE payment.approvals_required > 1 AND ${ofAccounts}`;

/** A decision and its consequences. */
export interface Decision {
  readonly filePaymentId: string;
  /** of the list that was shown */
  readonly approvalHash: Buffer;
  readonly now: StatementTime;
  readonly acr: string;
  readonly authenticatedAt: Date;
  readonly outcome: 'Approved' | 'Declined';
  /** what the report says of a declined payment, JSON */
  readonly detail: string;
  readonly interactionId: string | undefined;
  /** of an approval */
  readonly sessionHash: Buffer | undefined;
  readonly challengeId: string | undefined;
  /** why the PSU declined */
  readonly reason: DeclineReason | undefined;
  /** the report to the bank */
  readonly notice: DeclineNotice | undefined;
  readonly actor: string;
}

/**
 * The challenge is redeemed with the decision: it is valid once, for this file payment and this list. The file payment
 * is locked first, so that two people who decide simultaneously each see the other's decision. The last approval hands
 * it to the worker; a decline ends it, and no payment of it is ever made.
 */
export const decide = ofPsu<Decision>('decide-payment-approval', ['filePaymentId'])`
  WITH challenge AS MATERIALIZED (
    SELECT session.challenge ->> 'approvalHash' AS approval_hash, session.challenge -> 'payees' AS payees
    FROM ${lockedRowByKey('approval_sessions', 'session_hash = :sessionHash::bytea')} AS session
    WHERE session.psu_id = :psuId::text AND session.expires_at > :now::timestamptz
      AND session.challenge ->> 'challengeId' = :challengeId::text
      AND session.challenge ->> 'filePaymentId' = :filePaymentId::uuid::text),
  held AS MATERIALIZED (
    SELECT payment.payment_order_id, payment.client_id, consent.consent_id
    FROM ${lockedRowByKey('payment_orders', 'payment_order_id = :filePaymentId::uuid')} AS payment
    ${consentOfPayment}
    ${clientOfPayment}
    WHERE payment.status = '${failure.from}' AND payment.approvals_received < payment.approvals_required
      AND consent.psu_id <> :psuId::text AND (:outcome::text = 'Declined' OR (${mayBeApproved})) AND ${ofAccounts}
        AND consent.approval_hash = :approvalHash::bytea
      AND (:outcome::text = 'Declined' OR encode(:approvalHash::bytea, 'hex') = (SELECT approval_hash FROM challenge))),
  approval AS (
    INSERT INTO payment_approvals (payment_order_id, psu_id, decision, acr, authenticated_at, decided_at,
      decline_reason,
      challenge_id)
    SELECT payment_order_id, :psuId::text, :outcome::text, :acr::text, :authenticatedAt::timestamptz, :now::timestamptz,
      :reason::text, :challengeId::text FROM held
    ON CONFLICT DO NOTHING RETURNING payment_order_id),
  approval_audit AS (${auditEventsOf('held WHERE EXISTS (SELECT FROM approval)', {
    action: `'payment.' || lower(:outcome::text)`,
    ids: `coalesce(${approvalEventId('payment_order_id', ':challengeId::text')}, gen_random_uuid())`,
    details: `jsonb_build_object('filePaymentId', payment_order_id, 'psuId', :psuId::text)
      || jsonb_strip_nulls(jsonb_build_object(
      'ending', :outcome::text, 'reason', :reason::text, 'acr', :acr::text, 'authenticatedAt',
        :authenticatedAt::timestamptz, 'challengeId', :challengeId::text,
      'payees', (SELECT payees FROM challenge)))`,
    actor: ':actor::text',
    interactionId: ':interactionId::text',
    at: ':now::timestamptz',
  })}),
  redeemed AS (
    UPDATE approval_sessions SET challenge = NULL, challenge_checked_at = NULL
    WHERE session_hash = :sessionHash::bytea AND EXISTS (SELECT FROM approval)),
  approved AS (
    UPDATE payment_orders AS payment
    SET approvals_received = approvals_received + 1, approvals_updated_at = :now::timestamptz,
      next_attempt_at = CASE WHEN approvals_received + 1 >= approvals_required THEN :now::timestamptz END
    FROM approval WHERE :outcome::text = 'Approved' AND payment.payment_order_id = approval.payment_order_id
    RETURNING ${changedOrder('payment')}),
  approved_event AS (${noteOrderEventsOf('approved', 'approval')}),
  declined AS (
    UPDATE payment_orders AS payment
    SET status = '${failure.to}', status_updated_at = :now::timestamptz,
      status_reason = :detail::text::json ->> 'Status',
      approvals_updated_at = :now::timestamptz, next_attempt_at = NULL
    FROM approval WHERE :outcome::text = 'Declined' AND payment.payment_order_id = approval.payment_order_id
    RETURNING ${changedOrder('payment')}),
  told AS (${declineNoticeOf('declined WHERE true', { report: ':notice', interactionId: ':interactionId' })}),
  rejected AS (
    UPDATE payments SET status = '${refusal.to}', status_updated_at = :now::timestamptz, status_detail = :detail::text,
      next_attempt_at = NULL
    FROM declined WHERE payments.payment_order_id = declined.payment_order_id AND payments.status = '${refusal.from}'
    RETURNING payments.payment_order_id),
  ${recordsOfEnded('declined', 'rejected')}
  SELECT EXISTS (SELECT FROM approval) AS decided`;

/**
 * With the TPP's deadline, if there is one. `latest` is the latest time of creation that is overdue in any case; `at`
 * and `id` are the place of the last row read. The time is passed as text, because a Date would lose its microseconds.
 */
export const findWaiting = statement<Place & { latest: Date; limit: number }>('find-payments-waiting-for-approval', [
  'latest',
])`
  SELECT payment.payment_order_id, payment.created_at::text AS created_at, payment.created_at <= :latest AS is_overdue,
    consent.conditions
  FROM (SELECT payment_order_id, consent_id, created_at FROM payment_orders
         WHERE status = '${failure.from}' AND approvals_received < approvals_required
           AND (created_at, payment_order_id) > (:at::text::timestamptz, :id::uuid)
         ORDER BY created_at, payment_order_id LIMIT :limit) AS payment ${consentOfPayment}
  ORDER BY payment.created_at, payment.payment_order_id`;

interface Ending {
  readonly now: StatementTime;
  /** what the report says of each payment, JSON */
  readonly detail: string;
}

/**
 * Ends file payments that wait for approvals. One that was decided meanwhile stays as it is.
 * @param which SQL on payment_orders
 */
const ending = <Which extends object>(
  name: string,
  which: string,
  first: readonly (keyof Which & string)[],
) => statement<Which & Ending>(name, first)`
  WITH ended AS (
    UPDATE payment_orders SET status = '${failure.to}', status_updated_at = :now::timestamptz,
      status_reason = :detail::text::json ->> 'Status',
      approvals_updated_at = :now::timestamptz
    WHERE ${which} AND status = '${failure.from}' AND approvals_received < approvals_required
    RETURNING ${changedOrder('payment_orders')}),
  items AS (
    UPDATE payments SET status = '${refusal.to}', status_updated_at = :now::timestamptz, status_detail = :detail::text,
      next_attempt_at = NULL
    FROM ended WHERE payments.payment_order_id = ended.payment_order_id AND payments.status = '${refusal.from}'
    RETURNING payments.payment_order_id),
  ${recordsOfEnded('ended', 'items')}
  SELECT count(*)::int AS ended FROM ended`;

export const endOverdue = ending<{ filePaymentIds: readonly string[] }>(
  'end-overdue-approvals',
  'payment_order_id = ANY (:filePaymentIds::uuid[])',
  ['filePaymentIds'],
);

/** Ends those of a client that is no longer permitted. */
export const endApprovalsOf = ending<{ clientId: string; limit: number }>(
  'end-approvals-of-client',
  `payment_order_id = ANY (ARRAY(
      SELECT payment_order_id FROM payment_orders
      WHERE client_id = :clientId::uuid AND status = '${failure.from}' AND approvals_received < approvals_required
        LIMIT :limit))`,
  ['clientId'],
);
