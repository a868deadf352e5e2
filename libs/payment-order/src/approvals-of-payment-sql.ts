import { countApprovalEvent } from '#libs/audit';
import { rowsByKey } from '#libs/persistence';

/**
 * SQL: how many people approved an order (`approvals_received`), and of how many of them the audit trail tells
 * (`approvals_recorded`). It keeps the events of a year; older approvals count as told.
 * @param consent relation of the consent
 * @param payment relation of its file payment, of NULLs if there is none
 */
export function approvalsOf(consent: string, payment: string): string {
  const received = `coalesce(${payment}.approvals_received, num_nonnulls(${consent}.authorised_at))`;
  return `
    ${received} AS approvals_received,
    CASE WHEN greatest(${consent}.created_at, ${consent}.authorised_at) < now() - interval '1 year' THEN ${received}
    ELSE ${countApprovalEvent(consent, { action: 'consent.authorised', id: `${consent}.consent_id` })} + (
      SELECT coalesce(sum(${countApprovalEvent('further', { action: 'payment.approved', id: 'further.payment_order_id' })}), 0)
        FROM ${rowsByKey('payment_approvals', `payment_order_id = ${payment}.payment_order_id`)} AS further
       WHERE decision = 'Approved')::int END AS approvals_recorded`;
}
