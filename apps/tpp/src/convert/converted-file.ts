import { describeHiddenCharacter, mostPayments } from '#libs/obie-rules';
import type { ApiVersion } from '../read-write/api-version.js';
import { fileOf, type PaymentFile } from '../read-write/payment-file.js';
import type { JsonObject } from '../json.js';

/** A fault of a text to convert, and its line, from 1. */
export interface Fault {
  line: number;
  message: string;
}

/** One payment of the text. */
export interface SupplierPayment {
  name: string;
  /** empty where the account number is an IBAN */
  sortCode: string;
  accountNumber: string;
  /** decimal text, two decimals */
  amount: string;
  reference: string;
  /** of a building society */
  rollNumber?: string | undefined;
  instructionId?: string | undefined;
  endToEndId?: string | undefined;
}

/** A payment file converted from a text. */
export interface ConvertedFile {
  file: PaymentFile;
  /** line of each payment in the text, in the order of the file */
  lines: readonly number[];
  payments: readonly SupplierPayment[];
  /** what the text has and the file cannot carry */
  warnings: readonly Fault[];
}

/** The file, or the faults of the text: at most a hundred, in the order of the lines. */
export type Converted = ConvertedFile | { faults: readonly Fault[] };

export { mostPayments };
export const mostFaults = 100;

/** Maximum lengths of a payment's texts (OBDomestic2), and of names in each version. */
const mostCharacters = { reference: 35, rollNumber: 34, instructionId: 35, endToEndId: 35 } as const;
const longestName: Readonly<Record<ApiVersion, number>> = { '3.1': 70, '4.0': 350 };
const textNames = {
  name: 'The name of the payee',
  reference: 'The reference',
  rollNumber: 'The roll number',
  instructionId: 'The instruction id',
  endToEndId: 'The end-to-end id',
} as const;

/** @returns what is wrong with the texts of a payment: their length and their characters */
export function findTextFaults(payment: SupplierPayment, line: number, version: ApiVersion): Fault[] {
  const longest = { ...mostCharacters, name: longestName[version] };
  return (Object.keys(textNames) as (keyof typeof textNames)[]).flatMap((member) => {
    const text = payment[member] ?? '';
    const most = longest[member];
    const faults: string[] = [];
    if ([...text].length > most) faults.push(`has more than ${most} characters`);
    // Invalid UTF-8 is decoded as this character.
    if (text.includes('\uFFFD')) faults.push('is not in UTF-8');
    const hidden = describeHiddenCharacter(text);
    if (hidden !== undefined) faults.push(hidden);
    return faults.map((fault) => ({ line, message: `${textNames[member]} ${fault}.` }));
  });
}

/** What all payments of a file have in common. */
interface ItemTerms {
  readonly version: ApiVersion;
  readonly localInstrument?: string | undefined;
  /** `YYYY-MM-DD` */
  readonly date?: string | undefined;
}

/** @returns the file of these payments, all of one type */
export function createConvertedFile(
  payments: readonly SupplierPayment[],
  terms: ItemTerms,
): Pick<ConvertedFile, 'file' | 'payments'> {
  return { file: fileOf(payments.map((payment, index) => toInitiation(payment, terms, index))), payments };
}

/** RemittanceInformation of each version with a reference alone. */
const referenceIn = {
  '3.1': (Reference: string) => ({ Reference }),
  '4.0': (Reference: string) => ({ Structured: [{ CreditorReferenceInformation: { Reference } }] }),
};

/** @returns a payment of a file, or Data.Initiation of a single payment */
export function toInitiation(
  { name, sortCode, accountNumber, amount, reference, rollNumber = '', instructionId, endToEndId }: SupplierPayment,
  { version, localInstrument = 'UK.OBIE.FPS', date }: ItemTerms,
  index = 0,
): JsonObject {
  const number = String(index + 1).padStart(4, '0');
  return {
    InstructionIdentification: instructionId ?? `SUPPLIER-${number}`,
    EndToEndIdentification: endToEndId ?? `E2E-${number}`,
    LocalInstrument: localInstrument,
    ...(date !== undefined && { RequestedExecutionDateTime: `${date}T00:00:00+00:00` }),
    InstructedAmount: { Amount: amount, Currency: 'GBP' },
    CreditorAccount: {
      SchemeName: sortCode === '' ? 'UK.OBIE.IBAN' : 'UK.OBIE.SortCodeAccountNumber',
      Identification: `${sortCode}${accountNumber}`,
      Name: name,
      ...(rollNumber !== '' && { SecondaryIdentification: rollNumber }),
    },
    ...(reference !== '' && { RemittanceInformation: referenceIn[version](reference) }),
  };
}

/** The answer to a text of which nothing is converted. */
export const refuse = (line: number, message: string): { faults: readonly Fault[] } => ({
  faults: [{ line, message }],
});

/** @returns decimal text with two decimals, of one with up to two */
export function withPence(amount: string): string {
  const [pounds = '', pence = ''] = amount.split('.');
  return `${pounds}.${pence.padEnd(2, '0')}`;
}

/** @param amount decimal text with two decimals */
export const toPence = (amount: string): bigint => BigInt(amount.replace('.', ''));

/** @returns decimal text with two decimals */
export const toPounds = (pence: bigint): string => `${pence / 100n}.${String(pence % 100n).padStart(2, '0')}`;
