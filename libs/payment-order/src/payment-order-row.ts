import type { DebtorAccount } from '#libs/consent';
import type { Conditions, PaymentStatus } from '#libs/obie-rules';
import type { PaymentEntity } from './payment.entity.js';
import type { PaymentOrderEntity } from './payment-order.entity.js';

/** The state of an order's only payment. */
export type OnlyPayment = Pick<PaymentEntity, 'status' | 'statusUpdatedAt' | 'statusDetail'>;

/** What answers say about an order itself. */
export type OrderState = Pick<
  PaymentOrderEntity,
  | 'filePaymentId'
  | 'consentId'
  | 'clientId'
  | 'status'
  | 'statusReason'
  | 'createdAt'
  | 'statusUpdatedAt'
  | 'approvalsRequired'
  | 'approvalsReceived'
  | 'approvalsUpdatedAt'
  | 'batchAcceptedAt'
  | 'heldAt'
  | 'stoppedAt'
>;

/** An order, with what every answer repeats of its consent, and the state of its only payment, if it has one. */
export interface PaymentOrderRow extends OrderState, Record<string, unknown> {
  kind: string;
  apiVersion: string;
  debtorAccount: DebtorAccount | null;
  onlyStatus: PaymentStatus | null;
  onlyStatusUpdatedAt: Date | null;
  onlyStatusDetail: string | null;
  initiation: string;
  conditions: Conditions;
  charges: string;
  controlSum: string | null;
}
