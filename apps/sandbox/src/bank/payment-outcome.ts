/** Where a payment is, in OBIE's words, and what its scheme says about it. */
export interface PaymentOutcome {
  status:
    | 'Pending'
    | 'AcceptedSettlementInProcess'
    | 'AcceptedSettlementCompleted'
    | 'AcceptedCreditSettlementCompleted'
    | 'AcceptedWithoutPosting'
    | 'Rejected';
  statusDetail?: { status: string; reason?: string; description?: string };
}

/** What is known of a payment that the sandbox bank has accepted. */
export interface AcceptedPayment {
  pence: bigint;
  localInstrument: string;
  /** YYYY-MM-DD */
  requestedExecutionDate: string | undefined;
  acceptedAt: Date;
  /** how long a day of settlement lasts, in milliseconds */
  dayMilliseconds: number;
  /** somebody asked for it to be rejected */
  isRefused?: boolean;
}

/** How long a payment "held for checks" is held. */
const checksMilliseconds = 2_000;
/**
 * Days from the day a payment enters its scheme to the day it settles: CHAPS on the evening of the same, BACS on the
 * third day of its cycle.
 */
const settlementDays: Readonly<Record<string, number>> = { 'UK.OBIE.CHAPS': 1, 'UK.OBIE.BACS': 3 };

const rejected: PaymentOutcome = {
  status: 'Rejected',
  statusDetail: { status: 'RJCT', reason: 'ProprietaryRejection', description: "The creditor's account is closed." },
};
const withoutPosting: PaymentOutcome = {
  status: 'AcceptedWithoutPosting',
  statusDetail: { status: 'ACWP', reason: 'PendingSettlement', description: 'The creditor has not been credited yet.' },
};
const heldForChecks: PaymentOutcome = {
  status: 'Pending',
  statusDetail: { status: 'PDNG', reason: 'PendingSettlement', description: 'The payment is held for checks.' },
};
const scheduled: PaymentOutcome = {
  status: 'Pending',
  statusDetail: { status: 'PDNG', reason: 'PendingSettlement', description: 'The execution date is still to come.' },
};

/**
 * Decides the outcome of a payment in the sandbox, so that every outcome can be tried: pence of 99 are rejected, 98 are
 * held for two seconds and then continue, 97 are accepted without posting. All others settle as their scheme does: FPS
 * and balance transfers at once, CHAPS at the end of the day, BACS in its three-day cycle. The sandbox's settings say
 * how long such a day lasts. Execution dates are calendar days: no payment is sent before.
 */
export function paymentOutcome(payment: AcceptedPayment, now: Date): PaymentOutcome {
  const { pence, localInstrument, requestedExecutionDate, acceptedAt, dayMilliseconds } = payment;
  // Of simultaneous requests, the one that accepted the payment may have read the clock last.
  const age = Math.max(0, now.getTime() - acceptedAt.getTime());
  const lastPence = pence % 100n;
  if (lastPence === 99n || payment.isRefused === true) return rejected;
  if (requestedExecutionDate !== undefined && requestedExecutionDate > londonDate(now)) return scheduled;
  if (lastPence === 98n && age < checksMilliseconds) return heldForChecks;
  if (lastPence === 97n) return withoutPosting;
  const isSettled = age >= (settlementDays[localInstrument] ?? 0) * dayMilliseconds;
  if (!isSettled) return { status: 'AcceptedSettlementInProcess' };
  // FPS reports that the creditor has the money; the others report that the debtor's side is settled.
  return {
    status: localInstrument === 'UK.OBIE.FPS' ? 'AcceptedCreditSettlementCompleted' : 'AcceptedSettlementCompleted',
  };
}

const london = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/London', dateStyle: 'short' });

/** @returns YYYY-MM-DD of the bank's own day */
function londonDate(now: Date): string {
  return london.format(now);
}
