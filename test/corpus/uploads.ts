import { toJson, type Members } from '../support/a-consent-request.js';
import { aPaymentFile, aPaymentItem, type TestPaymentFile } from '../support/a-payment-file.js';
import { exchange, type Area, type CorpusWorld, type Exchange, type SentRequest } from './exchange.js';
import { mutationsOf } from './mutations.js';
import { unreadableBodies } from './unreadable-bodies.js';

/** Every member of a payment. */
const whole = {
  InstructionIdentification: 'PAYRUN-1',
  EndToEndIdentification: 'E2E-1',
  LocalInstrument: 'UK.OBIE.FPS',
  RequestedExecutionDateTime: '2091-01-31T00:00:00+00:00',
  InstructedAmount: { Amount: '10.50', Currency: 'GBP' },
  DebtorAccount: {
    SchemeName: 'UK.OBIE.SortCodeAccountNumber',
    Identification: '20000112345678',
    Name: 'Archer Payroll',
    SecondaryIdentification: 'A-1',
  },
  CreditorAccount: {
    SchemeName: 'UK.OBIE.SortCodeAccountNumber',
    Identification: '20000191000000',
    Name: 'A Supplier Ltd',
    SecondaryIdentification: 'B-2',
  },
  CreditorPostalAddress: {
    AddressType: 'Business',
    Department: 'Accounts',
    SubDepartment: 'Payable',
    StreetName: 'High Street',
    BuildingNumber: '1',
    PostCode: 'EC1A 1BB',
    TownName: 'London',
    CountrySubDivision: 'England',
    Country: 'GB',
    AddressLine: ['First floor', 'Rear'],
  },
  RemittanceInformation: { Unstructured: 'January', Reference: 'INV-1' },
  SupplementaryData: { any: 'thing' },
};
const lengths = {
  InstructionIdentification: 35,
  EndToEndIdentification: 35,
  LocalInstrument: 50,
  SchemeName: 40,
  Identification: 256,
  Name: 70,
  SecondaryIdentification: 34,
  Department: 70,
  SubDepartment: 70,
  StreetName: 70,
  BuildingNumber: 16,
  PostCode: 16,
  TownName: 35,
  CountrySubDivision: 35,
  Unstructured: 140,
  Reference: 35,
};

const amounts = [
  '0',
  '0.00',
  '0.01',
  '1',
  '1.5',
  '10.505',
  '-1.00',
  'abc',
  '1e3',
  '1234567890123.00',
  '12345678901234.00',
];
const money = (Amount: string, Currency = 'GBP'): Members => ({ InstructedAmount: { Amount, Currency } });
const inFile = (item: unknown): string => toJson({ File: { Data: { DomesticPayments: [item] } } });
const members = (differences: Members): string => inFile(aPaymentItem(differences));

/** Files whose consent states only their hash. */
function files(): [string, string | Buffer][] {
  return [
    ['with every member', inFile(whole)],
    ...unreadableBodies(inFile(aPaymentItem())),
    ...mutationsOf(whole, lengths).map(({ name, document }): [string, string] => [name, inFile(document)]),
    ...amounts.map((amount): [string, string] => [`Amount is ${amount}`, members(money(amount))]),
    ...['USD', 'EUR', 'gbp', 'POUND'].map((each): [string, string] => [
      `Currency is ${each}`,
      members(money('1', each)),
    ]),
    ...mutationsOf({ File: { Data: { DomesticPayments: [aPaymentItem()] } } }, {})
      .filter(({ name }) => !/\[0\]./.test(name))
      .map(({ name, document }): [string, string] => [name, toJson(document)]),
    ['without File', toJson({ Data: { DomesticPayments: [aPaymentItem()] } })],
    ['without Data', toJson({ File: { DomesticPayments: [aPaymentItem()] } })],
    ['of 151 payments', aPaymentFile({ payments: 151 }).body],
    ['of 150 payments that are none', toJson({ Data: { DomesticPayments: Array.from({ length: 150 }, () => ({})) } })],
    ['with ids of the TPP’s own', members({ PaymentId: 'mine', Status: 'mine' })],
  ];
}

const two = (item: (index: number) => Members): TestPaymentFile => aPaymentFile({ item });
const onlySecond = (differences: Members) => two((index) => (index === 1 ? differences : {}));
const day = (date: string): Members => ({ RequestedExecutionDateTime: date });
const debtor = (Identification: string): Members => ({
  DebtorAccount: { SchemeName: 'UK.OBIE.SortCodeAccountNumber', Identification },
});

/** The name, the file, and members of the consent's Initiation that differ. */
function contradictions(): [string, TestPaymentFile, Members][] {
  const plain = aPaymentFile();
  return [
    ['what the consent says', plain, {}],
    ['another hash', plain, { FileHash: Buffer.alloc(32, 1).toString('base64') }],
    ['another number', plain, { NumberOfTransactions: '3' }],
    ['another sum', aPaymentFile({ item: () => money('7.77') }), { ControlSum: undefined, FileReference: undefined }],
    ['nothing but hash', plain, { NumberOfTransactions: undefined, ControlSum: undefined, LocalInstrument: undefined }],
    ['another type in the second payment', onlySecond({ LocalInstrument: 'UK.OBIE.CHAPS' }), {}],
    ['another type than the consent', two(() => ({ LocalInstrument: 'UK.OBIE.BACS' })), {}],
    [
      'a type that the consent leaves open',
      two(() => ({ LocalInstrument: 'UK.OBIE.CHAPS' })),
      { LocalInstrument: undefined },
    ],
    ['another day in the second payment', onlySecond(day('2091-02-01T00:00:00Z')), {}],
    ['another day than the consent', two(() => day('2091-02-01T00:00:00Z')), day('2091-01-31T00:00:00Z')],
    ['the day of the consent in one of two', onlySecond(day('2091-01-31T12:00:00Z')), day('2091-01-31T00:00:00Z')],
    ['another account in the second payment', onlySecond(debtor('20000112345679')), debtor('20000112345678')],
    ['two accounts, and none in the consent', two((index) => debtor(`2000011234567${index}`)), {}],
    ['faults and contradictions', onlySecond({ CreditorAccount: {} }), { NumberOfTransactions: '9' }],
  ];
}

/** A file for whose consent only its hash is right. */
async function prepareLoose({ tpp }: CorpusWorld, body: string | Buffer): Promise<SentRequest> {
  const file = { ...aPaymentFile({ document: body.toString() }), body: Buffer.from(body) };
  const fileHash = Buffer.from(await crypto.subtle.digest('SHA-256', file.body)).toString('base64');
  const nothingElse = { NumberOfTransactions: undefined, ControlSum: undefined, LocalInstrument: undefined };
  const consentId = await tpp.stageConsent({ ...file, fileHash }, nothingElse);
  return { method: 'POST', path: `/file-payment-consents/${consentId}/file`, body };
}

async function prepareAgainst({ tpp }: CorpusWorld, file: TestPaymentFile, differences: Members): Promise<SentRequest> {
  const consentId = await tpp.stageConsent(file, differences);
  return { method: 'POST', path: `/file-payment-consents/${consentId}/file`, body: file.body };
}

/** POST /file-payment-consents/{ConsentId}/file: the file, member by member, and against its consent. */
export const uploads: Area = {
  name: 'uploads',
  version: '3.1',
  exchanges: (world) => [
    ...files().map(([name, body]): Exchange => exchange(name, () => prepareLoose(world, body))),
    ...contradictions().map(([name, file, differences]): Exchange =>
      exchange(`against the consent: ${name}`, () => prepareAgainst(world, file, differences)),
    ),
  ],
};
