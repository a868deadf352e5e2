import type { PaymentConsent, RejectionReason } from '#libs/consent';
import type { FilePayment, PaymentEntity, PaymentStatusDetail } from '#libs/payment-order';
import type { StatusReason } from '../../file-payment/version.js';
import { stateName } from '../payment-version.js';

const reasonOf = (StatusReasonCode: string, StatusReasonDescription: string): StatusReason => ({
  StatusReasonCode,
  StatusReasonDescription,
});

const unknownReason = reasonOf('U042', 'The reason was not recorded.');

/** The words for a kind. */
interface Subject {
  /** what the customer decides on */
  readonly thing: 'file' | 'payment';
  /** what is made from the consent */
  readonly payment: string;
  readonly onItsWay: string;
  /** while the bank holds or stops it: not why, which may be nobody's to know (Proceeds of Crime Act 2002 s333A) */
  readonly notMade: string;
}

/** Why a consent was rejected. */
const rejectionsOf = ({ thing }: Subject): Readonly<Record<RejectionReason, StatusReason>> => ({
  FileMismatch: reasonOf('NARR', 'The uploaded file did not match the consent, or had faults.'),
  CutOff: reasonOf('TM01', `The ${thing} arrived after the cut-off of its payment type.`),
  Declined: reasonOf('U033', `The customer did not authorise the ${thing}.`),
  Expired: reasonOf('U036', 'The consent was not used in time.'),
  NotPossible: reasonOf(
    'U033',
    `The customer could not authorise the ${thing}: none of their accounts can pay it, or their authentication was ` +
      'not strong enough.',
  ),
});

/** Why nothing was paid, by the reason in StatusDetail of each payment. */
const failuresOf = ({ thing }: Subject): Readonly<Record<string, StatusReason>> => ({
  AccountBlocked: reasonOf('AC06', 'The account cannot be debited.'),
  Cancelled: reasonOf(
    'U036',
    `The third party provider is no longer permitted to act, and not everybody had approved the ${thing}.`,
  ),
  Declined: reasonOf('U037', `A person whose approval the account needs has declined the ${thing}.`),
  Expired: reasonOf('U036', `The people whose approval the account needs have not all approved the ${thing} in time.`),
  InsufficientFunds: reasonOf(
    'AM04',
    `The account did not have enough money for the ${thing === 'file' ? 'whole file' : thing}.`,
  ),
  NotApproved: reasonOf('NARR', `The bank knows no approval of the ${thing} by its customer.`),
  RefusedByBank: reasonOf('NARR', `The bank did not accept the ${thing}.`),
});

const ofFiles: Subject = {
  thing: 'file',
  payment: 'file payment',
  onItsWay: 'The file was received; its payments are on their way to their scheme.',
  notMade: 'The file was received; not all of its payments have been made.',
};
const ofPayments: Subject = {
  thing: 'payment',
  payment: 'domestic payment',
  onItsWay: 'The payment was received and is on its way to its scheme.',
  notMade: 'The payment was received and has not been made.',
};

/** @returns the reason for the status of a kind's consents (OBStatusReason); nothing if the status says it all */
const createReasonsOfConsent =
  (subject: Subject) =>
  ({ status, statusReason }: Pick<PaymentConsent, 'status' | 'statusReason'>): StatusReason[] => {
    if (status === 'AwaitingUpload') return [reasonOf('U031', 'The file has not been uploaded yet.')];
    if (status === 'AwaitingAuthorisation')
      return [reasonOf('U036', `The customer has not decided on the ${subject.thing} yet.`)];
    if (status === 'Consumed') return [reasonOf('U038', `A ${subject.payment} was made from the consent.`)];
    if (status === 'Rejected')
      return [statusReason === undefined ? unknownReason : rejectionsOf(subject)[statusReason]];
    return [];
  };

/** @returns the reason for the status of a kind's orders; nothing if the status says it all */
const createReasonsOfOrder =
  (subject: Subject) =>
  ({ payment }: Pick<FilePayment, 'payment'>): StatusReason[] => {
    const { status, statusReason, approvalsReceived, approvalsRequired, heldAt, stoppedAt } = payment;
    if (status === 'InitiationFailed') return [failuresOf(subject)[statusReason ?? ''] ?? unknownReason];
    if (status === 'InitiationCompleted') return [];
    const { thing, onItsWay, notMade } = subject;
    // Also while it is stopped, because it waits for them again afterwards.
    if (approvalsReceived < approvalsRequired)
      return [reasonOf('U040', `Not everybody whose approval the account needs has approved the ${thing}.`)];
    return [heldAt === null && stoppedAt === null ? reasonOf('U030', onItsWay) : reasonOf('NARR', notMade)];
  };

export const reasonsOfConsent = createReasonsOfConsent(ofFiles);
export const reasonsOfPayment = createReasonsOfOrder(ofFiles);

/** The same of a single payment: in the words of its details, if they have any. */
export const singleReasons = {
  reasonsOfConsent: createReasonsOfConsent(ofPayments),
  reasonsOfPayment: (order: Pick<FilePayment, 'payment' | 'only'>): StatusReason[] => {
    const { payment, only } = order;
    const isOpen = only?.status === 'Pending';
    if (!isOpen && only?.status !== 'Rejected') return [];
    const { StatusReason: code = 'NARR', StatusReasonDescription: words } = toStatusDetail(only) ?? {};
    if (words !== undefined) return [reasonOf(code, words)];
    if (isOpen || payment.status === 'InitiationFailed') return createReasonsOfOrder(ofPayments)(order);
    return [reasonOf(code, 'The scheme or the payee’s bank refused it.')];
  },
};

const failures = failuresOf(ofFiles);

/** States of a payment (ExternalPaymentTransactionStatus1Code, those of OBWritePaymentDetailsResponse1). */
export const paymentStatusCodes = 'PDNG ACTC PATC ACCP ACFC ACSP ACWC ACSC ACWP ACCC BLCK RJCT'.split(' ');
const codes = new Set(paymentStatusCodes);

/**
 * @returns StatusDetail of OBWritePaymentDetailsResponse1; a status outside the standard's codes becomes the payment's
 * status, and a reason outside them NARR
 */
export function toStatusDetail({ status, statusDetail }: Pick<PaymentEntity, 'status' | 'statusDetail'>) {
  if (statusDetail === null) return undefined;
  const { Status, StatusReason, StatusReasonDescription, ...rest } = JSON.parse(statusDetail) as PaymentStatusDetail;
  const code = failures[Status]?.StatusReasonCode ?? codeIn(StatusReason) ?? codeOutOf(Status);
  const reason = code ?? (StatusReasonDescription && 'NARR');
  return {
    ...rest,
    Status: codes.has(Status) ? Status : stateName(status),
    ...(reason === undefined ? {} : { StatusReason: reason }),
    ...(StatusReasonDescription === undefined ? {} : { StatusReasonDescription }),
  };
}

/** @returns a reason that the scheme sent as its status */
function codeOutOf(status: string): string | undefined {
  return codes.has(status) ? undefined : codeIn(status);
}

/** @returns a reason that is a four-character code, like those of the schemes */
function codeIn(text: string | undefined): string | undefined {
  return text !== undefined && /^[A-Z0-9]{4}$/.test(text) ? text : undefined;
}
