import type { StatementTime } from '#libs/config';
import type { ConsentKind, DebtorAccount } from '#libs/consent';
import { noteEventsOf } from '#libs/events';
import { claimIdempotencyKeys, type IdempotentRequest, keysOf, rowOfIdempotencyKey } from '#libs/idempotency';
import { type Conditions, consentStep, type ConsentStatus } from '#libs/obie-rules';
import { noteReconciliationsOf } from './note-reconciliations-sql.js';
import { requestApprovalsOf } from './order-records-sql.js';
import { consecutiveIds, rowByKey, statement } from '#libs/persistence';
import { lockConsents } from './lock-consent-sql.js';
import { filePaymentIdOf, paymentIdSql } from './payment-id.js';

/** How making a file payment changes its consent. */
export const consumption = consentStep('Authorised', 'Consumed');

/**
 * File payments, each with what every answer repeats of its consent, and the state of its only payment, if it has one.
 */
// By name, not `*`: the plan of a prepared statement does not survive a column that a migration adds meanwhile.
export const findOrders = statement<{ filePaymentIds: readonly string[] }>('find-file-payments')`
  SELECT payment.payment_order_id AS "filePaymentId", payment.consent_id AS "consentId",
         payment.client_id AS "clientId", payment.status, payment.status_reason AS "statusReason",
         payment.created_at AS "createdAt", payment.status_updated_at AS "statusUpdatedAt",
         payment.approvals_required AS "approvalsRequired", payment.approvals_received AS "approvalsReceived",
         payment.approvals_updated_at AS "approvalsUpdatedAt", payment.batch_accepted_at AS "batchAcceptedAt",
         payment.held_at AS "heldAt", payment.stopped_at AS "stoppedAt",
         consent.kind, consent.api_version AS "apiVersion", consent.initiation, consent.conditions, consent.charges,
         consent.control_sum AS "controlSum", consent.debtor_account AS "debtorAccount",
         single.status AS "onlyStatus", single.status_updated_at AS "onlyStatusUpdatedAt",
         single.status_detail AS "onlyStatusDetail"
    FROM unnest(:filePaymentIds::uuid[]) AS asked (payment_order_id)
   CROSS JOIN ${rowByKey('payment_orders', 'payment_order_id = asked.payment_order_id')} AS payment
   CROSS JOIN ${rowByKey('payment_consents', 'consent_id = payment.consent_id')} AS consent
    LEFT JOIN LATERAL (
      SELECT status, status_updated_at, status_detail FROM payments
       WHERE payment_order_id = asked.payment_order_id AND position = 0 AND consent.number_of_transactions = 1
         LIMIT 1) AS single ON true`;

/** In file order. */
export const findPaymentsOf = statement<{ filePaymentId: string }>('find-payments')`
  SELECT payment_id AS "paymentId", payment_order_id AS "filePaymentId", position, amount, status,
    status_updated_at AS "statusUpdatedAt",
         status_detail AS "statusDetail", handed_over_at AS "handedOverAt", attempts, next_attempt_at AS "nextAttemptAt"
    FROM payments WHERE payment_order_id = :filePaymentId::uuid ORDER BY position`;

/** What must be known about a consent before a payment is made from it. */
interface ConsentForPayment {
  clientId: string;
  status: ConsentStatus;
  kind: string;
  apiVersion: string;
  initiation: string;
  conditions: Conditions;
  charges: string;
  controlSum: string | null;
  cutOffAt: Date | null;
  expiresAt: Date;
  debtorAccount: DebtorAccount | null;
  risk: string | null;
  numberOfPayments: number | null;
}

/** A consent and an earlier use of the key, each of which may be absent. */
export type FoundForPayment = (ConsentForPayment | { kind: null }) & {
  replayedHash: Buffer | null;
  replayedId: string | null;
};

/** For each request, by `number`: its consent and the earlier use of its key. */
export const findConsentsForPayments = statement<{
  consentIds: readonly (string | null)[];
  clientIds: readonly string[];
  operations: readonly string[];
  idempotencyKeys: readonly string[];
  now: StatementTime;
}>('find-consents-for-payments')`
  SELECT asked.number, consent.client_id AS "clientId", consent.status, consent.kind,
         consent.api_version AS "apiVersion", consent.initiation, consent.conditions, consent.charges,
         consent.control_sum AS "controlSum", consent.cut_off_at AS "cutOffAt", consent.expires_at AS "expiresAt",
         consent.debtor_account AS "debtorAccount", consent.risk,
         consent.number_of_transactions AS "numberOfPayments", taken.request_hash AS "replayedHash",
         taken.resource_id AS "replayedId"
    FROM unnest(:consentIds::uuid[], :clientIds::uuid[], :operations::text[], :idempotencyKeys::text[]) WITH ORDINALITY
      AS asked (consent_id, client_id, operation, idempotency_key, number)
    LEFT JOIN ${rowByKey('payment_consents', 'consent_id = asked.consent_id')} AS consent ON true
    LEFT JOIN ${rowOfIdempotencyKey('asked')} AS taken ON taken.expires_at > :now`;

