import type { ConsentToDecide } from '#libs/authorization-session';
import type { Authorisation, Charge, Initiation } from '#libs/consent';
import { type PaymentInstruction, readAcceptedPayments } from '#libs/file-payment';
import {
  defaultLocalInstrument,
  isLocalInstrument,
  parseDateTime,
  parseStoredJson,
  type AccountIdentification,
} from '#libs/obie-rules';

/** A file of payments with everything that the PSU decides on. */
export interface PaymentsToApprove {
  /** every payment, in the order of the file */
  readonly payments: readonly PaymentInstruction[];
  /** sum in units of 0.00001 */
  readonly total: bigint;
  readonly currency: string;
  readonly localInstrument: string;
  readonly requestedExecutionDate?: Date;
  readonly fileReference?: string;
  readonly charges: readonly Charge[];
  /** the account that the TPP named, for the whole file or in its items; undefined leaves the choice to the PSU */
  readonly requestedAccount?: AccountIdentification;
  readonly authorisation?: Authorisation;
  /** SHA-256 of the file */
  readonly fileHash: Buffer;
}

/**
 * Reads a stored consent and its file, with the same rules by which the file was accepted and by which it is paid: what the
 * PSU sees is what leaves the account. Sums are taken from the payments themselves.
 * @throws TypeError or JsonFormatError if the stored file cannot be read completely; it was checked when it was uploaded
 */
export function parsePaymentsToApprove(consent: ConsentToDecide): PaymentsToApprove {
  const { file, fileHash } = consent;
  if (file === undefined || fileHash === undefined) throw new TypeError('The consent has no file.');
  const initiation = JSON.parse(consent.initiation) as Initiation;
  const localInstrument = consent.localInstrument ?? initiation.LocalInstrument ?? defaultLocalInstrument;
  const payments = readAcceptedPayments(
    parseStoredJson(file) as Record<string, unknown>,
    isLocalInstrument(localInstrument) ? localInstrument : undefined,
  );
  const { DebtorAccount, FileReference, RequestedExecutionDateTime } = initiation;
  const requestedAccount = DebtorAccount ?? payments.find(({ debtorAccount }) => debtorAccount)?.debtorAccount;
  const requestedExecutionDate = parseDateTime(RequestedExecutionDateTime ?? '');
  return {
    payments,
    total: payments.reduce((sum, { amount }) => sum + amount, 0n),
    currency: payments[0]?.currency ?? 'GBP',
    localInstrument,
    charges: JSON.parse(consent.charges) as Charge[],
    fileHash,
    ...(requestedExecutionDate !== undefined && { requestedExecutionDate }),
    ...(FileReference !== undefined && { fileReference: FileReference }),
    ...(requestedAccount !== undefined && { requestedAccount }),
    ...(consent.authorisation !== undefined && { authorisation: JSON.parse(consent.authorisation) as Authorisation }),
  };
}
