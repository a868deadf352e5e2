import { createFault, type Fault, fieldInvalid, fieldMissing } from '#libs/error-catalogue';
import { anyBank, type BankRules, isJsonObject, type LocalInstrument, londonDay, usualRules } from '#libs/obie-rules';
import { FaultList } from './fault-list.js';
import { formatOf } from './formats/payment-formats.js';
import { parsePaymentInstruction } from './parse-payment-instruction.js';
import type { PaymentInstruction } from '#libs/payment-order';
import { isInstruction, type ReadPayment } from './read-payment.js';

/** Members and entries of SupplementaryData that each payment may have besides all members of the standard. */
const valuesOfSupplement = 8;
/** Values of the document around the payments, with some to spare. */
const valuesAround = 200;

/** @returns maximum members and entries of one file: those of the most payments, each with every member */
export function mostValuesOf(fileType: string | undefined, { mostPayments }: BankRules = usualRules): number {
  return mostPayments * (formatOf(fileType).valuesOfPayment + valuesOfSupplement) + valuesAround;
}

/**
 * @returns maximum bytes of one file. Bytes decide what a request costs, and nothing may cost more than the longest
 * file of the standard.
 */
export function mostBytesOf(fileType: string | undefined): number {
  return formatOf(fileType).mostBytes;
}

/** A file whose items have been read, faulty ones too. */
export interface ReadPaymentFile {
  /** path of the array in the body as sent, e.g. `File.Data.DomesticPayments` */
  readonly path: string;
  /** in file order: what could be read of each */
  readonly payments: readonly ReadPayment[];
}

/** A file without a fault. */
export interface PaymentFile extends ReadPaymentFile {
  readonly payments: readonly PaymentInstruction[];
}

/** @returns whether every payment of the file can be made */
export function isPaymentFile(file: ReadPaymentFile): file is PaymentFile {
  return file.payments.every(isInstruction);
}

/**
 * @param document the uploaded JSON object in any of its three forms
 * @param bank absent for a file that was accepted, whatever the rules were then
 * @returns the payments and their path; undefined, with a fault noted, if there are none
 */
export function findPayments(
  document: Readonly<Record<string, unknown>>,
  { faults = new FaultList(), bank: { mostPayments } = anyBank }: { faults?: FaultList; bank?: BankRules } = {},
): { path: string; items: readonly unknown[] } | undefined {
  const hasWrapper = document.File !== undefined;
  if (!hasWrapper && document.Data === undefined) return noted(faults, fieldMissing('File'));
  const root = hasWrapper ? document.File : document;
  const rootPath = hasWrapper ? 'File' : '';
  if (!isJsonObject(root)) return noted(faults, fieldInvalid('File', 'must be an object'));
  const hasData = root.Data !== undefined;
  const container = hasData ? root.Data : root;
  const containerPath = hasData ? join(rootPath, 'Data') : rootPath;
  if (!isJsonObject(container)) return noted(faults, fieldInvalid(containerPath, 'must be an object'));
  const path = join(
    hasData || container.DomesticPayments !== undefined ? containerPath : `${rootPath}.Data`,
    'DomesticPayments',
  );
  // A second list would be neither shown nor paid.
  const further = listsIn(document).find((list) => list !== path);
  if (further !== undefined)
    return noted(faults, createFault('Field.Unexpected', `The file has ${path} too.`, further));
  const items = container.DomesticPayments;
  if (items === undefined) return noted(faults, fieldMissing(path));
  if (!Array.isArray(items) || items.length < 1 || items.length > mostPayments) {
    return noted(faults, fieldInvalid(path, `must be an array of 1 to ${mostPayments} payments`));
  }
  return { path, items };
}

/** @returns the paths of all lists of payments that an upload can have */
function listsIn(document: Readonly<Record<string, unknown>>): string[] {
  const { File, Data } = document;
  const places = { 'File.Data': isJsonObject(File) ? File.Data : undefined, File, Data, '': document };
  return Object.entries(places)
    .filter(([, place]) => isJsonObject(place) && place.DomesticPayments !== undefined)
    .map(([path]) => join(path, 'DomesticPayments'));
}

/**
 * Reads a whole file. Every fault of every item is noted.
 * @param fileType FileType that the consent names; default: that of v3.1
 * @param consentInstrument payment type that the consent names
 */
export function parsePaymentFile(options: {
  document: Readonly<Record<string, unknown>>;
  fileType?: string | undefined;
  consentInstrument: LocalInstrument | undefined;
  bank?: BankRules;
  now: Date;
  faults: FaultList;
}): ReadPaymentFile | undefined {
  const { document, fileType, consentInstrument, bank = usualRules, now, faults } = options;
  const found = findPayments(document, { faults, bank });
  if (found === undefined) return undefined;
  const terms = { format: formatOf(fileType), consentInstrument, bank, today: londonDay(now) };
  const payments = found.items.map((item, index) =>
    parsePaymentInstruction({ item, path: found.path, index, terms, faults }),
  );
  return { path: found.path, payments };
}

function noted(faults: FaultList, fault: Fault): undefined {
  faults.note(() => fault);
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
