import { describe, expect, it } from '@jest/globals';
import { LosslessNumber } from 'lossless-json';
import type { Fault } from '#libs/error-catalogue';
import { put } from '../../../../test/support/put.js';
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
const debtor = { SchemeName: creditor.SchemeName, Identification: creditor.Identification };
const aProxy = (members: Item): Item => ({ Identification: '1', Code: 'MBNO', ...members });
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

  const structured = 'RemittanceInformation.Structured[0]';
  const report = 'RegulatoryReporting[0]';

  it.each<[what: string, code: string, place: string, value: unknown, below?: string]>([
    ['no EndToEndIdentification', 'Missing', 'EndToEndIdentification', undefined],
    ['no creditor', 'Missing', 'CreditorAccount', undefined],
    ['no name of the creditor', 'Missing', 'CreditorAccount.Name', undefined],
    ['a name of 351 characters', 'Invalid', 'CreditorAccount.Name', 'x'.repeat(351)],
    ['a member that OBDomestic2 does not have', 'Unexpected', 'PaymentId', 'mine'],
    ['a day, which is for the consent to name', 'Unexpected', 'RequestedExecutionDateTime', '2030-01-20T00:00:00Z'],
    ['a third member of the amount', 'Unexpected', 'InstructedAmount.Units', 1],
    ['an unknown member of an account', 'Unexpected', 'CreditorAccount.Bank', 'B'],
    ['an unknown member of the debtor account', 'Unexpected', 'DebtorAccount', { ...debtor, Bank: 'B' }, '.Bank'],
    ['an unknown member of an address', 'Unexpected', 'CreditorPostalAddress.Street', 'S'],
    ['an unknown member of the agent', 'Unexpected', 'CreditorAgent.BIC', 'B'],
    ['a malformed proxy', 'Invalid', 'CreditorAccount.Proxy', '07700900000'],
    ['a proxy without a code', 'Missing', 'CreditorAccount.Proxy', { Identification: '1' }, '.Code'],
    ['a proxy of an unknown code', 'Invalid', 'CreditorAccount.Proxy', { Identification: '1', Code: 'FAXN' }, '.Code'],
    [
      'a proxy of 2049 characters',
      'Invalid',
      'CreditorAccount.Proxy',
      aProxy({ Identification: 'x'.repeat(2049) }),
      '.Identification',
    ],
    [
      'the type of a proxy of 36 characters',
      'Invalid',
      'CreditorAccount.Proxy',
      aProxy({ Type: 'x'.repeat(36) }),
      '.Type',
    ],
    [
      'an agent of another scheme',
      'Invalid',
      'CreditorAgent',
      { SchemeName: 'UK.OBIE.NCC', Identification: '1' },
      '.SchemeName',
    ],
    ['an agent of 36 characters', 'Invalid', 'CreditorAgent.Identification', 'x'.repeat(36)],
    ['the name of an agent', 'Invalid', 'CreditorAgent.Name', 'x'.repeat(141)],
    ['an LEI in small letters', 'Invalid', 'UltimateDebtor.LEI', lei.toLowerCase()],
    ['an LEI of 21 characters', 'Invalid', 'UltimateDebtor.LEI', `${lei}1`],
    ['an ultimate debtor’s name', 'Invalid', 'UltimateDebtor.Name', 'x'.repeat(141)],
    ['an ultimate debtor’s identification', 'Invalid', 'UltimateDebtor.Identification', 'x'.repeat(257)],
    ['an ultimate debtor’s scheme', 'Invalid', 'UltimateDebtor.SchemeName', 'DUNS'],
    ['an ultimate creditor’s address', 'Unexpected', 'UltimateCreditor.PostalAddress.Street', 'S'],
    ['an address type of v3.1', 'Invalid', 'CreditorPostalAddress.AddressType', 'Correspondence'],
    ['eight address lines', 'Invalid', 'CreditorPostalAddress.AddressLine', list(8, 'x')],
    ['a town of 141 characters', 'Invalid', 'CreditorPostalAddress.TownName', 'x'.repeat(141)],
    ['the reference where v3.1 has it', 'Unexpected', 'RemittanceInformation.Reference', 'R'],
    ['the text where v3.1 has it', 'Invalid', 'RemittanceInformation.Unstructured', 'U'],
    ['a line of 141 characters', 'Invalid', 'RemittanceInformation.Unstructured', ['U', 'x'.repeat(141)], '[1]'],
    ['21 lines', 'Invalid', 'RemittanceInformation.Unstructured', list(21, 'U')],
    ['malformed structured remittance', 'Invalid', structured, 'S'],
    ['a reference of 36 characters', 'Invalid', `${structured}.CreditorReferenceInformation.Reference`, 'x'.repeat(36)],
    ['a reference of an unknown code', 'Invalid', `${structured}.CreditorReferenceInformation.Code`, 'XXXX'],
    ['a document of an unknown code', 'Invalid', `${structured}.ReferredDocumentInformation[0].Code`, 'XXXX'],
    ['a document of no date', 'InvalidDate', `${structured}.ReferredDocumentInformation[0].RelatedDate`, '2030'],
    [
      'a line of a document of 2049 characters',
      'Invalid',
      `${structured}.ReferredDocumentInformation[0].LineDetails[0]`,
      'x'.repeat(2049),
    ],
    [
      'an amount of a document with a fraction',
      'Invalid',
      `${structured}.ReferredDocumentAmount`,
      new LosslessNumber('1.5'),
    ],
    ['an invoicer of 257 characters', 'Invalid', `${structured}.Invoicer`, 'x'.repeat(257)],
    ['four additional lines', 'Invalid', `${structured}.AdditionalRemittanceInformation`, list(4, 'x')],
    ['eleven reports', 'Invalid', 'RegulatoryReporting', list(11, {})],
    ['a report of an unknown side', 'Invalid', `${report}.DebitCreditReportingIndicator`, 'NONE'],
    ['an authority of no country', 'Invalid', `${report}.Authority.CountryCode`, 'GBR'],
    ['a reported amount without currency', 'Missing', `${report}.Details[0].Amount`, { Amount: '1.00' }, '.Currency'],
    ['reported information of 36 characters', 'Invalid', `${report}.Details[0].Information[0]`, 'x'.repeat(36)],
  ])('refuses %s', (_, code, place, value, below = '') => {
    expect(summary(read(put(anItem(), place, value)).faults)).toEqual([`Field.${code} ${place}${below}`]);
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
