import { createFault, type Fault } from '#libs/error-catalogue';
import { isJsonObject, isLocalInstrument, JsonFormatError, parseJson } from '#libs/obie-rules';
import { FaultList } from './fault-list.js';
import { mostBytesOf, mostValuesOf, parsePaymentFile } from './parse-payment-file.js';
import { verifyPaymentsAgainstConsent } from './verify-file-against-consent.js';

/**
 * Applies the rules of an upload to a file before its upload: those of each payment, and that all have one type,
 * account and day. It leaves out what only a consent states (hash, number, sum).
 * @param options.body the bytes of the file
 * @param options.fileType FileType that the consent would name; default: that of v3.1
 * @param options.localInstrument payment type that the consent would name
 * @returns every fault in the order of the file, and how many there are
 */
export function checkPaymentFile(options: {
  body: Buffer;
  fileType?: string | undefined;
  localInstrument?: string | undefined;
  now: Date;
}): {
  faults: readonly Fault[];
  count: number;
} {
  const { body, fileType, localInstrument, now } = options;
  const document = readDocument(body, fileType);
  if ('code' in document) return { faults: [document], count: 1 };
  const faults = new FaultList(Infinity);
  const consentInstrument =
    localInstrument !== undefined && isLocalInstrument(localInstrument) ? localInstrument : undefined;
  const file = parsePaymentFile({ document: document.members, fileType, consentInstrument, now, faults });
  const terms = { fileHash: '', localInstrument: consentInstrument };
  if (file !== undefined) verifyPaymentsAgainstConsent({ file, terms, faults });
  return { faults: faults.items, count: faults.count };
}

function readDocument(body: Buffer, fileType: string | undefined): Fault | { members: Record<string, unknown> } {
  const mostBytes = mostBytesOf(fileType);
  if (body.length > mostBytes) {
    const message = `The file has ${body.length} bytes; at most ${mostBytes} are accepted.`;
    return createFault('Resource.InvalidFormat', message);
  }
  try {
    const parsed = parseJson(body, mostValuesOf(fileType));
    if (isJsonObject(parsed)) return { members: parsed };
    return createFault('Resource.InvalidFormat', 'The file must be a JSON object.');
  } catch (error) {
    if (error instanceof JsonFormatError) return createFault('Resource.InvalidFormat', error.message);
    throw error;
  }
}
