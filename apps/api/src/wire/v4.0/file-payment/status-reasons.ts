import type { PaymentConsent, RejectionReason } from '#libs/consent';
import type { FilePayment, PaymentEntity, PaymentStatusDetail } from '#libs/payment-order';
import type { StatusReason } from '../../file-payment/version.js';
import { stateName } from './states.js';

const reasonOf = (StatusReasonCode: string, StatusReasonDescription: string): StatusReason => ({
  StatusReasonCode,
  StatusReasonDescription,
});

const unknownReason = reasonOf('U042', 'The reason was not recorded.');

const rejections: Readonly<Record<RejectionReason, StatusReason>> = {
  FileMismatch: reasonOf('NARR', 'The uploaded file did not match the consent, or had faults.'),
  CutOff: reasonOf('TM01', 'The file arrived after the cut-off of its payment type.'),
  Declined: reasonOf('U033', 'The customer did not authorise the file.'),
  Expired: reasonOf('U036', 'The consent was not used in time.'),
  NotPossible: reasonOf(
    'U033',
    'The customer could not authorise the file: none of their accounts can pay it, or their authentication was not strong enough.',
  ),
};

/** @returns the reason for a consent's status (OBStatusReason); nothing if the status says it all */
export function reasonsOfConsent({ status, statusReason }: PaymentConsent): StatusReason[] {
  if (status === 'AwaitingUpload') return [reasonOf('U031', 'Nothing is checked before the file has been uploaded.')];
  if (status === 'AwaitingAuthorisation') return [reasonOf('U036', 'The customer has not decided on the file yet.')];
  if (status === 'Consumed') return [reasonOf('U038', 'A file payment was made from the consent.')];
  if (status === 'Rejected') return [statusReason === undefined ? unknownReason : rejections[statusReason]];
  return [];
}

/** Why none of a file's payments was made, by the reason in StatusDetail of each. */
const failures: Readonly<Record<string, StatusReason>> = {
  AccountBlocked: reasonOf('AC06', 'The account cannot be debited.'),
  Cancelled: reasonOf(
    'U036',
    'The third party provider is no longer permitted to act, and not everybody had approved the file.',
  ),
  Declined: reasonOf('U037', 'A person whose approval the account needs has declined the file.'),
  Expired: reasonOf('U036', 'The people whose approval the account needs have not all approved the file in time.'),
  InsufficientFunds: reasonOf('AM04', 'The account did not have enough money for the whole file.'),
  NotApproved: reasonOf('NARR', 'The bank knows no approval of the file by its customer.'),
  RefusedByBank: reasonOf('NARR', 'The bank did not accept the file.'),
};

/** @returns the reason for a file payment's status; nothing if the status says it all */
export function reasonsOfPayment({ payment }: FilePayment): StatusReason[] {
  const { status, statusReason, approvalsReceived, approvalsRequired } = payment;
  if (status === 'InitiationFailed') return [failures[statusReason ?? ''] ?? unknownReason];
  if (status === 'InitiationCompleted') return [];
  return approvalsReceived < approvalsRequired
    ? [reasonOf('U040', 'Not everybody whose approval the account needs has approved the file.')]
    : [reasonOf('U030', 'The file was received; its payments are on their way to their scheme.')];
}

/** States of a payment (ExternalPaymentTransactionStatus1Code, those of OBWritePaymentDetailsResponse1). */
export const paymentStatusCodes = 'PDNG ACTC PATC ACCP ACFC ACSP ACWC ACSC ACWP ACCC BLCK RJCT'.split(' ');
const codes = new Set(paymentStatusCodes);

/**
 * @returns StatusDetail of OBWritePaymentDetailsResponse1; a status outside the standard's codes becomes the payment's
 * status, and a reason outside them NARR
 */
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

/** @returns a reason that the scheme sent as its status */
function codeOutOf(status: string): string | undefined {
  return codes.has(status) ? undefined : codeIn(status);
}

/** @returns a reason that is a four-character code, like those of the schemes */
function codeIn(text: string | undefined): string | undefined {
  return text !== undefined && /^[A-Z0-9]{4}$/.test(text) ? text : undefined;
}
