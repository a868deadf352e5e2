import type { StatementTime } from '#libs/config';
import type { ConsentKind, DebtorAccount } from '#libs/consent';
import { noteEventsOf } from '#libs/events';
import { claimIdempotencyKey, type ClaimedKey, keyValues, rowOfIdempotencyKey } from '#libs/idempotency';
import { type Conditions, consentStep, type ConsentStatus } from '#libs/obie-rules';
import { noteReconciliationsOf } from './note-reconciliations-sql.js';
import { requestApprovalsOf } from './order-records-sql.js';
import { rowByKey, statement } from '#libs/persistence';
import { lockConsent } from './lock-consent-sql.js';
import { paymentIdSql } from './payment-id.js';

/** What making a file payment does to its consent. */
export const consumption = consentStep('Authorised', 'Consumed');

// By name, not `*`: the plan of a prepared statement does not survive a column that a migration adds meanwhile.
const columns = [
  'payment_order_id, consent_id, client_id, status, status_reason, created_at, status_updated_at, approvals_required',
  'approvals_received, approvals_updated_at, batch_accepted_at, settle_by, attempts, faults, last_fault, held_at',
  'stopped_at, next_attempt_at',
]
  .join(', ')
  .replaceAll(/\w+/g, 'payment.$&');

/**
 * File payments, each with what every answer repeats of its consent, and the state of its only payment, if it has one.
 */
export const findOrders = statement<{ filePaymentIds: readonly string[] }>('find-file-payments')`
  SELECT ${columns}, consent.kind, consent.api_version, consent.initiation, consent.conditions, consent.charges,
    consent.control_sum,
         consent.debtor_account, single.payment_id AS only_id, single.status AS only_status,
         single.status_updated_at AS only_status_updated_at, single.status_detail AS only_status_detail
    FROM unnest(:filePaymentIds::uuid[]) AS asked (payment_order_id)
   CROSS JOIN ${rowByKey('payment_orders', 'payment_order_id = asked.payment_order_id')} AS payment
   CROSS JOIN ${rowByKey('payment_consents', 'consent_id = payment.consent_id')} AS consent
    LEFT JOIN LATERAL (
      SELECT payment_id, status, status_updated_at, status_detail FROM payments
       WHERE payment_order_id = asked.payment_order_id AND position = 0 AND consent.number_of_transactions = 1
         LIMIT 1) AS single ON true`;

/** In file order. */
export const findPaymentsOf = statement<{ filePaymentId: string }>('find-payments')`
  SELECT payment_id AS "paymentId", payment_order_id AS "filePaymentId", position, amount, status,
    status_updated_at AS "statusUpdatedAt",
         status_detail AS "statusDetail", handed_over_at AS "handedOverAt", attempts, next_attempt_at AS "nextAttemptAt"
    FROM payments WHERE payment_order_id = :filePaymentId::uuid ORDER BY position`;

/** What is asked before a payment is made: the consent and an earlier use of the key, each of which may be absent. */
export interface ConsentForPayment extends Record<string, unknown> {
  client_id: string | null;
  status: ConsentStatus | null;
  kind: string | null;
  api_version: string | null;
  initiation: string | null;
  conditions: Conditions | null;
  charges: string | null;
  control_sum: string | null;
  cut_off_at: Date | null;
  expires_at: Date | null;
  debtor_account: DebtorAccount | null;
  risk: string | null;
  number_of_transactions: number | null;
  replayed_hash: Buffer | null;
  replayed_id: string | null;
}

