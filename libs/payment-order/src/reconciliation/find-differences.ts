import { formatDecimal, parseAmount, type PaymentStatus, settledStates } from '#libs/obie-rules';
import type { BankBook, BookedPayment, OwnBook } from './books.js';
import type { Difference } from './difference.js';

/** Milliseconds within which the bank must show an accepted payment in its book. */
const patienceMilliseconds = 60_000;
/**
 * Milliseconds after a stop in which a payment in flight may still reach the bank: more than a lease and the bank's
 * timeout.
 */
export const stopPatienceMilliseconds = 900_000;
const currency = 'GBP';
const isRejected = (status: PaymentStatus): boolean => status === 'Rejected';

/**
 * Compares a file, its payments and states, and the bank's own book. What is in progress is not a difference.
 * @param bank undefined: only what this service has is compared
 * @returns the differences, in an order that is the same every time
 */
export function findDifferences({ own, bank }: { own: OwnBook; bank: BankBook | undefined }): Difference[] {
  if (own.filePayment === undefined) return own.consentStatus === 'Consumed' ? [{ kind: 'ConsentWithoutPayment' }] : [];
  return [
    ...findInFile(own),
    ...findHashDifference(own),
    ...findUnrecorded(own),
    ...findInStates(own),
    ...(own.filePayment.isDueTooLate ? [{ kind: 'DueTooLate' as const }] : []),
    ...(bank === undefined
      ? []
      : [...findInReservation(own, bank), ...findAtBank(own, bank), ...findMissing(own, bank)]),
  ];
}

/**
 * @returns what the bank has of a file payment that is unknown here, for example because a restored database has lost
 * it: each payment, or the reserved money
 */
export function findUnknown({ decision, payments }: BankBook): Difference[] {
  const kind = 'PaymentOnlyAtBank';
  if (payments.length === 0) return decision === 'Accepted' ? [{ kind, expected: 'none', found: decision }] : [];
  return payments.map(({ paymentId, status }) => ({ kind, paymentId, expected: 'none', found: status }));
}

/** The payments are as many as in the file, in their places, and have its sum. */
function findInFile(own: OwnBook): Difference[] {
  const { consentStatus, numberOfPayments, payments, sum } = own;
  const differences: Difference[] = [];
  if (consentStatus !== 'Consumed') {
    differences.push({ kind: 'PaymentWithoutConsent', expected: 'Consumed', found: consentStatus });
  }
  if (payments.length !== numberOfPayments) {
    const kind = payments.length < numberOfPayments ? 'PaymentsMissing' : 'PaymentsSurplus';
    differences.push({ kind, expected: String(numberOfPayments), found: String(payments.length) });
  }
  for (const { paymentId, position, expectedId } of payments) {
    if (position >= 0 && position < numberOfPayments && paymentId === expectedId) continue;
    differences.push({ kind: 'PositionsBroken', paymentId, expected: expectedId, found: String(position) });
  }
  const total = sumOf(payments);
  if (total !== sum) {
    differences.push({ kind: 'SumDiffers', expected: formatDecimal(sum), found: formatDecimal(total) });
  }
  return differences;
}

export const sumOf = (payments: readonly BookedPayment[]): bigint =>
  payments.reduce((sum, { amount }) => sum + amount, 0n);

/** The hashes of the stored list, of the upload and of the approval must be equal, as far as they exist. */
function findHashDifference({ hashes: { stored, taken, approved } }: OwnBook): Difference[] {
  const known = new Set([stored, taken, approved].filter((hash) => hash !== undefined));
  if (known.size <= 1) return [];
  return [{ kind: 'HashDiffers', expected: approved ?? taken ?? '', found: stored ?? 'erased' }];
}

function findUnrecorded({ approvals: { received, recorded } }: OwnBook): Difference[] {
  if (received === recorded) return [];
  return [{ kind: 'ApprovalNotRecorded', expected: String(received), found: String(recorded) }];
}

const isOpen = ({ status, handedOverAt }: BookedPayment): boolean => handedOverAt === undefined && !isRejected(status);
const isMade = ({ status, handedOverAt }: BookedPayment): boolean => handedOverAt !== undefined || !isRejected(status);

