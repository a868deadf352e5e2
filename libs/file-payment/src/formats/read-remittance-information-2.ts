import { fieldUnexpected } from '#libs/error-catalogue';
import { remittanceInformation2, type StructuredRemittance } from '#libs/obie-rules';
import type { MemberReader } from '../member-reader.js';
import type { Remittance } from './payment-format.js';
import { membersReader } from './read-object.js';

const readMembers = membersReader(remittanceInformation2);

/**
 * OBRemittanceInformation2. The reference that schemes carry is the first in Structured (domestic payment message
 * formats of v4.0). The lines of Unstructured are one text, which schemes carry as such.
 */
export function readRemittanceInformation2(item: MemberReader, value: unknown): Remittance | undefined {
  const remittance = item.optionalObject('RemittanceInformation', value);
  if (remittance === undefined) return undefined;
  const reader = item.in('RemittanceInformation');
  if (remittance.Reference !== undefined) refuseReference(reader);
  const { structured, unstructured: lines } = readMembers(reader, remittance);
  const referring = structured?.find(({ creditorReference }) => creditorReference?.reference !== undefined);
  return {
    reference: referring?.creditorReference?.reference,
    unstructured: lines === undefined ? undefined : inOneText(lines),
    structuredRemittance: saysMoreThanReference(structured) ? structured : undefined,
  };
}

/** There is nearly always one line, and the engine's join is slow even then. */
function inOneText(lines: readonly string[]): string | undefined {
  return lines.length > 1 ? lines.join(' ') : lines[0];
}

/** The place of the reference in v3.1, and still in the official example of a 4.0 file. */
function refuseReference(reader: MemberReader): void {
  reader.fault('Reference', (path) => {
    const place = path.replace(/Reference$/, 'Structured[].CreditorReferenceInformation.Reference');
    return fieldUnexpected(path, `is not part of this format: use ${place}`);
  });
}

/** A reference alone becomes that of the payment; nothing else is kept. Absent members are not in the object. */
function saysMoreThanReference(structured: readonly StructuredRemittance[] | undefined): boolean {
  const [first] = structured ?? [];
  if (structured === undefined || first === undefined) return false;
  return (
    structured.length > 1 ||
    saysMoreThan('creditorReference', first) ||
    saysMoreThan('reference', first.creditorReference)
  );
}

function saysMoreThan(name: string, said: object = {}): boolean {
  for (const each in said) if (each !== name) return true;
  return false;
}
