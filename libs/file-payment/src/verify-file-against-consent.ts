import type { Initiation } from '#libs/consent';
import { fieldInvalid, type ObErrorItem } from '#libs/error-envelope';
import {
  defaultLocalInstrument,
  formatDecimal,
  isSameAccount,
  londonDay,
  parseDateTime,
  parseDecimalNumber,
  parseFileHash,
} from '#libs/obie-rules';
import type { PaymentFile } from './parse-payment-file.js';

/**
 * Everything that the consent states about the file must be so (reference 8.1 to 8.6, 6.4).
 * @param digest SHA-256 of the upload's octets as received
 * @returns one item for each contradiction
 */
export function verifyFileAgainstConsent({
  file,
  digest,
  initiation,
}: {
  file: PaymentFile;
  digest: Buffer;
  initiation: Initiation;
}): ObErrorItem[] {
  return [
    ...verifyFileHash(digest, initiation),
    ...verifyNumberOfTransactions(file, initiation),
    ...verifyControlSum(file, initiation),
    ...verifyPaymentType(file, initiation),
    ...verifyDebtorAccounts(file, initiation),
    ...verifyExecutionDates(file, initiation),
  ];
}

/** The SHA-256 of the raw octets, whatever white space they hold; no canonical form. */
export function verifyFileHash(digest: Buffer, initiation: Initiation): ObErrorItem[] {
  const expected = parseFileHash(initiation.FileHash);
  if (expected?.equals(digest)) return [];
  return [
    fieldInvalid(
      'Data.Initiation.FileHash',
      `of the consent is not the SHA-256 of the uploaded file, which is ${digest.toString('base64')}`,
    ),
  ];
}

function verifyNumberOfTransactions(file: PaymentFile, initiation: Initiation): ObErrorItem[] {
  const { NumberOfTransactions: expected } = initiation;
  const actual = file.instructions.length;
  if (expected === undefined || Number(expected) === actual) return [];
  return [
    fieldInvalid(
      'Data.Initiation.NumberOfTransactions',
      `of the consent is ${expected}, the file has ${actual} payments`,
    ),
  ];
}

/** Compared by value in units of 0.00001, never as binary fractions. */
function verifyControlSum(file: PaymentFile, initiation: Initiation): ObErrorItem[] {
  if (initiation.ControlSum === undefined) return [];
  const actual = file.instructions.reduce((sum, { amount }) => sum + amount, 0n);
  if (parseDecimalNumber(initiation.ControlSum.value) === actual) return [];
  return [
    fieldInvalid(
      'Data.Initiation.ControlSum',
      `of the consent is ${initiation.ControlSum.value}, the sum of the file is ${formatDecimal(actual)}`,
    ),
  ];
}

/** All payments of a file are of one type: the consent's, or else that of the first payment (brief section 1.4). */
function verifyPaymentType({ instructions, path }: PaymentFile, initiation: Initiation): ObErrorItem[] {
  const consentInstrument = initiation.LocalInstrument;
  const typeOf = (index: number): string =>
    instructions[index]?.localInstrument ?? consentInstrument ?? defaultLocalInstrument;
  const expected = consentInstrument ?? typeOf(0);
  return instructions.flatMap((_, index) =>
    typeOf(index) === expected
      ? []
      : [
          fieldInvalid(
            `${path}[${index}].LocalInstrument`,
            `is ${typeOf(index)}, but all payments must be ${expected}`,
          ),
        ],
  );
}

function verifyDebtorAccounts({ instructions, path }: PaymentFile, initiation: Initiation): ObErrorItem[] {
  const expected = initiation.DebtorAccount ?? instructions.find(({ debtorAccount }) => debtorAccount)?.debtorAccount;
  if (expected === undefined) return [];
  return instructions.flatMap(({ debtorAccount }, index) =>
    debtorAccount === undefined || isSameAccount(debtorAccount, expected)
      ? []
      : [fieldInvalid(`${path}[${index}].DebtorAccount`, 'must be one account for the consent and the whole file')],
  );
}

function verifyExecutionDates({ instructions, path }: PaymentFile, initiation: Initiation): ObErrorItem[] {
  const stated = initiation.RequestedExecutionDateTime;
  const date = stated === undefined ? undefined : parseDateTime(stated);
  if (date === undefined) return [];
  const day = londonDay(date);
  return instructions.flatMap(({ requestedExecutionDate }, index) =>
    requestedExecutionDate === undefined || londonDay(requestedExecutionDate) === day
      ? []
      : [fieldInvalid(`${path}[${index}].RequestedExecutionDateTime`, `must be on ${day}, the day of the consent`)],
  );
}
