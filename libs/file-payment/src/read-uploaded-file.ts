import type { FileTerms, Initiation } from '#libs/consent';
import { type Fault, fieldInvalid } from '#libs/error-catalogue';
import { type BankRules, defaultLocalInstrument, type LocalInstrument } from '#libs/obie-rules';
import { FaultList } from './fault-list.js';
import { createInstructionList, type WrittenInstructionList, writeInstructionList } from '#libs/payment-order';
import { isPaymentFile, mostBytesOf, parsePaymentFile } from './parse-payment-file.js';
import {
  type Contradiction,
  sumOfPayments,
  verifyFileAgainstConsent,
  verifyPaymentsAgainstConsent,
} from './verify-file-against-consent.js';
import { readWholeFile, verifyBytes, verifyStatedForAll, withWholeFile } from './whole-file.js';

/** What is stored of a file without a fault, besides its bytes. */
export interface SoundFile {
  readonly numberOfPayments: number;
  /** units of 0.00001 */
  readonly sum: bigint;
  readonly localInstrument: LocalInstrument;
  /** requested day of execution, `YYYY-MM-DD` */
  readonly requestedDay: string | undefined;
  /** what will be shown, approved and handed over */
  readonly list: WrittenInstructionList;
}

/** The listed faults of a file. */
export interface FaultyFile {
  readonly faults: readonly (Fault | Contradiction)[];
  readonly count: number;
}

/** A file this long cannot be valid, whatever its consent says. It is refused without being read. */
export function tooLong({
  digest,
  terms,
  bank: { mostPayments },
}: {
  digest: Buffer;
  terms: FileTerms;
  bank: BankRules;
}): FaultyFile {
  const rule = `has more values, names or numbers than a file of ${mostPayments} payments may have`;
  const fault = fieldInvalid('File', rule);
  const faults = [...verifyFileAgainstConsent({ file: undefined, digest, terms }), fault];
  return { faults, count: faults.length };
}

/**
 * Reads the file and lists all its faults at once: those of its payments, and its contradictions of the consent.
 * Contradictions of the whole file come first.
 */
export function readUploadedFile(options: {
  digest: Buffer;
  document: Record<string, unknown>;
  terms: FileTerms;
  initiation: Initiation;
  bank: BankRules;
  now: Date;
}): SoundFile | FaultyFile {
  const { digest, document, terms, initiation, bank, now } = options;
  const payments = new FaultList();
  const { fileType, localInstrument: consentInstrument, requestedDay: consentDay } = terms;
  const file = parsePaymentFile({ document, fileType, consentInstrument, bank, now, faults: payments });
  const wholeFile = readWholeFile(initiation, payments);
  if (file !== undefined) {
    verifyPaymentsAgainstConsent({ file, terms, faults: payments });
    verifyStatedForAll(file, { wholeFile, faults: payments });
    verifyBytes(file, { wholeFile, mostBytes: mostBytesOf(fileType), faults: payments });
  }
  const whole = verifyFileAgainstConsent({ file, digest, terms });
  const count = whole.length + payments.count;
  if (count > 0 || file === undefined || !isPaymentFile(file)) return { faults: [...whole, ...payments.items], count };
  const sound = withWholeFile(file.payments, wholeFile);
  // The consent may have named neither type nor day; the file's are known only now.
  const localInstrument = consentInstrument ?? sound[0]?.localInstrument ?? defaultLocalInstrument;
  const list = createInstructionList({ payments: sound, localInstrument, requestedDay: consentDay });
  return {
    numberOfPayments: sound.length,
    sum: sumOfPayments(sound) ?? 0n,
    localInstrument,
    // One file, one day.
    requestedDay: list.payments[0]?.requestedDay,
    list: writeInstructionList(list),
  };
}
