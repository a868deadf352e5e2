import { aConsentRequest, decimal, toJson, type Members } from '../support/a-consent-request.js';
import { aPaymentFile, type ApiVersion } from '../support/a-payment-file.js';
import { exchange, type Area, type Exchange } from './exchange.js';
import { mutationsOf } from './mutations.js';
import { unreadableBodies } from './unreadable-bodies.js';

const path = '/file-payment-consents';
const file = aPaymentFile();
const sortCode = 'UK.OBIE.SortCodeAccountNumber';

const LEI = '529900T8BM49AURSDO55';

/** Members of Initiation that only one version has, or in another form. */
const ofVersion: Readonly<Record<ApiVersion, Members>> = {
  '3.1': { RemittanceInformation: { Unstructured: 'Salaries', Reference: 'SALARIES' } },
  '4.0': {
    CreditorAgent: {
      SchemeName: 'UK.OBIE.BICFI',
      Identification: 'NWBKGB2L',
      Name: 'A Bank',
      LEI,
      PostalAddress: { AddressType: 'BIZZ', BuildingName: 'Octon House', Country: 'GB', AddressLine: ['First floor'] },
    },
    UltimateDebtor: { SchemeName: 'UK.OBIE.IBAN', Identification: '123', Name: 'Archer Group', LEI },
    RemittanceInformation: {
      Structured: [
        {
          ReferredDocumentInformation: [
            {
              Code: 'CINV',
              Issuer: 'Octon',
              Number: 'INV-1',
              RelatedDate: '2090-12-31T00:00:00+00:00',
              LineDetails: ['x'],
            },
          ],
          ReferredDocumentAmount: '25.00',
          CreditorReferenceInformation: { Code: 'SCOR', Issuer: 'Octon', Reference: 'SALARIES' },
          Invoicer: 'Octon',
          Invoicee: 'A Person',
          TaxRemittance: 'Tax',
          AdditionalRemittanceInformation: ['x'],
        },
      ],
      Unstructured: ['Salaries', 'of January'],
    },
  },
};

const account = {
  SchemeName: sortCode,
  Identification: '20000112345678',
  Name: 'Archer Payroll',
  SecondaryIdentification: 'A-1',
};

/** Every member of OBWriteFileConsent3. */
const wholeOf = (version: ApiVersion) => ({
  Data: {
    Initiation: {
      FileType: `UK.OBIE.PaymentInitiation.${version}`,
      FileHash: file.fileHash,
      FileReference: 'PAYROLL-1',
      NumberOfTransactions: '2',
      ControlSum: decimal('21.00'),
      RequestedExecutionDateTime: '2091-01-31T00:00:00+00:00',
      LocalInstrument: 'UK.OBIE.FPS',
      DebtorAccount: {
        ...account,
        ...(version === '4.0' && { Proxy: { Identification: '+447700900123', Code: 'TELE', Type: 'mobile' } }),
      },
      ...ofVersion[version],
      SupplementaryData: { any: { thing: [1, null, 'x'] } },
    } as Members,
    Authorisation: { AuthorisationType: 'Any', CompletionDateTime: '2091-02-28T00:00:00+00:00' },
    SCASupportData: {
      RequestedSCAExemptionType: 'PartyToParty',
      AppliedAuthenticationApproach: 'SCA',
      ReferencePaymentOrderId: 'ORDER-1',
    },
  },
});
const lengths = {
  FileReference: 40,
  SchemeName: 40,
  Identification: 256,
  Name: 350,
  SecondaryIdentification: 34,
  Unstructured: 140,
  Reference: 35,
  ReferencePaymentOrderId: 128,
  LocalInstrument: 50,
};

