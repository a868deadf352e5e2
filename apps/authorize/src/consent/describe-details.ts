import type { ListedPayment } from '#libs/payment-order';
import type { Party, PostalAddress, RegulatoryReport, StructuredRemittance } from '#libs/obie-rules';
import type { ShownDetail } from '../pages/page-models.js';
import type { Words } from '../wording/words.js';

type Said = string | undefined;

/** @returns every part of an address, in the order on an envelope */
export function listAddress(address: PostalAddress): string[] {
  const { careOf, department, subDepartment, unitNumber, room, floor, buildingName, buildingNumber } = address;
  const { streetName, addressLine = [], postBox, townLocationName, districtName, townName, postCode } = address;
  const building = [careOf, department, subDepartment, unitNumber, room, floor, buildingName, buildingNumber];
  const place = [streetName, ...addressLine, postBox, townLocationName, districtName, townName, postCode];
  const { countrySubDivision, country, addressType } = address;
  return [...building, ...place, countrySubDivision, country, addressType].filter((part) => part !== undefined);
}

/** @returns details of an account: proxy, bank and ultimate party */
export function describeParties(words: Words, payment: ListedPayment): ShownDetail[] {
  const { payeeAccount, payeeAgent, ultimatePayee, ultimatePayer } = payment;
  const { code, identification, type } = payeeAccount.proxy ?? {};
  return shown([
    [words.text('payments.detail.proxy'), [identification, type, code]],
    [words.text('payments.detail.agent'), listParty(payeeAgent)],
    [words.text('payments.detail.ultimatePayee'), listParty(ultimatePayee)],
    [words.text('payments.detail.ultimatePayer'), listParty(ultimatePayer)],
  ]);
}

/** @returns the documents that a payment settles, and its regulatory reporting */
export function describeRemittance(words: Words, payment: ListedPayment): ShownDetail[] {
  const { structuredRemittance = [], regulatoryReporting = [] } = payment;
  return [
    ...structuredRemittance.flatMap((structured) => describeStructured(words, structured)),
    ...shown(regulatoryReporting.map((report) => [words.text('payments.detail.report'), listReport(report)])),
  ];
}

function describeStructured(words: Words, structured: StructuredRemittance): ShownDetail[] {
  const { documents = [], creditorReference: { reference, issuer, code } = {} } = structured;
  return shown([
    ...documents.map((document): [string, Said[]] => [
      words.text('payments.detail.document'),
      [document.number, document.issuer, document.relatedDate, ...(document.lineDetails ?? []), document.code],
    ]),
    [words.text('payments.detail.documentAmount'), [structured.documentAmount]],
    [words.text('payments.detail.creditorReference'), [reference, issuer, code]],
    [words.text('payments.detail.invoicer'), [structured.invoicer]],
    [words.text('payments.detail.invoicee'), [structured.invoicee]],
    [words.text('payments.detail.tax'), [structured.taxRemittance]],
    [words.text('payments.detail.information'), structured.additionalInformation ?? []],
  ]);
}

function listParty(party: Party = {}): Said[] {
  const { name, identification, lei, postalAddress, scheme } = party;
  return [name, identification, lei, ...listAddress(postalAddress ?? {}), scheme];
}

function listReport({ indicator, authority = {}, details = [] }: RegulatoryReport): Said[] {
  const texts = details.flatMap(({ type, date, country, amount, currency, information = [] }) => [
    type,
    date,
    country,
    amount,
    currency,
    ...information,
  ]);
  return [authority.name, authority.country, ...texts, indicator];
}

/** Omits absent details. */
function shown(details: readonly (readonly [string, readonly Said[]])[]): ShownDetail[] {
  return details
    .map(([label, texts]) => ({ label, texts: texts.filter((text) => text !== undefined) }))
    .filter(({ texts }) => texts.length > 0);
}
