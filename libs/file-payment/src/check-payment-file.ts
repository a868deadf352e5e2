import type { Initiation } from '#libs/consent';
import { obErrorItem, type ObErrorItem } from '#libs/error-envelope';
import { isJsonObject, isLocalInstrument, JsonFormatError, parseJson } from '#libs/obie-rules';
import { FaultList } from './fault-list.js';
import { mostOctets, parsePaymentFile } from './parse-payment-file.js';
import { verifyPaymentsAgainstConsent } from './verify-file-against-consent.js';

/**
 * Runs the rules of an upload over a file that nobody has uploaded: those of each payment, and that all are of one type,
 * account and day. What only a consent can say (hash, number, sum) is left out.
 * @param options.body the octets of the file
 * @param options.localInstrument payment type that the consent would name
 * @returns every fault in the order of the file, and how many there are
 */
export function checkPaymentFile(options: { body: Buffer; localInstrument?: string | undefined; now: Date }): {
  problems: readonly ObErrorItem[];
  count: number;
} {
  const { body, localInstrument, now } = options;
  const document = readDocument(body);
  if ('ErrorCode' in document) return { problems: [document], count: 1 };
  const faults = new FaultList(Infinity);
  const consentInstrument =
    localInstrument !== undefined && isLocalInstrument(localInstrument) ? localInstrument : undefined;
  const file = parsePaymentFile({ document: document.members, consentInstrument, now, faults });
  const initiation = (consentInstrument === undefined ? {} : { LocalInstrument: consentInstrument }) as Initiation;
  if (file !== undefined) verifyPaymentsAgainstConsent({ file, initiation, faults });
  return { problems: faults.items, count: faults.count };
}

function readDocument(body: Buffer): ObErrorItem | { members: Record<string, unknown> } {
  if (body.length > mostOctets) {
    const message = `The file has ${body.length} octets; at most ${mostOctets} are taken.`;
    return obErrorItem('UK.OBIE.Resource.InvalidFormat', message);
  }
  try {
    const parsed = parseJson(body);
    if (isJsonObject(parsed)) return { members: parsed };
    return obErrorItem('UK.OBIE.Resource.InvalidFormat', 'The file must be a JSON object.');
  } catch (error) {
    if (error instanceof JsonFormatError) return obErrorItem('UK.OBIE.Resource.InvalidFormat', error.message);
    throw error;
  }
}