function findInStates({ filePayment, payments }: OwnBook): Difference[] {
  if (filePayment?.status === 'InitiationCompleted') {
    return payments.filter(isOpen).map((payment) => differenceOf('CompletedWithOpenPayment', payment));
  }
  if (filePayment?.status === 'InitiationFailed') {
    return payments.filter(isMade).map((payment) => differenceOf('FailedWithPayment', payment, 'Rejected'));
  }
  return [];
}

function findInReservation({ filePayment }: OwnBook, { decision }: BankBook): Difference[] {
  if (filePayment?.isReserved !== true || decision === 'Accepted') return [];
  return [{ kind: 'NotReservedAtBank', expected: 'Accepted', found: decision }];
}

/** Each payment at the bank occurs once, is known here, was handed over, has its amount, and ended the same way. */
function findAtBank({ filePayment, payments, readAt }: OwnBook, bank: BankBook): Difference[] {
  const own = new Map(payments.map((payment) => [payment.paymentId, payment]));
  const isInProgress = filePayment?.isInProgress === true || isJustStopped(filePayment?.stoppedAt, readAt);
  const seen = new Set<string>();
  return bank.payments.toSorted(byPaymentId).flatMap((there) => {
    const { paymentId, status } = there;
    if (seen.has(paymentId)) return [{ kind: 'PaymentTwiceAtBank', paymentId }];
    seen.add(paymentId);
    const here = own.get(paymentId);
    if (here === undefined) return [{ kind: 'PaymentOnlyAtBank', paymentId, expected: 'none', found: status }];
    return [...compareAmounts(here, there), ...compareStates(here, there, isInProgress)];
  });
}

function isJustStopped(stoppedAt: Date | undefined, now: Date): boolean {
  return stoppedAt !== undefined && now.getTime() - stoppedAt.getTime() < stopPatienceMilliseconds;
}

type PaymentAtBank = BankBook['payments'][number];

function byPaymentId(one: PaymentAtBank, other: PaymentAtBank): number {
  return one.paymentId < other.paymentId ? -1 : Number(one.paymentId > other.paymentId);
}

function compareAmounts({ paymentId, amount: here }: BookedPayment, there: PaymentAtBank): Difference[] {
  if (there.currency === currency && parseAmount(there.amount) === here) return [];
  return [
    { kind: 'AmountDiffers', paymentId, expected: formatDecimal(here), found: `${there.amount} ${there.currency}` },
  ];
}

/** @param isInProgress whether a hand-over may not be recorded yet */
function compareStates(here: BookedPayment, there: PaymentAtBank, isInProgress: boolean): Difference[] {
  const { paymentId, status: expected, handedOverAt } = here;
  const found = there.status;
  if (handedOverAt !== undefined) {
    return doContradict(expected, found) ? [{ kind: 'StateContradicts', paymentId, expected, found }] : [];
  }
  const isHarmless = isInProgress || (isRejected(expected) && isRejected(found));
  return isHarmless ? [] : [{ kind: 'PaymentOnlyAtBank', paymentId, expected, found }];
}

/** The bank has every payment that was handed over and not refused. */
function findMissing({ payments, readAt }: OwnBook, bank: BankBook): Difference[] {
  const there = new Set(bank.payments.map(({ paymentId }) => paymentId));
  const shouldBeThere = ({ handedOverAt, status }: BookedPayment): boolean =>
    handedOverAt !== undefined &&
    !isRejected(status) &&
    readAt.getTime() - handedOverAt.getTime() >= patienceMilliseconds;
  return payments
    .filter((payment) => shouldBeThere(payment) && !there.has(payment.paymentId))
    .map(({ paymentId, status }) => ({ kind: 'PaymentNotAtBank', paymentId, expected: status, found: 'none' }));
}

function differenceOf(kind: Difference['kind'], { paymentId, status }: BookedPayment, expected?: string): Difference {
  return { kind, paymentId, ...(expected === undefined ? {} : { expected }), found: status };
}

/** @returns whether a payment has ended here, by the bank's report or by an operator, but not in the bank's book */
export function isOpenAtBank({ payments }: OwnBook, bank: BankBook): boolean {
  const there = new Map(bank.payments.map(({ paymentId, status }) => [paymentId, status]));
  return payments.some(({ paymentId, status }) => {
    const found = there.get(paymentId);
    return found !== undefined && settledStates.includes(status) && !settledStates.includes(found);
  });
}

function doContradict(here: PaymentStatus, there: PaymentStatus): boolean {
  return settledStates.includes(here) && settledStates.includes(there) && isRejected(here) !== isRejected(there);
}
