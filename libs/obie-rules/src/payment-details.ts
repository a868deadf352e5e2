import { agentSchemes, creditorReferenceCodes, documentCodes, leiForm, partySchemes, proxyCodes } from './code-sets.js';
import { mostEntries, type ObjectForm, type Read, text, texts } from './object-form.js';
import { country, postalAddress7 } from './postal-address.js';

// Optional details of a payment in 4.0, beyond payee, amount and reference.

const lei = {
  a: 'match',
  form: leiForm,
  rule: 'must be a legal entity identifier of 20 characters (ISO 17442)',
  as: 'lei',
  example: '529900T8BM49AURSDO55',
} as const;
const address = { a: 'address', of: postalAddress7 } as const;
const scheme = { as: 'scheme', description: 'Scheme of Identification.' } as const;

/** Another name of an account, e.g. a mobile number. */
export const proxy = {
  className: 'OBProxy1',
  members: {
    Identification: {
      ...text(2048),
      isRequired: true,
      description: 'The value of the proxy.',
      example: '+447700900123',
    },
    Code: {
      a: 'word',
      words: proxyCodes,
      rule: 'must be one of the codes of ExternalProxyAccountType1Code',
      isRequired: true,
      description: 'Kind of the proxy.',
      example: 'TELE',
    },
    Type: text(35),
  },
} as const satisfies ObjectForm;

/** The bank of the payee. */
export const creditorAgent = {
  className: 'OBCreditorAgent',
  isClosed: true,
  members: {
    SchemeName: {
      a: 'word',
      words: agentSchemes,
      rule: 'must be UK.OBIE.BICFI',
      ...scheme,
      example: 'UK.OBIE.BICFI',
    },
    Identification: { ...text(35), example: 'NWBKGB2L' },
    Name: text(140),
    LEI: lei,
    PostalAddress: address,
  },
} as const satisfies ObjectForm;

/** The party on whose behalf the account is debited. */
export const ultimateDebtor = {
  className: 'OBUltimateDebtor1',
  members: {
    Name: { ...text(140), example: 'Octon Group plc' },
    Identification: text(256),
    LEI: lei,
    SchemeName: {
      a: 'word',
      words: partySchemes,
      rule: 'must be one of the schemes of OBInternalAccountIdentification4Code, e.g. UK.OBIE.IBAN',
      ...scheme,
      example: 'UK.OBIE.IBAN',
    },
    PostalAddress: address,
  },
} as const satisfies ObjectForm;

/** The final recipient of the money. */
export const ultimateCreditor = { ...ultimateDebtor, className: 'OBUltimateCreditor1' } as const;

const referredDocument = {
  className: 'OBReferredDocumentInformation',
  members: {
    Code: {
      a: 'word',
      words: documentCodes,
      rule: 'must be one of the codes of ExternalDocumentType1Code',
      example: 'CINV',
    },
    Issuer: text(35),
    Number: { ...text(35), example: 'INV-2030-17' },
    RelatedDate: { a: 'moment' },
    LineDetails: texts(2048),
  },
} as const satisfies ObjectForm;

const creditorReference = {
  className: 'OBCreditorReferenceInformation',
  members: {
    Code: {
      a: 'word',
      words: creditorReferenceCodes,
      rule: 'must be one of the codes of ExternalCreditorReferenceType1Code',
      example: 'SCOR',
    },
    Issuer: text(35),
    Reference: { ...text(35), example: 'JAN-SALARY' },
  },
} as const satisfies ObjectForm;

/** Which documents a payment settles. */
const structuredRemittance = {
  className: 'OBRemittanceInformationStructured',
  members: {
    ReferredDocumentInformation: { a: 'objects', of: referredDocument, most: mostEntries, as: 'documents' },
    // A whole number in 4.0, an amount in the changelog of 4.0.1.
    ReferredDocumentAmount: { a: 'document amount', as: 'documentAmount', example: '25.00' },
    CreditorReferenceInformation: { a: 'object', of: creditorReference, as: 'creditorReference' },
    Invoicer: text(256),
    Invoicee: text(256),
    TaxRemittance: text(140),
    AdditionalRemittanceInformation: { ...texts(140, 3), as: 'additionalInformation' },
  },
} as const satisfies ObjectForm;

/** What payments are for. Reference of 3.1 is not a member, because it would be lost. */
export const remittanceInformation2 = {
  className: 'OBRemittanceInformation2',
  members: {
    Structured: { a: 'objects', of: structuredRemittance, most: mostEntries },
    Unstructured: { ...texts(140), example: ['Salaries of January'] },
  },
} as const satisfies ObjectForm;

const regulatoryAuthority = {
  className: 'OBRegulatoryAuthority',
  members: { Name: text(140), CountryCode: { ...country, as: 'country' } },
} as const satisfies ObjectForm;

/** An amount of money. */
export const amountOfMoney = {
  className: 'OBAmount',
  isClosed: true,
  members: {
    Amount: {
      a: 'match',
      form: /^[0-9]{1,13}([.][0-9]{1,5})?$/,
      rule: 'must be a string with a decimal amount such as "120.50"',
      isRequired: true,
      description: 'Above zero, in whole pence.',
      example: '120.50',
    },
    Currency: {
      a: 'match',
      form: /^[A-Z]{3}$/,
      rule: 'must be three capital letters (ISO 4217)',
      isRequired: true,
      description: 'GBP.',
      example: 'GBP',
    },
  },
} as const satisfies ObjectForm;

const regulatoryDetail = {
  className: 'OBRegulatoryDetail',
  members: {
    Type: text(35),
    Date: { a: 'moment' },
    Country: country,
    Amount: { a: 'object', of: amountOfMoney, isFlat: true },
    Information: texts(35),
  },
} as const satisfies ObjectForm;

/** Information for an authority. A payment has up to ten. */
export const regulatoryReport = {
  className: 'OBRegulatoryReporting1',
  members: {
    DebitCreditReportingIndicator: {
      a: 'word',
      words: ['CRED', 'DEBT', 'BOTH'],
      rule: 'must be CRED, DEBT or BOTH',
      as: 'indicator',
    },
    Authority: { a: 'object', of: regulatoryAuthority },
    Details: { a: 'objects', of: regulatoryDetail, most: mostEntries },
  },
} as const satisfies ObjectForm;

/** The ultimate debtor or creditor, or the bank of the payee. */
export type Party = Read<typeof ultimateDebtor>;
export type StructuredRemittance = Read<typeof structuredRemittance>;
export type RegulatoryReport = Read<typeof regulatoryReport>;
export interface AccountProxy extends Read<typeof proxy> {
  /** ExternalProxyAccountType1Code, e.g. MBNO */
  readonly code: string;
  readonly identification: string;
}

/** Details that only newer formats have. */
export interface PaymentDetails {
  /** the bank of the payee */
  readonly payeeAgent?: Party | undefined;
  /** the ultimate creditor */
  readonly ultimatePayee?: Party | undefined;
  /** the ultimate debtor */
  readonly ultimatePayer?: Party | undefined;
  readonly structuredRemittance?: readonly StructuredRemittance[] | undefined;
  readonly regulatoryReporting?: readonly RegulatoryReport[] | undefined;
}
