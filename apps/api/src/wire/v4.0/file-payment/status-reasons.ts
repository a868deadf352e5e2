import type { FilePaymentConsent, RejectionReason } from '#libs/consent';
import type { FilePayment, PaymentEntity, PaymentStatusDetail } from '#libs/file-payment';
import type { StatusReason } from '../../file-payment/version.js';
import { stateName } from './states.js';

const reasonOf = (StatusReasonCode: string, StatusReasonDescription: string): StatusReason => ({
  StatusReasonCode,
  StatusReasonDescription,
});

const unknownReason = reasonOf('U042', 'The reason was not recorded.');

const rejections: Readonly<Record<RejectionReason, StatusReason>> = {
  FileMismatch: reasonOf('NARR', 'The file that was uploaded contradicted the consent, or had faults.'),
  CutOff: reasonOf('TM01', 'The file came after the cut-off of its payment type.'),
  Declined: reasonOf('U033', 'The customer did not authorise the file.'),
  Expired: reasonOf('U036', 'The consent was not used in time.'),
  NotPossible: reasonOf(
    'U033',
    'The customer could not authorise the file: no account of theirs can pay it, or they were not authenticated as strongly as was asked.',
  ),
};

/** @returns why a consent is where it is (OBStatusReason); nothing where its state says it all */
export function reasonsOfConsent({ status, statusReason }: FilePaymentConsent): StatusReason[] {
  if (status === 'AwaitingUpload') return [reasonOf('U031', 'Nothing is checked before the file has been uploaded.')];
  if (status === 'AwaitingAuthorisation') return [reasonOf('U036', 'The customer has not decided on the file yet.')];
  if (status === 'Consumed') return [reasonOf('U038', 'A file payment was made from the consent.')];
  if (status === 'Rejected') return [statusReason === undefined ? unknownReason : rejections[statusReason]];
  return [];
}

/** Why none of a file's payments is made, by the word that StatusDetail of each has. */
const failures: Readonly<Record<string, StatusReason>> = {
  AccountBlocked: reasonOf('AC06', 'The account cannot be debited.'),
  Cancelled: reasonOf('U036', 'The third party provider may not act any more; not everybody had approved the file.'),
  Declined: reasonOf('U037', 'A person whose approval the account needs has declined the file.'),
  Expired: reasonOf('U036', 'The people whose approval the account needs have not all approved the file in time.'),
  InsufficientFunds: reasonOf('AM04', 'The account did not hold enough money for the whole file.'),
  RefusedByBank: reasonOf('NARR', 'The bank did not accept the file.'),
};

/** @returns why a file payment is where it is; nothing where its state says it all */
export function reasonsOfPayment({ payment }: FilePayment): StatusReason[] {
  const { status, statusReason, approvalsReceived, approvalsRequired } = payment;
  if (status === 'InitiationFailed') return [failures[statusReason ?? ''] ?? unknownReason];
  if (status === 'InitiationCompleted') return [];
  return approvalsReceived < approvalsRequired
    ? [reasonOf('U040', 'Not everybody whose approval the account needs has approved the file.')]
    : [reasonOf('U030', 'The file was received; its payments are on their way to their scheme.')];
}

/** States of a payment (ExternalPaymentTransactionStatus1Code, those of OBWritePaymentDetailsResponse1). */
const codes = new Set('RCVD PDNG ACTC PATC ACCP ACFC ACSP ACWC ACSC ACWP ACCC BLCK RJCT'.split(' '));

/** @returns StatusDetail of OBWritePaymentDetailsResponse1: what is no code of the standard is told as the state, and its words as NARR */
export function toStatusDetail({ status, statusDetail }: PaymentEntity) {
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

/** @returns the reason that a scheme has put where its state belongs */
function codeOutOf(status: string): string | undefined {
  return codes.has(status) ? undefined : codeIn(status);
}

/** @returns a reason that is a code of four characters, as the schemes' own are */
function codeIn(text: string | undefined): string | undefined {
  return text !== undefined && /^[A-Z0-9]{4}$/.test(text) ? text : undefined;
}
