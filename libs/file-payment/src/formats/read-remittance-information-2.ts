import { fieldInvalid, fieldUnexpected } from '#libs/error-catalogue';
import {
  type CreditorReference,
  creditorReferenceCodes,
  documentAmountRule,
  documentCodes,
  type ReferredDocument,
  type StructuredRemittance,
  toDocumentAmount,
} from '#libs/obie-rules';
import type { JsonObject, MemberReader } from '../member-reader.js';
import { knownWords, mostEntries } from './known-words.js';
import type { Remittance } from './payment-format.js';
import { readMoment } from './read-regulatory-reporting.js';

const knownDocuments = knownWords(documentCodes);
const knownReferences = knownWords(creditorReferenceCodes);
const documentRule = 'must be one of the codes of ExternalDocumentType1Code';
const referenceRule = 'must be one of the codes of ExternalCreditorReferenceType1Code';

/**
 * OBRemittanceInformation2. The reference that schemes carry is the first in Structured (domestic payment message
 * formats of v4.0). The lines of Unstructured are one text, which schemes carry as such.
 */
export function readRemittanceInformation2(item: MemberReader, value: unknown): Remittance | undefined {
  const remittance = item.optionalObject('RemittanceInformation', value);
  if (remittance === undefined) return undefined;
  const reader = item.in('RemittanceInformation');
  if (remittance.Reference !== undefined) refuseReference(reader);
  const lines = reader.optionalTexts('Unstructured', remittance.Unstructured, mostEntries, 140);
  const structured = reader.optionalObjects('Structured', remittance.Structured, mostEntries, readStructured);
  const referring = structured?.find(({ creditorReference }) => creditorReference?.reference !== undefined);
  return {
    reference: referring?.creditorReference?.reference,
    unstructured: lines === undefined ? undefined : inOneText(lines),
    structuredRemittance: saysMoreThanReference(structured) ? structured : undefined,
  };
}

/** Nearly always there is one line, which the engine's own function takes long to join with no other. */
function inOneText(lines: readonly string[]): string | undefined {
  return lines.length > 1 ? lines.join(' ') : lines[0];
}

/** Its place in v3.1, and still in the official example of a 4.0 file. */
function refuseReference(reader: MemberReader): void {
  reader.fault('Reference', (path) => {
    const place = path.replace(/Reference$/, 'Structured[].CreditorReferenceInformation.Reference');
    return fieldUnexpected(path, `is not part of this format: use ${place}`);
  });
}

/** A reference alone is that of the payment, and nothing else. */
function saysMoreThanReference(structured: readonly StructuredRemittance[] | undefined): boolean {
  const [first] = structured ?? [];
  if (structured === undefined || first === undefined) return false;
  if (structured.length > 1) return true;
  const { documents, documentAmount, invoicer, invoicee, taxRemittance, additionalInformation } = first;
  const { creditorReference } = first;
  return (
    documents !== undefined ||
    documentAmount !== undefined ||
    invoicer !== undefined ||
    invoicee !== undefined ||
    taxRemittance !== undefined ||
    additionalInformation !== undefined ||
    (creditorReference !== undefined &&
      (creditorReference.code !== undefined || creditorReference.issuer !== undefined))
  );
}

function readStructured(reader: MemberReader, structured: JsonObject): StructuredRemittance {
  const { ReferredDocumentInformation: documents, AdditionalRemittanceInformation: additional } = structured;
  return {
    documents: reader.optionalObjects('ReferredDocumentInformation', documents, mostEntries, readDocument),
    documentAmount: readDocumentAmount(reader, structured.ReferredDocumentAmount),
    creditorReference: readCreditorReference(reader, structured.CreditorReferenceInformation),
    invoicer: reader.optionalText('Invoicer', structured.Invoicer, 256),
    invoicee: reader.optionalText('Invoicee', structured.Invoicee, 256),
    taxRemittance: reader.optionalText('TaxRemittance', structured.TaxRemittance, 140),
    additionalInformation: reader.optionalTexts('AdditionalRemittanceInformation', additional, 3, 140),
  };
}

function readDocument(reader: MemberReader, document: JsonObject): ReferredDocument {
  return {
    code: reader.optionalWord('Code', document.Code, knownDocuments, documentRule),
    issuer: reader.optionalText('Issuer', document.Issuer, 35),
    number: reader.optionalText('Number', document.Number, 35),
    relatedDate: readMoment(reader, 'RelatedDate', document.RelatedDate),
    lineDetails: reader.optionalTexts('LineDetails', document.LineDetails, mostEntries, 2048),
  };
}

function readCreditorReference(parent: MemberReader, value: unknown): CreditorReference | undefined {
  const name = 'CreditorReferenceInformation';
  const information = parent.optionalObject(name, value);
  if (information === undefined) return undefined;
  const reader = parent.in(name);
  return {
    code: reader.optionalWord('Code', information.Code, knownReferences, referenceRule),
    issuer: reader.optionalText('Issuer', information.Issuer, 35),
    reference: reader.optionalText('Reference', information.Reference, 35),
  };
}

function readDocumentAmount(reader: MemberReader, value: unknown): string | undefined {
  const amount = toDocumentAmount(value);
  if (value !== undefined && amount === undefined)
    reader.fault('ReferredDocumentAmount', (path) => fieldInvalid(path, documentAmountRule));
  return amount;
}