/** @returns the consent of a row; undefined if there is none of this kind */
export function toConsent(found: FoundForPayment | undefined, kind: ConsentKind): ConsentForPayment | undefined {
  return found && found.kind !== null && found.kind === kind.name ? found : undefined;
}

/** An order to make of a consent, under the key of its request. */
export interface NewOrder {
  readonly kind: ConsentKind;
  readonly request: IdempotentRequest;
  readonly consentId: string;
}

/**
 * Makes several orders: each consent is locked and must still be Authorised, the key is claimed, the consent is
 * consumed, the order and its payments are written; or nothing happens for that request, and there is no row. No key
 * and no consent may occur twice. Without its list no payment is written, and the database refuses the order.
 */
export const createOrders = statement<ReturnType<typeof orderValues>>('create-file-payment', ['now', 'clientIds'])`
  WITH request AS MATERIALIZED (
    SELECT * FROM unnest(:clientIds::uuid[], :operations::text[], :idempotencyKeys::text[], :requestHashes::bytea[],
      :orderIds::uuid[], :consentIds::uuid[], :kinds::text[])
    AS request (client_id, operation, idempotency_key, request_hash, resource_id, consent_id, kind)),
  ${lockConsents('request', consumption.from)},
  claimed AS (${claimIdempotencyKeys('consent', ':retentionSeconds', ':now')}),
  consumed AS (
    UPDATE payment_consents AS changed SET status = '${consumption.to}', status_updated_at = :now
      FROM consent JOIN claimed USING (resource_id) WHERE changed.consent_id = consent.consent_id
    RETURNING changed.consent_id, changed.client_id, changed.status, changed.status_updated_at, changed.kind,
      changed.api_version, coalesce(changed.approvals_required, 1) AS approvals_required, resource_id,
      ${paymentIdSql.prefixOf('changed.consent_id')} AS prefix),
  consumed_event AS (${noteEventsOf('consumed', {
    type: `'consent.status'`,
    resourceType: `kind || '-consent'`,
    resourceId: 'consent_id',
    at: 'status_updated_at',
    ids: consecutiveIds,
  })}),
  to_reconcile AS (${noteReconciliationsOf('consumed')}),
  created AS (
    INSERT INTO payment_orders (payment_order_id, consent_id, client_id, status, created_at, status_updated_at,
      approvals_required, approvals_received, approvals_updated_at, next_attempt_at)
    SELECT resource_id, consent_id, client_id, 'InitiationPending', :now, :now, approvals_required, 1, :now,
      CASE WHEN approvals_required > 1 THEN NULL ELSE :now::timestamptz END FROM consumed
    RETURNING payment_order_id, consent_id, approvals_required, approvals_received, created_at),
  requested AS (${requestApprovalsOf('created')}),
  items AS (
    INSERT INTO payments (payment_id, payment_order_id, position, amount, status, status_updated_at)
    SELECT ${paymentIdSql.of('consumed.prefix', 'number')}, created.payment_order_id, number - 1,
           amount, 'Pending', :now
      FROM created JOIN consumed USING (consent_id)
     CROSS JOIN ${rowByKey('instruction_lists', 'consent_id = created.consent_id')} AS list
     CROSS JOIN LATERAL unnest(list.amounts) WITH ORDINALITY AS item (amount, number))
  SELECT consent_id AS "consentId", approvals_required AS "approvalsRequired", created_at AS "createdAt" FROM created`;

/** @param times.retentionSeconds how long keys count */
export function orderValues(orders: readonly NewOrder[], times: { now: StatementTime; retentionSeconds: number }) {
  return {
    ...times,
    ...keysOf(orders.map(({ request }) => request)),
    orderIds: orders.map(({ consentId }) => filePaymentIdOf(consentId)),
    consentIds: orders.map(({ consentId }) => consentId),
    kinds: orders.map(({ kind }) => kind.name),
  };
}
