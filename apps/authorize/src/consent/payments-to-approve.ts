import type { ConsentToDecide } from '#libs/customer-session';
import type { Charge, Initiation } from '#libs/consent';
import { InstructionsAlteredError, type ListedPayment, readInstructionList } from '#libs/payment-order';
import {
  type AccountIdentification,
  type Authorisation,
  type LocalInstrument,
  parseDecimalNumber,
} from '#libs/obie-rules';

/** A payment file with everything on which the PSU decides. */
export interface PaymentsToApprove {
  /** every payment as its scheme will carry it, in the order of the file */
  readonly payments: readonly ListedPayment[];
  /** sum in units of 0.00001 */
  readonly total: bigint;
  readonly currency: string;
  readonly localInstrument: LocalInstrument;
  readonly fileReference?: string;
  readonly charges: readonly Charge[];
  /** the account that the TPP named for the file or its items; if undefined, the PSU chooses */
  readonly requestedAccount?: AccountIdentification;
  readonly authorisation?: Authorisation;
  /** whether the TPP gets the account, to refund to it */
  readonly isRefundable: boolean;
  /** SHA-256 of the list of payments: what the approval is bound to */
  readonly approvalHash: Buffer;
}

/**
 * Reads a stored consent and the list of its payments. The worker hands over this list, so the PSU sees exactly what
 * leaves the account.
 * @throws InstructionsAlteredError if the list is not the one made when the file was accepted
 */
export function parsePaymentsToApprove(consent: ConsentToDecide): PaymentsToApprove {
  const { approvalHash } = consent;
  if (approvalHash === undefined) throw new InstructionsAlteredError('The consent has no list of payments.');
  const list = readInstructionList(consent);
  const initiation = JSON.parse(consent.initiation) as Initiation;
  const { DebtorAccount, FileReference } = initiation;
  const { Authorisation: authorisation, ReadRefundAccount } = consent.conditions;
  const requestedAccount = DebtorAccount ?? toAccount(list.requestedAccount);
  return {
    payments: list.payments,
    total: parseDecimalNumber(list.total) ?? 0n,
    currency: list.currency,
    localInstrument: list.localInstrument,
    charges: JSON.parse(consent.charges) as Charge[],
    isRefundable: ReadRefundAccount === 'Yes',
    approvalHash,
    ...(FileReference !== undefined && { fileReference: FileReference }),
    ...(requestedAccount !== undefined && { requestedAccount }),
    ...(authorisation !== undefined && { authorisation }),
  };
}

function toAccount(account: { scheme: string; identification: string } | undefined): AccountIdentification | undefined {
  return account && { SchemeName: account.scheme, Identification: account.identification };
}

/** @returns to whom the only payment goes; undefined if there are several */
export function payeeOf(payments: readonly ListedPayment[]): string | undefined {
  return payments.length === 1 ? payments[0]?.payeeName : undefined;
}
