/**
 * What can differ between a file, its payments here, and the bank's own book. deploy/file-payments.md says what to do
 * about each.
 *
 * ConsentWithoutPayment   the consent is Consumed, but there is no file payment
 * PaymentWithoutConsent   there is a file payment, but its consent is not Consumed
 * PaymentsMissing         fewer payments than the file has
 * PaymentsSurplus         more payments than the file has
 * PositionsBroken         a payment with a place or an id that the file does not give it
 * SumDiffers              the payments do not add up to the sum of the file
 * HashDiffers             the stored list of instructions is not the one that was approved
 * ApprovalNotRecorded     the number of approvals is not that of their events in the audit trail
 * CompletedWithOpenPayment  the file is InitiationCompleted, but a payment was neither handed over nor Rejected
 * DueTooLate              the file or a payment is due later than the service makes anything due
 * FailedWithPayment       the file is InitiationFailed, but a payment was handed over or is not Rejected
 * NotReservedAtBank       this service recorded that the bank reserved the money, but the bank says otherwise
 * PaymentNotAtBank        a payment was handed over, but the bank has none of this id
 * PaymentOnlyAtBank       the bank has a payment that is not known here, or was never handed over
 * PaymentTwiceAtBank      the bank has two payments of the same id
 * AmountDiffers           the bank has a different amount or currency
 * StateContradicts        Rejected here and made there, or the other way round
 */
const ownKinds = [
  'ConsentWithoutPayment',
  'PaymentWithoutConsent',
  'PaymentsMissing',
  'PaymentsSurplus',
  'PositionsBroken',
  'SumDiffers',
  'HashDiffers',
  'ApprovalNotRecorded',
  'CompletedWithOpenPayment',
  'FailedWithPayment',
  'DueTooLate',
] as const;
const bankKinds = [
  'NotReservedAtBank',
  'PaymentNotAtBank',
  'PaymentOnlyAtBank',
  'PaymentTwiceAtBank',
  'AmountDiffers',
  'StateContradicts',
] as const;

export const differenceKinds = [...ownKinds, ...bankKinds] as const;

export type DifferenceKind = (typeof differenceKinds)[number];

/** One difference of a file payment. */
export interface Difference {
  readonly kind: DifferenceKind;
  /** the one payment; absent: the file as a whole */
  readonly paymentId?: string;
  /** a number, a sum or a state, from the file or from what was approved */
  readonly expected?: string;
  readonly found?: string;
}

/** @returns whether only the bank's book shows it */
export function isOfBank({ kind }: Difference): boolean {
  return (bankKinds as readonly DifferenceKind[]).includes(kind);
}

/** @returns whether two lists, each in the order of the comparison, are equal */
export function areSame(one: readonly Difference[], other: readonly Difference[]): boolean {
  return one.length === other.length && one.every((each, index) => keyOf(each) === keyOf(other[index]));
}

/** @returns what both lists contain */
export function commonTo(one: readonly Difference[], other: readonly Difference[]): Difference[] {
  const keys = new Set(other.map(keyOf));
  return one.filter((each) => keys.has(keyOf(each)));
}

const keyOf = (difference: Difference | undefined): string =>
  JSON.stringify([difference?.kind, difference?.paymentId, difference?.expected, difference?.found]);
