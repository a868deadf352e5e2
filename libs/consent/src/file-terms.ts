import {
  type AccountIdentification,
  isLocalInstrument,
  type LocalInstrument,
  londonDay,
  parseDateTime,
} from '#libs/obie-rules';
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

/** @returns the day in London of a valid date-time */
function dayOf(dateTime: string | undefined): string | undefined {
  const date = dateTime === undefined ? undefined : parseDateTime(dateTime);
  return date === undefined ? undefined : londonDay(date);
}
