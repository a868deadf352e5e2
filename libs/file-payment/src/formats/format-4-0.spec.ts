import { describe, expect, it } from '@jest/globals';
import { LosslessNumber } from 'lossless-json';
import type { Fault } from '#libs/error-catalogue';
import { FaultList } from '../fault-list.js';
import { parsePaymentFile } from '../parse-payment-file.js';
import { format40 } from './format-4-0.js';

type Item = Record<string, unknown>;

const now = new Date('2030-01-15T12:00:00Z');
const path = 'File.Data.DomesticPayments';
const creditor = {
  SchemeName: 'UK.OBIE.SortCodeAccountNumber',
  Identification: '20000112345678',
  Name: 'A Supplier Ltd',
};
const lei = '5493001KJTIIGC8Y1R12';

const anItem = (changes: Item = {}): Item => ({
  InstructionIdentification: 'PAYRUN-0001',
  EndToEndIdentification: 'INV-0001',
  InstructedAmount: { Amount: '120.50', Currency: 'GBP' },
  CreditorAccount: creditor,
  ...changes,
});
const withRemittance = (RemittanceInformation: unknown): Item => anItem({ RemittanceInformation });
const withStructured = (members: Item): Item => withRemittance({ Structured: [members] });
const withDebtor = (UltimateDebtor: unknown): Item => anItem({ UltimateDebtor });
const withReport = (members: Item): Item => anItem({ RegulatoryReporting: [members] });
const withAddress = (CreditorPostalAddress: Item): Item => anItem({ CreditorPostalAddress });
const withProxy = (Proxy: unknown): Item => anItem({ CreditorAccount: { ...creditor, Proxy } });
const list = (length: number, entry: unknown): unknown[] => Array.from({ length }, () => entry);

function read(item: unknown) {
  const faults = new FaultList();
  const document = { File: { Data: { DomesticPayments: [item] } } };
  const { fileType } = format40;
  const file = parsePaymentFile({ document, fileType, consentInstrument: undefined, now, faults });
  return { payment: file?.payments[0], faults: faults.items, count: faults.count };
}

const summary = (faults: readonly Fault[]) =>
  faults.map(({ code, path: place }) => `${code} ${place?.replace(`${path}[0].`, '') ?? ''}`);

const fullAddress = {
  AddressType: 'BIZZ',
  Department: 'x'.repeat(70),
  SubDepartment: 'x'.repeat(70),
  StreetName: 'x'.repeat(140),
  BuildingNumber: 'x'.repeat(16),
  BuildingName: 'x'.repeat(140),
  Floor: 'x'.repeat(70),
  UnitNumber: 'x'.repeat(16),
  Room: 'x'.repeat(70),
  PostBox: 'x'.repeat(16),
  TownLocationName: 'x'.repeat(140),
  DistrictName: 'x'.repeat(140),
  CareOf: 'x'.repeat(140),
  PostCode: 'x'.repeat(16),
  TownName: 'x'.repeat(140),
  CountrySubDivision: 'x'.repeat(35),
  Country: 'GB',
  AddressLine: list(7, 'x'.repeat(70)),
};

