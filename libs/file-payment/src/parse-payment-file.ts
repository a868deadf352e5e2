import { fieldInvalid, fieldMissing, type ObErrorItem } from '#libs/error-envelope';
import type { LocalInstrument } from '#libs/obie-rules';
import { isJsonObject } from './member-reader.js';
import { parsePaymentInstruction } from './parse-payment-instruction.js';
import type { PaymentInstruction } from './payment-instruction.js';

/** Most payments in one file (brief section 8). */
export const mostPayments = 150;

/** A file whose items have been read. */
export interface PaymentFile {
  /** path of the array in the body as sent, e.g. `File.Data.DomesticPayments` */
  readonly path: string;
  /** in file order; items with a fault in a required member are left out */
  readonly instructions: readonly PaymentInstruction[];
}

/**
 * @param document the uploaded JSON object in any of its three forms (reference 2.11)
 * @returns where the payments are; undefined with a fault noted when there are none
 */
export function findPayments(
  document: Readonly<Record<string, unknown>>,
  faults: ObErrorItem[],
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
  const items = container.DomesticPayments;
  if (items === undefined) return noted(faults, fieldMissing(path));
  if (!Array.isArray(items) || items.length < 1 || items.length > mostPayments) {
    return noted(faults, fieldInvalid(path, `must be an array of 1 to ${mostPayments} payments`));
  }
  return { path, items };
}

/**
 * Reads a whole file. Every fault of every item is noted; whoever answers bounds the list.
 * @param consentInstrument payment type that the consent names
 */
export function parsePaymentFile({
  document,
  consentInstrument,
  now,
  faults,
}: {
  document: Readonly<Record<string, unknown>>;
  consentInstrument: LocalInstrument | undefined;
  now: Date;
  faults: ObErrorItem[];
}): PaymentFile | undefined {
  const found = findPayments(document, faults);
  if (found === undefined) return undefined;
  const instructions = found.items.map((item, index) =>
    parsePaymentInstruction({ item, path: `${found.path}[${index}]`, consentInstrument, now, faults }),
  );
  return { path: found.path, instructions: instructions.filter((instruction) => instruction !== undefined) };
}

function noted(faults: ObErrorItem[], fault: ObErrorItem): undefined {
  faults.push(fault);
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
