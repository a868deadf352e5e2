import { rowByKey, rowsByKey } from '#libs/persistence';
import type { PaymentStatusDetail } from './payment.entity.js';

/**
 * Why no payment of a file may be handed over now.
 *
 * Operator   somebody at the bank has stopped it, its client, its customer, or all payments
 * Client     the bank has suspended or removed its client, and nobody at the bank has released the file payment since
 * its last change
 */
export type StopCause = 'Operator' | 'Client';

/** Scope and target of every order that would stop this file payment. */
const targets = `
  SELECT asked.scope, asked.target
    FROM unnest(ARRAY['All', 'PaymentOrder', 'Client', 'Psu'],
      ARRAY['', payment.payment_order_id::text, payment.client_id::text, consent.psu_id]) AS asked (scope, target)
   UNION ALL
  SELECT 'Psu', approval.psu_id
    FROM ${rowsByKey('payment_approvals', 'payment_order_id = payment.payment_order_id')} AS approval`;

const order = rowByKey('payment_stops', 'scope = asked.scope AND target = asked.target AND ended_at IS NULL');

/**
 * SQL on `payment`, `consent` and `client` of a file payment: its {@link StopCause}, or null. A client that ended its
 * own registration is not blocked: its earlier payments are still made.
 */
export const stopCauseSql = `
  CASE WHEN EXISTS (SELECT FROM (${targets}) AS asked CROSS JOIN ${order} AS stop) THEN 'Operator'
       WHEN coalesce(payment.released_at < client.updated_at, true) AND client.status <> 'Active'
        AND NOT (client.status = 'Deleted' AND client.removed_by IS NOT DISTINCT FROM 'Client') THEN 'Client' END`;

/** FROM for {@link stopCauseSql}, behind the file payment as `payment`. */
export const consentAndClient = `
  CROSS JOIN ${rowByKey('payment_consents', 'consent_id = payment.consent_id')} AS consent
  CROSS JOIN ${rowByKey('clients', 'client_id = payment.client_id')} AS client`;

/** SQL on `payments`: neither handed over nor ended. */
export const isWaitingSql = `payments.handed_over_at IS NULL AND payments.status = 'Pending'`;

/**
 * What the report says about a payment that is stopped, or waits for a person at the bank: not why, which may be
 * nobody's to know (Proceeds of Crime Act 2002 s333A).
 */
export const heldByBank = {
  Status: 'HeldByBank',
  StatusReason: 'Suspended',
  StatusReasonDescription: 'The bank has received the payment and has not made it.',
} satisfies PaymentStatusDetail;