/** For each consent and key, by `number`: both of them. */
export const findConsentsForPayments = statement<{
  consentIds: readonly (string | null)[];
  clientIds: readonly string[];
  operations: readonly string[];
  idempotencyKeys: readonly string[];
  now: StatementTime;
}>('find-consents-for-payments')`
  SELECT asked.number, consent.client_id, consent.status, consent.kind, consent.api_version, consent.initiation,
    consent.conditions, consent.charges,
         consent.control_sum, consent.cut_off_at, consent.expires_at, consent.debtor_account, consent.risk,
         consent.number_of_transactions, taken.request_hash AS replayed_hash, taken.resource_id AS replayed_id
    FROM unnest(:consentIds::uuid[], :clientIds::uuid[], :operations::text[], :idempotencyKeys::text[]) WITH ORDINALITY
      AS asked (consent_id, client_id, operation, idempotency_key, number)
    LEFT JOIN ${rowByKey('payment_consents', 'consent_id = asked.consent_id')} AS consent ON true
    LEFT JOIN ${rowOfIdempotencyKey('asked')} AS taken ON taken.expires_at > :now`;

/** @returns the consent of a row; undefined if there is none of this kind */
export function toConsent(found: ConsentForPayment | undefined, kind: ConsentKind) {
  if (found?.kind !== kind.name) return undefined;
  if (found.client_id === null || found.status === null || found.api_version === null) return undefined;
  if (found.initiation === null || found.conditions === null || found.charges === null) return undefined;
  if (found.expires_at === null) return undefined;
  return {
    clientId: found.client_id,
    status: found.status,
    apiVersion: found.api_version,
    initiation: found.initiation,
    conditions: found.conditions,
    charges: found.charges,
    controlSum: found.control_sum ?? '0',
    cutOffAt: found.cut_off_at,
    expiresAt: found.expires_at,
    risk: found.risk,
    hasOnePayment: found.number_of_transactions === 1,
    ...(found.debtor_account === null ? {} : { debtorAccount: found.debtor_account }),
  };
}

/**
 * The consent is locked and must still be Authorised, the key is claimed, the consent is consumed, the file payment and
 * its payments are written; or nothing of it happens, and there is no row. Without its list no payment is written, and
 * the database refuses the file payment.
 */
export const createOrder = statement<ClaimedKey & { consentId: string; kind: string }>(
  'create-file-payment',
  keyValues,
)`
  WITH ${lockConsent(':consentId', ':kind', consumption.from)},
  claimed AS (${claimIdempotencyKey('consent')}),
  consumed AS (
    UPDATE payment_consents AS changed SET status = '${consumption.to}', status_updated_at = :now
      FROM consent, claimed WHERE changed.consent_id = consent.consent_id
    RETURNING changed.consent_id, changed.client_id, changed.status, changed.status_updated_at, changed.kind,
      changed.api_version, changed.number_of_transactions, coalesce(changed.approvals_required,
        1) AS approvals_required,
      ${paymentIdSql.prefixOf('changed.consent_id')} AS prefix),
  consumed_event AS (${noteEventsOf('consumed', {
    type: `'consent.status'`,
    resourceType: `kind || '-consent'`,
    resourceId: 'consent_id',
    at: 'status_updated_at',
  })}),
  to_reconcile AS (${noteReconciliationsOf('consumed')}),
  created AS (
    INSERT INTO payment_orders (payment_order_id, consent_id, client_id, status, created_at, status_updated_at,
      approvals_required, approvals_received, approvals_updated_at, next_attempt_at)
    SELECT :resourceId, consent_id, :clientId, 'InitiationPending', :now, :now, approvals_required, 1, :now,
      CASE WHEN approvals_required > 1 THEN NULL ELSE :now::timestamptz END FROM consumed
    RETURNING payment_order_id, consent_id, approvals_required, approvals_received, created_at, next_attempt_at),
  requested AS (${requestApprovalsOf('created')}),
  items AS (
    INSERT INTO payments (payment_id, payment_order_id, position, amount, status, status_updated_at)
    SELECT ${paymentIdSql.of('consumed.prefix', 'number')}, created.payment_order_id, number - 1,
           amount, 'Pending', :now
      FROM created JOIN consumed USING (consent_id)
     CROSS JOIN ${rowByKey('instruction_lists', 'consent_id = created.consent_id')} AS list
     CROSS JOIN LATERAL unnest(list.amounts) WITH ORDINALITY AS item (amount, number))
  SELECT approvals_required, created_at, next_attempt_at FROM created`;
