import { LosslessNumber, stringify } from 'lossless-json';
import { aPaymentFile, type TestPaymentFile } from './a-payment-file.js';

/** Members to replace; undefined removes. */
export type Members = Readonly<Record<string, unknown>>;

/** `Data.Initiation` for a file, with count and sum. */
export function anInitiation(file: TestPaymentFile = aPaymentFile(), members: Members = {}): Record<string, unknown> {
  return {
    FileType: file.fileType,
    FileHash: file.fileHash,
    FileReference: 'TEST-FILE',
    NumberOfTransactions: file.numberOfTransactions,
    ControlSum: decimal(file.controlSum),
    LocalInstrument: 'UK.OBIE.FPS',
    ...members,
  };
}

/**
 * Body of POST /file-payment-consents.
 * @param options.initiation members of Data.Initiation that differ
 * @param options.data members of Data that differ
 */
export function aConsentRequest(
  options: { file?: TestPaymentFile; initiation?: Members; data?: Members } = {},
): string {
  const { file = aPaymentFile(), initiation = {}, data = {} } = options;
  return toJson({ Data: { Initiation: anInitiation(file, initiation), ...data } });
}

/** Body of POST /file-payments. */
export function aPaymentRequest(consentId: string, initiation: Members, data: Members = {}): string {
  return toJson({ Data: { ConsentId: consentId, Initiation: initiation, ...data } });
}

/** @returns a number that goes into JSON as just this text */
export function decimal(text: string): LosslessNumber {
  return new LosslessNumber(text);
}

/** JSON with the decimal text of numbers kept. */
export function toJson(value: unknown): string {
  return stringify(value) ?? '';
}
