/**
 * States of a file payment (OBExternalStatus1Code). They speak of initiation only, not of the payments' outcome.
 *
 * InitiationPending    accepted; payments are being handed to their scheme, or approvals are awaited
 * InitiationCompleted  every payment was handed over; single payments may still be Rejected
 * InitiationFailed     the file as a whole could not be initiated
 */
export type FilePaymentStatus = 'InitiationPending' | 'InitiationCompleted' | 'InitiationFailed';

export const filePaymentTransitions = {
  InitiationPending: ['InitiationCompleted', 'InitiationFailed'],
  InitiationCompleted: [],
  InitiationFailed: [],
} as const satisfies Record<FilePaymentStatus, readonly FilePaymentStatus[]>;

/** States of a single payment in the report file (OBTransactionIndividualStatus1Code). */
export const paymentStatuses = [
  'Pending',
  'AcceptedSettlementInProcess',
  'AcceptedSettlementCompleted',
  'AcceptedWithoutPosting',
  'AcceptedCreditSettlementCompleted',
  'Rejected',
] as const;

export type PaymentStatus = (typeof paymentStatuses)[number];

const unsettled: readonly PaymentStatus[] = ['Pending', 'AcceptedSettlementInProcess'];

/** @returns whether the scheme may still have news about a payment in this state */
export function isUnsettled(status: PaymentStatus): boolean {
  return unsettled.includes(status);
}
