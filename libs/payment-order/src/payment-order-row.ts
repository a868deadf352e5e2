import type { DebtorAccount } from '#libs/consent';
import type { Conditions, PaymentOrderStatus, PaymentStatus } from '#libs/obie-rules';
import type { PaymentEntity } from './payment.entity.js';
import { PaymentOrderEntity } from './payment-order.entity.js';

/** The state of the payment of an order that has one alone. */
export type OnlyPayment = Pick<PaymentEntity, 'status' | 'statusUpdatedAt' | 'statusDetail'>;

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
  stopped_at: Date | null;
  next_attempt_at: Date | null;
  kind: string;
  api_version: string;
  debtor_account: DebtorAccount | null;
  only_id: string | null;
  only_status: PaymentStatus | null;
  only_status_updated_at: Date | null;
  only_status_detail: string | null;
  initiation: string;
  conditions: Conditions;
  charges: string;
  control_sum: string | null;
}

/** @returns the state of the only payment of a row; undefined if there are several */
export function toOnlyPayment(row: PaymentOrderRow | undefined): OnlyPayment | undefined {
  const { only_id: id, only_status: status, only_status_updated_at: at, only_status_detail: detail } = row ?? {};
  if (!id || !status || !at) return undefined;
  return { status, statusUpdatedAt: at, statusDetail: detail ?? null };
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
    stoppedAt: row.stopped_at,
    nextAttemptAt: row.next_attempt_at,
  });
}