describe('items of a 4.0 file (OBDomestic2 of v4.0.1)', () => {
  it.each<[string, Item]>([
    ['with the required members alone', anItem()],
    ['with a name of 350 characters', anItem({ CreditorAccount: { ...creditor, Name: 'x'.repeat(350) } })],
    ['with every member of an address at its longest', withAddress(fullAddress)],
    ['with SupplementaryData of any members', anItem({ SupplementaryData: { Anything: [1] } })],
  ])('takes one %s', (_, item) => {
    expect(summary(read(item).faults)).toEqual([]);
  });

  it.each<[string, Item, string]>([
    [
      'no EndToEndIdentification',
      anItem({ EndToEndIdentification: undefined }),
      'Field.Missing EndToEndIdentification',
    ],
    ['no creditor', anItem({ CreditorAccount: undefined }), 'Field.Missing CreditorAccount'],
    [
      'no name of the creditor',
      anItem({ CreditorAccount: { ...creditor, Name: undefined } }),
      'Field.Missing CreditorAccount.Name',
    ],
    [
      'a name of 351 characters',
      anItem({ CreditorAccount: { ...creditor, Name: 'x'.repeat(351) } }),
      'Field.Invalid CreditorAccount.Name',
    ],
    ['a member that OBDomestic2 does not have', anItem({ PaymentId: 'mine' }), 'Field.Unexpected PaymentId'],
    [
      'a day, which is for the consent to name',
      anItem({ RequestedExecutionDateTime: '2030-01-20T00:00:00Z' }),
      'Field.Unexpected RequestedExecutionDateTime',
    ],
    [
      'a third member of the amount',
      anItem({ InstructedAmount: { Amount: '1.00', Currency: 'GBP', Units: 1 } }),
      'Field.Unexpected InstructedAmount.Units',
    ],
    [
      'an unknown member of an account',
      anItem({ CreditorAccount: { ...creditor, Bank: 'B' } }),
      'Field.Unexpected CreditorAccount.Bank',
    ],
    [
      'an unknown member of the debtor account',
      anItem({
        DebtorAccount: { SchemeName: creditor.SchemeName, Identification: creditor.Identification, Bank: 'B' },
      }),
      'Field.Unexpected DebtorAccount.Bank',
    ],
    ['an unknown member of an address', withAddress({ Street: 'S' }), 'Field.Unexpected CreditorPostalAddress.Street'],
    ['an unknown member of the agent', anItem({ CreditorAgent: { BIC: 'B' } }), 'Field.Unexpected CreditorAgent.BIC'],
    ['a malformed proxy', withProxy('07700900000'), 'Field.Invalid CreditorAccount.Proxy'],
    ['a proxy without a code', withProxy({ Identification: '1' }), 'Field.Missing CreditorAccount.Proxy.Code'],
    [
      'a proxy of an unknown code',
      withProxy({ Identification: '1', Code: 'FAXN' }),
      'Field.Invalid CreditorAccount.Proxy.Code',
    ],
    [
      'a proxy of 2049 characters',
      withProxy({ Identification: 'x'.repeat(2049), Code: 'MBNO' }),
      'Field.Invalid CreditorAccount.Proxy.Identification',
    ],
    [
      'the type of a proxy of 36 characters',
      withProxy({ Identification: '1', Code: 'MBNO', Type: 'x'.repeat(36) }),
      'Field.Invalid CreditorAccount.Proxy.Type',
    ],
    [
      'an agent of another scheme',
      anItem({ CreditorAgent: { SchemeName: 'UK.OBIE.NCC', Identification: '1' } }),
      'Field.Invalid CreditorAgent.SchemeName',
    ],
    [
      'an agent of 36 characters',
      anItem({ CreditorAgent: { Identification: 'x'.repeat(36) } }),
      'Field.Invalid CreditorAgent.Identification',
    ],
    ['the name of an agent', anItem({ CreditorAgent: { Name: 'x'.repeat(141) } }), 'Field.Invalid CreditorAgent.Name'],
    ['an LEI in small letters', withDebtor({ LEI: lei.toLowerCase() }), 'Field.Invalid UltimateDebtor.LEI'],
    ['an LEI of 21 characters', withDebtor({ LEI: `${lei}1` }), 'Field.Invalid UltimateDebtor.LEI'],
    ['an ultimate debtor’s name', withDebtor({ Name: 'x'.repeat(141) }), 'Field.Invalid UltimateDebtor.Name'],
    [
      'an ultimate debtor’s identification',
      withDebtor({ Identification: 'x'.repeat(257) }),
      'Field.Invalid UltimateDebtor.Identification',
    ],
    ['an ultimate debtor’s scheme', withDebtor({ SchemeName: 'DUNS' }), 'Field.Invalid UltimateDebtor.SchemeName'],
    [
      'an ultimate creditor’s address',
      anItem({ UltimateCreditor: { PostalAddress: { Street: 'S' } } }),
      'Field.Unexpected UltimateCreditor.PostalAddress.Street',
    ],
    [
      'an address type of v3.1',
      withAddress({ AddressType: 'Correspondence' }),
      'Field.Invalid CreditorPostalAddress.AddressType',
    ],
    [
      'eight address lines',
      withAddress({ AddressLine: list(8, 'x') }),
      'Field.Invalid CreditorPostalAddress.AddressLine',
    ],
    [
      'a town of 141 characters',
      withAddress({ TownName: 'x'.repeat(141) }),
      'Field.Invalid CreditorPostalAddress.TownName',
    ],
    [
      'the reference where v3.1 has it',
      withRemittance({ Reference: 'R' }),
      'Field.Unexpected RemittanceInformation.Reference',
    ],
    [
      'the text where v3.1 has it',
      withRemittance({ Unstructured: 'U' }),
      'Field.Invalid RemittanceInformation.Unstructured',
    ],
    [
      'a line of 141 characters',
      withRemittance({ Unstructured: ['U', 'x'.repeat(141)] }),
      'Field.Invalid RemittanceInformation.Unstructured[1]',
    ],
    ['21 lines', withRemittance({ Unstructured: list(21, 'U') }), 'Field.Invalid RemittanceInformation.Unstructured'],
    [
      'malformed structured remittance',
      withRemittance({ Structured: ['S'] }),
      'Field.Invalid RemittanceInformation.Structured[0]',
    ],
    [
      'a reference of 36 characters',
      withStructured({ CreditorReferenceInformation: { Reference: 'x'.repeat(36) } }),
      'Field.Invalid RemittanceInformation.Structured[0].CreditorReferenceInformation.Reference',
    ],
    [
      'a reference of an unknown code',
      withStructured({ CreditorReferenceInformation: { Code: 'XXXX' } }),
      'Field.Invalid RemittanceInformation.Structured[0].CreditorReferenceInformation.Code',
    ],
    [
      'a document of an unknown code',
      withStructured({ ReferredDocumentInformation: [{ Code: 'XXXX' }] }),
      'Field.Invalid RemittanceInformation.Structured[0].ReferredDocumentInformation[0].Code',
    ],
    [
      'a document of no date',
      withStructured({ ReferredDocumentInformation: [{ RelatedDate: '2030' }] }),
      'Field.InvalidDate RemittanceInformation.Structured[0].ReferredDocumentInformation[0].RelatedDate',
    ],
    [
      'a line of a document of 2049 characters',
      withStructured({ ReferredDocumentInformation: [{ LineDetails: ['x'.repeat(2049)] }] }),
      'Field.Invalid RemittanceInformation.Structured[0].ReferredDocumentInformation[0].LineDetails[0]',
    ],
    [
      'an amount of a document with a fraction',
      withStructured({ ReferredDocumentAmount: new LosslessNumber('1.5') }),
      'Field.Invalid RemittanceInformation.Structured[0].ReferredDocumentAmount',
    ],
    [
      'an invoicer of 257 characters',
      withStructured({ Invoicer: 'x'.repeat(257) }),
      'Field.Invalid RemittanceInformation.Structured[0].Invoicer',
    ],
    [
      'four additional lines',
      withStructured({ AdditionalRemittanceInformation: list(4, 'x') }),
      'Field.Invalid RemittanceInformation.Structured[0].AdditionalRemittanceInformation',
    ],
    ['eleven reports', anItem({ RegulatoryReporting: list(11, {}) }), 'Field.Invalid RegulatoryReporting'],
    [
      'a report of an unknown side',
      withReport({ DebitCreditReportingIndicator: 'NONE' }),
      'Field.Invalid RegulatoryReporting[0].DebitCreditReportingIndicator',
    ],
    [
      'an authority of no country',
      withReport({ Authority: { CountryCode: 'GBR' } }),
      'Field.Invalid RegulatoryReporting[0].Authority.CountryCode',
    ],
    [
      'a reported amount without currency',
      withReport({ Details: [{ Amount: { Amount: '1.00' } }] }),
      'Field.Missing RegulatoryReporting[0].Details[0].Amount.Currency',
    ],
    [
      'reported information of 36 characters',
      withReport({ Details: [{ Information: ['x'.repeat(36)] }] }),
      'Field.Invalid RegulatoryReporting[0].Details[0].Information[0]',
    ],
  ])('refuses %s', (_, item, expected) => {
    expect(summary(read(item).faults)).toEqual([expected]);
  });

  it('says where the reference has gone', () => {
    const [fault] = read(withRemittance({ Reference: 'R' })).faults;
    const place = `${path}[0].RemittanceInformation`;
    expect(fault?.detail).toBe(
      `${place}.Reference is not part of this format: use ${place}.Structured[].CreditorReferenceInformation.Reference.`,
    );
  });

  it('does not repeat a name that looks like none, and puts 100 of 20,000 into words', () => {
    const [fault] = read(anItem({ [`<${'x'.repeat(5_000)}>`]: 1 })).faults;
    expect(fault).toMatchObject({ code: 'Field.Unexpected', path: `${path}[0]` });
    expect(fault?.detail).toBe(`${path}[0] has a member that is not part of this format.`);
    const many = read(anItem(Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`m${index}`, 1]))));
    expect(many.count).toBe(20_000);
    expect(many.faults).toHaveLength(100);
  });

  it('takes the first structured reference as that of the payment, and joins the lines of the message', () => {
    const { payment } = read(
      withRemittance({
        Structured: [{ Invoicer: 'I' }, { CreditorReferenceInformation: { Reference: 'REF-1', Code: 'SCOR' } }],
        Unstructured: ['Invoice 1', 'and 2'],
      }),
    );
    expect(payment).toMatchObject({
      reference: 'REF-1',
      unstructured: 'Invoice 1 and 2',
      structuredRemittance: [{ invoicer: 'I' }, { creditorReference: { reference: 'REF-1', code: 'SCOR' } }],
    });
  });

  it('has no structured remittance where that is a reference and nothing else', () => {
    const { payment } = read(withStructured({ CreditorReferenceInformation: { Reference: 'REF-1' } }));
    expect(payment?.reference).toBe('REF-1');
    expect(payment?.structuredRemittance).toBeUndefined();
  });

  it.each([
    ['ReferredDocumentInformation', [{ Number: 'INV-1' }]],
    ['ReferredDocumentAmount', '1.50'],
    ['Invoicer', 'A Supplier Ltd'],
    ['Invoicee', 'A Buyer Ltd'],
    ['TaxRemittance', 'VAT 2030'],
    ['AdditionalRemittanceInformation', ['Paid in full']],
  ])('keeps %s beside the reference', (name, value) => {
    const { payment, count } = read(
      withStructured({ CreditorReferenceInformation: { Reference: 'REF-1' }, [name]: value }),
    );
    expect(count).toBe(0);
    expect(payment).toMatchObject({
      reference: 'REF-1',
      structuredRemittance: [{ creditorReference: { reference: 'REF-1' } }],
    });
  });

  it.each([{ Code: 'SCOR' }, { Issuer: 'ISO' }])('keeps what the reference has beside its text: %j', (beside) => {
    const { payment } = read(withStructured({ CreditorReferenceInformation: { Reference: 'REF-1', ...beside } }));
    expect(payment?.structuredRemittance).toHaveLength(1);
  });

  it.each([
    ['the text of an amount (v4.0.1)', '12.5', '12.5'],
    ['an integer (v4.0)', new LosslessNumber('12'), '12'],
  ])('takes %s as the amount of a document', (_, amount, expected) => {
    const { payment } = read(withStructured({ ReferredDocumentAmount: amount }));
    expect(payment?.structuredRemittance).toMatchObject([{ documentAmount: expected }]);
  });

  it('reads everything else in neutral words', () => {
    const { payment, faults } = read(
      anItem({
        CreditorAccount: { ...creditor, Proxy: { Identification: '07700900000', Code: 'MBNO', Type: 'T' } },
        CreditorPostalAddress: { AddressType: 'CORR', CareOf: 'C', Country: 'GB' },
        CreditorAgent: { SchemeName: 'UK.OBIE.BICFI', Identification: 'NWBKGB2L', LEI: lei },
        UltimateCreditor: { Name: 'Payee', PostalAddress: { AddressType: 'HOME' } },
        UltimateDebtor: { Name: 'Payer', SchemeName: 'UK.OBIE.IBAN', Identification: 'GB29NWBK60161331926819' },
        RegulatoryReporting: [
          {
            DebitCreditReportingIndicator: 'BOTH',
            Authority: { Name: 'A', CountryCode: 'GB' },
            Details: [
              {
                Type: 'T',
                Date: '2030-01-01T00:00Z',
                Country: 'GB',
                Amount: { Amount: '1', Currency: 'EUR' },
                Information: ['I'],
              },
            ],
          },
        ],
      }),
    );
    expect(faults).toEqual([]);
    expect(payment).toMatchObject({
      creditorProxy: { identification: '07700900000', code: 'MBNO', type: 'T' },
      creditorPostalAddress: { addressType: 'Correspondence', careOf: 'C', country: 'GB' },
      payeeAgent: { scheme: 'UK.OBIE.BICFI', identification: 'NWBKGB2L', lei },
      ultimatePayee: { name: 'Payee', postalAddress: { addressType: 'Residential' } },
      ultimatePayer: { name: 'Payer', scheme: 'UK.OBIE.IBAN', identification: 'GB29NWBK60161331926819' },
      regulatoryReporting: [
        {
          indicator: 'BOTH',
          authority: { name: 'A', country: 'GB' },
          details: [
            {
              type: 'T',
              date: '2030-01-01T00:00:00Z',
              country: 'GB',
              amount: '1',
              currency: 'EUR',
              information: ['I'],
            },
          ],
        },
      ],
    });
  });

  it('refuses invisible characters in every text that people read', () => {
    const hidden = 'a\u202eb';
    for (const item of [
      withProxy({ Identification: hidden, Code: 'MBNO' }),
      withDebtor({ Name: hidden }),
      withAddress({ CareOf: hidden }),
      withRemittance({ Unstructured: [hidden] }),
      withStructured({ TaxRemittance: hidden }),
      withReport({ Authority: { Name: hidden } }),
    ]) {
      expect(read(item).faults.map(({ detail }) => detail)).toEqual([expect.stringContaining('U+202E')]);
    }
  });
});
