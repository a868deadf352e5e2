// Payments with everything that the standard allows.

const iban = { SchemeName: 'UK.OBIE.IBAN', Identification: 'GB29NWBK60161331926819' };
const bic = 'UK.OBIE.BICFI';
const moment = '2035-01-31T00:00:00.000+00:00';

/** OBPostalAddress6 in 3.1, OBPostalAddress7 in 4.0. */
function address(text, version) {
  const [street, town, lines] = version === '3.1' ? [70, 35, 2] : [140, 140, 7];
  return {
    AddressType: version === '3.1' ? 'Correspondence' : 'CORR',
    Department: text(70),
    SubDepartment: text(70),
    StreetName: text(street),
    BuildingNumber: text(16),
    PostCode: text(16),
    TownName: text(town),
    CountrySubDivision: text(35),
    Country: 'GB',
    AddressLine: Array.from({ length: lines }, () => text(70)),
    ...(version === '3.1' ? {} : addressOnlyIn40(text)),
  };
}

function addressOnlyIn40(text) {
  const houses = { BuildingName: text(140), Floor: text(70), UnitNumber: text(16), Room: text(70), PostBox: text(16) };
  return { ...houses, TownLocationName: text(140), DistrictName: text(140), CareOf: text(140) };
}

/** A payment of 3.1 with every member, each text at its longest. */
function longest31(text) {
  const account = { ...iban, Name: text(70), SecondaryIdentification: text(34) };
  return {
    InstructionIdentification: text(35),
    EndToEndIdentification: text(35),
    LocalInstrument: 'UK.OBIE.FPS',
    RequestedExecutionDateTime: moment,
    InstructedAmount: { Amount: '10.50', Currency: 'GBP' },
    DebtorAccount: account,
    CreditorAccount: account,
    CreditorPostalAddress: address(text, '3.1'),
    RemittanceInformation: { Unstructured: text(140), Reference: text(35) },
  };
}

/**
 * A payment of 4.0 with every member; arrays are as long as the standard says, and have one entry where it names no
 * bound.
 */
function longest40(text) {
  const Proxy = { Identification: text(2048), Code: 'MBNO', Type: text(35) };
  const account = { ...iban, Name: text(350), SecondaryIdentification: text(34), Proxy };
  const LEI = '529900T8BM49AURSDO55';
  const PostalAddress = address(text, '4.0');
  const party = { Name: text(140), Identification: text(256), LEI, SchemeName: iban.SchemeName, PostalAddress };
  const Amount = { Amount: '1234567890123.12345', Currency: 'GBP' };
  const detail = { Type: text(35), Date: moment, Country: 'GB', Amount, Information: [text(35)] };
  const Authority = { Name: text(140), CountryCode: 'GB' };
  return {
    InstructionIdentification: text(35),
    EndToEndIdentification: text(35),
    LocalInstrument: 'UK.OBIE.FPS',
    InstructedAmount: { Amount: '10.50', Currency: 'GBP' },
    DebtorAccount: account,
    CreditorAgent: { ...party, SchemeName: bic, Identification: text(35) },
    CreditorAccount: account,
    CreditorPostalAddress: PostalAddress,
    UltimateCreditor: party,
    UltimateDebtor: party,
    RegulatoryReporting: Array.from({ length: 10 }, () => ({
      DebitCreditReportingIndicator: 'BOTH',
      Authority,
      Details: [detail],
    })),
    RemittanceInformation: { Structured: [structured(text)], Unstructured: [text(140)] },
  };
}

function structured(text) {
  const names = { Issuer: text(35), Number: text(35) };
  const document = { Code: 'CINV', ...names, RelatedDate: moment, LineDetails: [text(2048)] };
  return {
    ReferredDocumentInformation: [document],
    ReferredDocumentAmount: '1234567890123.12345',
    CreditorReferenceInformation: { Code: 'SCOR', Issuer: text(35), Reference: text(35) },
    Invoicer: text(256),
    Invoicee: text(256),
    TaxRemittance: text(140),
    AdditionalRemittanceInformation: Array.from({ length: 3 }, () => text(140)),
  };
}

/**
 * A payment with everything that the standard allows.
 * @param options.longest maximum characters of each text; absent: as many as the standard allows
 */
export function theLongestPayment(version, { character = 'x', longest = Infinity } = {}) {
  const text = (allowed) => character.repeat(Math.min(allowed, longest));
  return version === '3.1' ? longest31(text) : longest40(text);
}
