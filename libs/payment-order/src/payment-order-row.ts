import type { DebtorAccount } from '#libs/consent';
import type { FilePaymentStatus } from '#libs/obie-rules';
import { FilePaymentEntity } from './payment-order.entity.js';

/** A row of file_payments, with what every answer repeats of its consent. */
export interface FilePaymentRow extends Record<string, unknown> {
  file_payment_id: string;
  consent_id: string;
  client_id: string;
  status: FilePaymentStatus;
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
export function toFilePayment(row: FilePaymentRow): FilePaymentEntity {
  return Object.assign(new FilePaymentEntity(), {
    filePaymentId: row.file_payment_id,
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
