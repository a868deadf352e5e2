import { type AccountIdentification, isLocalInstrument, type LocalInstrument } from '#libs/obie-rules';
import { dayOf } from './day-of.js';
import type { Initiation } from './initiation.js';

/** What a consent states about its file, independent of the API version. Unspecified members are absent. */
export interface FileTerms {
  /** how the file is written, e.g. UK.OBIE.PaymentInitiation.3.1 */
  readonly fileType?: string | undefined;
  /** base64 of the SHA-256 of the file */
  readonly fileHash: string;
  /** decimal text, as it was sent */
  readonly numberOfPayments?: string | undefined;
  /** decimal text, as it was sent */
  readonly controlSum?: string | undefined;
  readonly localInstrument?: LocalInstrument | undefined;
  /** day of execution in London, `YYYY-MM-DD` */
  readonly requestedDay?: string | undefined;
  readonly debtorAccount?: AccountIdentification | undefined;
}

/** @param initiation as sent and stored; all versions use the same names for these members */
export function readFileTerms(initiation: Initiation): FileTerms {
  const { LocalInstrument } = initiation;
  return {
    fileType: initiation.FileType,
    fileHash: initiation.FileHash,
    numberOfPayments: initiation.NumberOfTransactions,
    controlSum: initiation.ControlSum?.value,
    localInstrument: LocalInstrument !== undefined && isLocalInstrument(LocalInstrument) ? LocalInstrument : undefined,
    requestedDay: dayOf(initiation.RequestedExecutionDateTime),
    debtorAccount: initiation.DebtorAccount,
  };
}
