import { createHash } from 'node:crypto';
import { JourneyError } from '../journey-error.js';
import { type JsonObject, parseJsonObject } from '../json.js';

/** A payment file to upload, with the values for its consent. */
export interface PaymentFile {
  /** the bytes to upload */
  body: Buffer;
  fileHash: string;
  numberOfTransactions: string;
  /** decimal text, two decimals */
  controlSum: string;
}

/** @returns the file of these payments */
export function fileOf(payments: readonly JsonObject[]): PaymentFile {
  return describePaymentFile(Buffer.from(JSON.stringify({ File: { Data: { DomesticPayments: payments } } })));
}

/**
 * Reads an existing file and computes the values for its consent.
 * @param body the bytes of the file, which are uploaded as they are
 * @throws JourneyError when no payments can be found in it
 */
export function describePaymentFile(body: Buffer): PaymentFile {
  const document = parseFile(body);
  const items =
    document.File?.Data?.DomesticPayments ??
    document.File?.DomesticPayments ??
    document.Data?.DomesticPayments ??
    document.DomesticPayments;
  if (!Array.isArray(items)) throw new JourneyError('the file has no DomesticPayments: it is not a payment file');
  const sum = items.reduce((total, item) => total + toUnits(item?.InstructedAmount?.Amount), 0n);
  return {
    body,
    fileHash: createHash('sha256').update(body).digest('base64'),
    numberOfTransactions: String(items.length),
    controlSum: fromUnits(sum),
  };
}

function parseFile(body: Buffer): FileDocument {
  try {
    return parseJsonObject<FileDocument>({ body });
  } catch (cause) {
    const cure = `"npx obp convert FILE --out OTHER" makes a payment file from CSV, pain.001 or Standard 18`;
    throw new JourneyError(`the file is not a JSON object: ${cure}`, { cause });
  }
}

interface Payments {
  DomesticPayments?: { InstructedAmount?: { Amount?: unknown } }[];
}

/** The three forms in which a file may come. */
interface FileDocument extends Payments {
  File?: Payments & { Data?: Payments };
  Data?: Payments;
}

/** Units of 0.00001, so that sums are exact. An invalid amount counts as zero; the bank reports it. */
function toUnits(amount: unknown): bigint {
  const [, whole, fraction = ''] = /^(\d{1,13})(?:\.(\d{1,5}))?$/.exec(String(amount)) ?? [];
  return whole === undefined ? 0n : BigInt(`${whole}${fraction.padEnd(5, '0')}`);
}

function fromUnits(units: bigint): string {
  const fraction = String(units % 100_000n).padStart(5, '0');
  return `${units / 100_000n}.${fraction.replace(/0{1,3}$/, '')}`;
}
