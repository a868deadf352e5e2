import type { DebtorAccount } from '#libs/consent';
import type { PaymentOrderStatus } from '#libs/obie-rules';
import { PaymentOrderEntity } from './payment-order.entity.js';

/** A row of payment_orders, with what every answer repeats of its consent. */
export interface PaymentOrderRow extends Record<string, unknown> {
  payment_order_id: string;
  consent_id: string;
  client_id: string;
  status: PaymentOrderStatus;
  status_reason: string | null;
  created_at: Date;
  status_updated_at: Date;
  approvals_required: number;
  approvals_received: number;
  approvals_updated_at: Date;
  batch_accepted_at: Date | null;
  settle_by: Date | null;
  attempts: number;
  faults: number;
  last_fault: string | null;
  held_at: Date | null;
  next_attempt_at: Date | null;
  kind: string;
  api_version: string;
  debtor_account: DebtorAccount | null;
  initiation: string;
  authorisation: string | null;
  charges: string;
  control_sum: string | null;
}

/** @returns the file payment of a row */
export function toFilePayment(row: PaymentOrderRow): PaymentOrderEntity {
  return Object.assign(new PaymentOrderEntity(), {
    filePaymentId: row.payment_order_id,
    consentId: row.consent_id,
    clientId: row.client_id,
    status: row.status,
    statusReason: row.status_reason,
    createdAt: row.created_at,
    statusUpdatedAt: row.status_updated_at,
    approvalsRequired: row.approvals_required,
    approvalsReceived: row.approvals_received,
    approvalsUpdatedAt: row.approvals_updated_at,
    batchAcceptedAt: row.batch_accepted_at,
    settleBy: row.settle_by,
    attempts: row.attempts,
    faults: row.faults,
    lastFault: row.last_fault,
    heldAt: row.held_at,
    nextAttemptAt: row.next_attempt_at,
  });
}
