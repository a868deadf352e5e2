import { stepIn, type Transitions } from './transitions.js';

/**
 * States of a file payment (OBExternalStatus1Code). They describe initiation only, not the outcome of the payments.
 *
 * InitiationPending    accepted; payments are being handed to their scheme, or approvals are awaited
 * InitiationCompleted  every payment was handed over; single payments may still be Rejected
 * InitiationFailed     the file as a whole could not be initiated
 */
export type PaymentOrderStatus = 'InitiationPending' | 'InitiationCompleted' | 'InitiationFailed';

export const paymentOrderTransitions = {
  InitiationPending: ['InitiationCompleted', 'InitiationFailed'],
  InitiationCompleted: [],
  InitiationFailed: [],
} as const satisfies Transitions<PaymentOrderStatus>;

export const paymentOrderStep = stepIn(paymentOrderTransitions);

/**
 * States of a single payment in the report file (OBTransactionIndividualStatus1Code).
 *
 * Pending                            accepted by this service, or held by the bank
 * AcceptedSettlementInProcess        sent to its scheme
 * AcceptedSettlementCompleted        settled on the debtor's side
 * AcceptedWithoutPosting             accepted, the creditor's account not credited
 * AcceptedCreditSettlementCompleted  the creditor has the money
 * Rejected                           not made, and never will be
 */
export const paymentStatuses = [
  'Pending',
  'AcceptedSettlementInProcess',
  'AcceptedSettlementCompleted',
  'AcceptedWithoutPosting',
  'AcceptedCreditSettlementCompleted',
  'Rejected',
] as const;

export type PaymentStatus = (typeof paymentStatuses)[number];

/**
 * The next states of each state, never Pending. Nobody asks the scheme about a settled payment, but the bank may still
 * report that the creditor has the money.
 */
export const paymentTransitions = {
  Pending: [
    'AcceptedSettlementInProcess',
    'AcceptedSettlementCompleted',
    'AcceptedWithoutPosting',
    'AcceptedCreditSettlementCompleted',
    'Rejected',
  ],
  AcceptedSettlementInProcess: [
    'AcceptedSettlementCompleted',
    'AcceptedWithoutPosting',
    'AcceptedCreditSettlementCompleted',
    'Rejected',
  ],
  AcceptedSettlementCompleted: ['AcceptedCreditSettlementCompleted'],
  AcceptedWithoutPosting: [],
  AcceptedCreditSettlementCompleted: [],
  Rejected: [],
} as const satisfies Transitions<PaymentStatus>;

export const paymentStep = stepIn(paymentTransitions);

const unsettled: readonly PaymentStatus[] = ['Pending', 'AcceptedSettlementInProcess'];

export const settledStates = paymentStatuses.filter((status) => !unsettled.includes(status));

/** @returns whether the scheme is asked about a payment in this state */
export function isUnsettled(status: PaymentStatus): boolean {
  return unsettled.includes(status);
}
