import { hash } from 'node:crypto';
import {
  type AccountProxy,
  formatDecimal,
  type LocalInstrument,
  londonDay,
  type PaymentDetails,
  type PostalAddress,
} from '#libs/obie-rules';
import { fitToScheme, type ShortenedText } from './fit-to-scheme.js';
import type { PaymentInstruction } from './payment-instruction.js';

/**
 * The payments of a file as the bank will receive them, made once, at the upload. The customer sees and approves this
 * list, and the worker hands over its contents: nothing else decides what is paid.
 */
export interface InstructionList {
  /** of the list's form: a program refuses a version that it does not know */
  readonly version: 1;
  /** the same for all payments, as is the currency */
  readonly localInstrument: LocalInstrument;
  /** ISO 4217 */
  readonly currency: string;
  /** sum of all payments, decimal text */
  readonly total: string;
  /** the account to debit, if a payment of the file names it; the customer decides which account is debited */
  readonly requestedAccount?: ListedAccount;
  /** in the order of the file */
  readonly payments: readonly ListedPayment[];
}

/** One payment as its scheme will carry it. Members that the file does not have are absent. */
export interface ListedPayment extends PaymentDetails {
  readonly payeeName: string;
  readonly payeeAccount: ListedPayeeAccount;
  /** decimal text */
  readonly amount: string;
  readonly reference?: string;
  /** the roll number takes the place of the reference, so the TPP's reference is not carried */
  readonly isReferenceRollNumber?: true;
  readonly remittanceText?: string;
  readonly endToEndIdentification?: string;
  readonly postalAddress?: PostalAddress;
  /** day of execution in London, `YYYY-MM-DD`; absent: as soon as possible */
  readonly requestedDay?: string;
  /** texts that were longer than the scheme carries */
  readonly shortened?: readonly ShortenedText[];
}

/** An account by the name of its scheme, e.g. UK.OBIE.SortCodeAccountNumber. */
export interface ListedAccount {
  readonly scheme: string;
  readonly identification: string;
}

export interface ListedPayeeAccount extends ListedAccount {
  /** roll number of a building society, which says who is paid */
  readonly secondaryIdentification?: string;
  readonly proxy?: AccountProxy | undefined;
}

/**
 * @param file.payments of a valid file, in its order
 * @param file.requestedDay day that the consent names, for payments that name none
 * @returns what is shown, approved, hashed and handed over
 */
export function createInstructionList(file: {
  payments: readonly PaymentInstruction[];
  localInstrument: LocalInstrument;
  requestedDay: string | undefined;
}): InstructionList {
  const { payments, localInstrument, requestedDay } = file;
  const requested = payments.find(({ debtorAccount }) => debtorAccount !== undefined)?.debtorAccount;
  return {
    version: 1,
    localInstrument,
    currency: payments[0]?.currency ?? 'GBP',
    total: formatDecimal(payments.reduce((sum, { amount }) => sum + amount, 0n)),
    requestedAccount: requested && { scheme: requested.SchemeName, identification: requested.Identification },
    payments: payments.map((payment) => toListedPayment(payment, localInstrument, requestedDay)),
  };
}

/**
 * Every member in a fixed order, absent ones undefined: equal lists have equal texts, and V8 makes the objects fast.
 */
function toListedPayment(
  payment: PaymentInstruction,
  localInstrument: LocalInstrument,
  requestedDay: string | undefined,
): ListedPayment {
  const { creditorAccount: payee, requestedExecutionDate: date } = payment;
  const texts = fitToScheme(payment, localInstrument);
  return {
    payeeName: texts.creditorName,
    payeeAccount: {
      scheme: payee.SchemeName,
      identification: payee.Identification,
      secondaryIdentification: payee.SecondaryIdentification,
      proxy: payment.creditorProxy,
    },
    amount: formatDecimal(payment.amount),
    reference: texts.reference,
    isReferenceRollNumber: texts.isReferenceRollNumber,
    remittanceText: texts.unstructured,
    endToEndIdentification: texts.endToEndIdentification,
    postalAddress: payment.creditorPostalAddress,
    requestedDay: date === undefined ? requestedDay : londonDay(date),
    shortened: texts.shortened,
    payeeAgent: payment.payeeAgent,
    ultimatePayee: payment.ultimatePayee,
    ultimatePayer: payment.ultimatePayer,
    structuredRemittance: payment.structuredRemittance,
    regulatoryReporting: payment.regulatoryReporting,
  };
}

/** A list as it is stored and approved. */
export interface WrittenInstructionList {
  /** the exact JSON text of the list */
  readonly instructions: string;
  /** SHA-256 of its UTF-8 bytes: what an approval is bound to */
  readonly approvalHash: Buffer;
  /** PostgreSQL's text of the array of all amounts */
  readonly amounts: string;
}

/** @returns the list as text, its hash and its amounts */
export function writeInstructionList(list: InstructionList): WrittenInstructionList {
  const instructions = JSON.stringify(list);
  return {
    instructions,
    approvalHash: hashInstructions(instructions),
    amounts: `{${list.payments.map(({ amount }) => amount).join(',')}}`,
  };
}

/** A newer program wrote the list, with members that this one does not know. */
export class NewerInstructionsError extends Error {
  override readonly name = 'NewerInstructionsError';
}

/**
 * @param instructions as writeInstructionList wrote them
 * @throws NewerInstructionsError
 */
export function parseInstructionList(instructions: string): InstructionList {
  const list = JSON.parse(instructions) as InstructionList;
  if (list.version === 1) return list;
  throw new NewerInstructionsError('The stored instructions are those of a newer version of this program.');
}

/** @returns what an approval of a list is bound to */
export function hashInstructions(instructions: string): Buffer {
  // @cryptography SHA-256 | none | the approval hash of a list of payments
  return hash('sha256', instructions, 'buffer');
}
