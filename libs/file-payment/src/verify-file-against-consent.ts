import type { Initiation } from '#libs/consent';
import { fieldInvalid, type ObErrorItem } from '#libs/error-envelope';
import {
  type AccountIdentification,
  defaultLocalInstrument,
  formatDecimal,
  isSameAccount,
  londonDay,
  parseDateTime,
  parseDecimalNumber,
  parseFileHash,
} from '#libs/obie-rules';
import type { FaultList } from './fault-list.js';
import type { ReadPaymentFile } from './parse-payment-file.js';
import type { ReadPayment } from './payment-instruction.js';

/**
 * Everything that the consent states about the file must be so (Read/Write API 3.1.2, File Payment Consents: validation of the file): hash, number and sum. What
 * cannot be told of a faulty file is left out.
 * @param file undefined when no payments were found in it
 * @param digest SHA-256 of the upload's octets as received
 * @returns one item for each contradiction
 */
export function verifyFileAgainstConsent({
  file,
  digest,
  initiation,
}: {
  file: ReadPaymentFile | undefined;
  digest: Buffer;
  initiation: Initiation;
}): ObErrorItem[] {
  return [
    ...verifyFileHash(digest, initiation),
    ...(file === undefined ? [] : verifyNumberOfTransactions(file, initiation)),
    ...(file === undefined ? [] : verifyControlSum(file, initiation)),
  ];
}

/**
 * Every payment must be what the consent says of all of them, or else what the others are: type, account, day.
 * @param faults where each payment that is not is noted
 */
export function verifyPaymentsAgainstConsent({
  file,
  initiation,
  faults,
}: {
  file: ReadPaymentFile;
  initiation: Initiation;
  faults: FaultList;
}): void {
  verifyPaymentType(file, initiation, faults);
  verifyDebtorAccounts(file, initiation, faults);
  verifyExecutionDates(file, initiation, faults);
}

/** The SHA-256 of the raw octets, whatever white space they hold; no canonical form. */
function verifyFileHash(digest: Buffer, initiation: Initiation): ObErrorItem[] {
  const expected = parseFileHash(initiation.FileHash);
  if (expected?.equals(digest)) return [];
  return [
    fieldInvalid(
      'Data.Initiation.FileHash',
      `of the consent is not the SHA-256 of the uploaded file, which is ${digest.toString('base64')}`,
    ),
  ];
}

function verifyNumberOfTransactions(file: ReadPaymentFile, initiation: Initiation): ObErrorItem[] {
  const { NumberOfTransactions: expected } = initiation;
  const actual = file.payments.length;
  if (expected === undefined || Number(expected) === actual) return [];
  return [
    fieldInvalid(
      'Data.Initiation.NumberOfTransactions',
      `of the consent is ${expected}, the file has ${actual} payments`,
    ),
  ];
}

/** Compared by value in units of 0.00001, never as binary fractions. */
function verifyControlSum(file: ReadPaymentFile, initiation: Initiation): ObErrorItem[] {
  if (initiation.ControlSum === undefined) return [];
  const actual = sumOfPayments(file.payments);
  if (actual === undefined) return [];
  if (parseDecimalNumber(initiation.ControlSum.value) === actual) return [];
  return [
    fieldInvalid(
      'Data.Initiation.ControlSum',
      `of the consent is ${initiation.ControlSum.value}, the sum of the file is ${formatDecimal(actual)}`,
    ),
  ];
}

/** @returns the sum of all amounts in units of 0.00001; undefined when one of them cannot be read */
export function sumOfPayments(payments: readonly ReadPayment[]): bigint | undefined {
  let sum = 0n;
  for (const { amount } of payments) {
    if (amount === undefined) return undefined;
    sum += amount;
  }
  return sum;
}

/** All payments of a file are of one type: the consent's, or else that of the first payment. */
function verifyPaymentType({ payments, path }: ReadPaymentFile, initiation: Initiation, faults: FaultList): void {
  const unnamed = initiation.LocalInstrument ?? defaultLocalInstrument;
  let expected = initiation.LocalInstrument;
  for (const [index, { localInstrument = unnamed, hasUnusableInstrument }] of payments.entries()) {
    if (hasUnusableInstrument) continue;
    expected ??= localInstrument;
    if (localInstrument === expected) continue;
    const rule = `is ${localInstrument}, but all payments must be ${expected}`;
    faults.note(() => fieldInvalid(`${path}[${index}].LocalInstrument`, rule));
  }
}

function verifyDebtorAccounts({ payments, path }: ReadPaymentFile, initiation: Initiation, faults: FaultList): void {
  let expected: AccountIdentification | undefined = initiation.DebtorAccount;
  for (const [index, { debtorAccount }] of payments.entries()) {
    if (debtorAccount === undefined) continue;
    expected ??= debtorAccount;
    if (isSameAccount(debtorAccount, expected)) continue;
    const rule = 'must be one account for the consent and the whole file';
    faults.note(() => fieldInvalid(`${path}[${index}].DebtorAccount`, rule));
  }
}

function verifyExecutionDates({ payments, path }: ReadPaymentFile, initiation: Initiation, faults: FaultList): void {
  const stated = initiation.RequestedExecutionDateTime;
  const date = stated === undefined ? undefined : parseDateTime(stated);
  if (date === undefined) return;
  const day = londonDay(date);
  for (const [index, { requestedExecutionDate }] of payments.entries()) {
    if (requestedExecutionDate === undefined || londonDay(requestedExecutionDate) === day) continue;
    const rule = `must be on ${day}, the day of the consent`;
    faults.note(() => fieldInvalid(`${path}[${index}].RequestedExecutionDateTime`, rule));
  }
}
