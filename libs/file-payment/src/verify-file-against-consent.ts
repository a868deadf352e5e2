import type { FileTerms } from '#libs/consent';
import { fieldInvalid } from '#libs/error-catalogue';
import {
  type AccountIdentification,
  defaultLocalInstrument,
  formatDecimal,
  isSameAccount,
  londonDay,
  parseDecimalNumber,
  parseFileHash,
} from '#libs/obie-rules';
import type { FaultList } from './fault-list.js';
import type { ReadPaymentFile } from './parse-payment-file.js';
import type { ReadPayment } from './read-payment.js';

/** Where the file differs from what the consent states. */
export interface Contradiction {
  readonly term: 'fileHash' | 'numberOfPayments' | 'controlSum';
  /** follows the name of the term */
  readonly rule: string;
}

/**
 * The file must have the hash, number and sum that the consent states (Read/Write API 3.1.2, File Payment Consents:
 * validation of the file). What a fault makes unknown is not compared.
 * @param file undefined if no payments were found in it
 * @param digest SHA-256 of the upload's bytes as received
 * @returns one for each term that differs
 */
export function verifyFileAgainstConsent(options: {
  file: ReadPaymentFile | undefined;
  digest: Buffer;
  terms: FileTerms;
}): Contradiction[] {
  const { file, digest, terms } = options;
  return [
    ...verifyFileHash(digest, terms),
    ...(file === undefined ? [] : verifyNumberOfTransactions(file, terms)),
    ...(file === undefined ? [] : verifyControlSum(file, terms)),
  ];
}

/**
 * Every payment must have the type, account and day of the consent or, if it names none, of the other payments.
 * @param faults receives a fault for each payment that differs
 */
export function verifyPaymentsAgainstConsent(options: {
  file: ReadPaymentFile;
  terms: FileTerms;
  faults: FaultList;
}): void {
  const { file, terms, faults } = options;
  verifyPaymentType(file, terms, faults);
  verifyDebtorAccounts(file, terms, faults);
  verifyExecutionDates(file, terms, faults);
}

/** The SHA-256 of the raw bytes, white space included. */
function verifyFileHash(digest: Buffer, terms: FileTerms): Contradiction[] {
  const expected = parseFileHash(terms.fileHash);
  if (expected?.equals(digest)) return [];
  return [
    {
      term: 'fileHash',
      rule: `of the consent is not the SHA-256 of the uploaded file, which is ${digest.toString('base64')}`,
    },
  ];
}

function verifyNumberOfTransactions(file: ReadPaymentFile, terms: FileTerms): Contradiction[] {
  const { numberOfPayments: expected } = terms;
  const actual = file.payments.length;
  if (expected === undefined || Number(expected) === actual) return [];
  return [{ term: 'numberOfPayments', rule: `of the consent is ${expected}, the file has ${actual} payments` }];
}

/** Compared by value in units of 0.00001, never as binary fractions. */
function verifyControlSum(file: ReadPaymentFile, terms: FileTerms): Contradiction[] {
  if (terms.controlSum === undefined) return [];
  const actual = sumOfPayments(file.payments);
  if (actual === undefined) return [];
  if (parseDecimalNumber(terms.controlSum) === actual) return [];
  return [
    {
      term: 'controlSum',
      rule: `of the consent is ${terms.controlSum}, the sum of the file is ${formatDecimal(actual)}`,
    },
  ];
}

/** @returns the sum of all amounts in units of 0.00001; undefined if one of them cannot be read */
export function sumOfPayments(payments: readonly ReadPayment[]): bigint | undefined {
  let sum = 0n;
  for (const { amount } of payments) {
    if (amount === undefined) return undefined;
    sum += amount;
  }
  return sum;
}

/** All payments of a file are of one type: the consent's, or else that of the first payment. */
function verifyPaymentType({ payments, path }: ReadPaymentFile, terms: FileTerms, faults: FaultList): void {
  const unnamed = terms.localInstrument ?? defaultLocalInstrument;
  let expected = terms.localInstrument;
  for (const [index, { localInstrument = unnamed, hasUnusableInstrument }] of payments.entries()) {
    if (hasUnusableInstrument) continue;
    expected ??= localInstrument;
    if (localInstrument === expected) continue;
    const rule = `is ${localInstrument}, but all payments must be ${expected}`;
    faults.note(() => fieldInvalid(`${path}[${index}].LocalInstrument`, rule));
  }
}

function verifyDebtorAccounts({ payments, path }: ReadPaymentFile, terms: FileTerms, faults: FaultList): void {
  let expected: AccountIdentification | undefined = terms.debtorAccount;
  for (const [index, { debtorAccount }] of payments.entries()) {
    if (debtorAccount === undefined) continue;
    expected ??= debtorAccount;
    if (isSameAccount(debtorAccount, expected) && hasSameRollNumber(debtorAccount, expected)) continue;
    const rule = 'must be one account for the consent and the whole file';
    faults.note(() => fieldInvalid(`${path}[${index}].DebtorAccount`, rule));
  }
}

/** One of the two may omit it. */
function hasSameRollNumber(one: AccountIdentification, other: AccountIdentification): boolean {
  const [own = '', another = ''] = [one.SecondaryIdentification, other.SecondaryIdentification];
  return own === '' || another === '' || own === another;
}

/** One file, one day: the consent's, which payments may omit, else that of the first payment, or none for all. */
function verifyExecutionDates({ payments, path }: ReadPaymentFile, terms: FileTerms, faults: FaultList): void {
  const { requestedDay: ofConsent } = terms;
  const first = payments.find(({ hasUnusableDate }) => !hasUnusableDate)?.requestedExecutionDate;
  const day = ofConsent ?? (first && londonDay(first));
  for (const [index, { requestedExecutionDate: date, hasUnusableDate }] of payments.entries()) {
    if (hasUnusableDate || (date === undefined && ofConsent !== undefined)) continue;
    if ((date && londonDay(date)) === day) continue;
    faults.note(() => fieldInvalid(`${path}[${index}].RequestedExecutionDateTime`, describeDay(ofConsent, day)));
  }
}

function describeDay(ofConsent: string | undefined, day: string | undefined): string {
  if (ofConsent !== undefined) return `must be on ${ofConsent}, the day of the consent`;
  const rule = 'all payments of a file name the same day, or none';
  return day === undefined
    ? `must be omitted, as in the first payment: ${rule}`
    : `must be on ${day}, the day of the first payment: ${rule}`;
}