/** Values of single members of Data.Initiation that have rules. */
const values: Readonly<Record<string, readonly unknown[]>> = {
  FileType: ['UK.OBIE.PaymentInitiation.4.0', 'UK.OBIE.pain.001.001.08', 'uk.obie.paymentinitiation.3.1'],
  FileHash: ['ab*d', `${file.fileHash}A`, file.fileHash.slice(0, -1), Buffer.alloc(31).toString('base64')],
  FileReference: ['PAYROLL\u202e10', 'Löhne 01', 'a\u0000b', ' x '],
  NumberOfTransactions: ['0', '1', '150', '151', '-1', '1.0', '007', '1234567890123456'],
  ControlSum: ['0', '-1', '0.00001', '0.000001', '2.1e1', '21', '1500000000000000', '1499999999999999.99999'].map(
    decimal,
  ),
  RequestedExecutionDateTime: [
    '2091-01-31',
    '2091-01-31T10:00:00',
    '2091-01-31T10:00:00Z',
    '2091-01-31T10:00:00.123+01:00',
    '2091-02-30T10:00:00Z',
    '2020-01-31T10:00:00Z',
    'tomorrow',
  ],
  LocalInstrument: [
    ...['FPS', 'BACS', 'CHAPS', 'BalanceTransfer', 'SWIFT', 'Euro1'].map((type) => `UK.OBIE.${type}`),
    'FPS',
  ],
  SupplementaryData: [{}, { __proto__: null, constructor: 'x' }, { deep: { deeper: { deepest: true } } }],
  Purpose: ['not a member of the standard'],
};
const accounts: readonly Members[] = [
  { SchemeName: 'SortCodeAccountNumber' },
  { SchemeName: 'UK.OBIE.IBAN', Identification: 'GB29NWBK60161331926819' },
  { SchemeName: 'IBAN', Identification: 'GB29NWBK60161331926818' },
  { SchemeName: 'UK.OBIE.BBAN', Identification: 'NWBK60161331926819' },
  { SchemeName: 'UK.OBIE.PAN', Identification: '5555555555554444' },
  { SchemeName: 'UK.OBIE.Paym', Identification: '07700900000' },
  { SchemeName: 'UK.OBIE.Wallet', Identification: 'w' },
  { Identification: '2000011234567' },
  { Identification: '20-00-01 12345678' },
];

function bodies(version: ApiVersion): [string, string | Buffer][] {
  const whole = wholeOf(version);
  const { Initiation } = whole.Data;
  const withInitiation = (members: Members): string =>
    toJson({ Data: { ...whole.Data, Initiation: { ...Initiation, ...members } } });
  const { FileType, FileHash } = Initiation;
  const everythingWrong = Object.fromEntries(Object.keys(Initiation).map((name) => [name, false]));
  return [
    ['with every member', toJson(whole)],
    ['with the least', toJson({ Data: { Initiation: { FileType, FileHash } } })],
    ['of the shared builder', aConsentRequest({ file: aPaymentFile({ version }) })],
    ...unreadableBodies(toJson(whole)),
    ...mutationsOf(whole, version === '3.1' ? lengths : { ...lengths, ReferencePaymentOrderId: 40 }).map(
      ({ name, document }): [string, string] => [name, toJson(document)],
    ),
    ...Object.entries(values).flatMap(([member, each]) =>
      each.map((value): [string, string] => [`${member} is ${toJson(value)}`, withInitiation({ [member]: value })]),
    ),
    ...accounts.map((each): [string, string] => [
      `DebtorAccount is ${toJson(each)}`,
      withInitiation({ DebtorAccount: { ...account, ...each } }),
    ]),
    ...[{}, { SecondaryIdentification: 'A-1' }].map((secondary): [string, string] => [
      `a balance transfer from a card ${toJson(secondary)}`,
      withInitiation({
        LocalInstrument: 'UK.OBIE.BalanceTransfer',
        DebtorAccount: { SchemeName: 'UK.OBIE.PAN', Identification: '5555555555554444', ...secondary },
      }),
    ]),
    [
      'everything wrong at once',
      toJson({ Data: { Initiation: everythingWrong, Authorisation: {}, SCASupportData: 1 } }),
    ],
  ];
}

/** POST /file-payment-consents: its body, member by member. */
export const consents = (version: ApiVersion): Area => ({
  name: 'consents',
  version,
  exchanges: () =>
    bodies(version).map(([name, body]): Exchange => exchange(name, () => ({ method: 'POST', path, body }))),
});
