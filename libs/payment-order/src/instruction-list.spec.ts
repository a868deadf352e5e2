import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { makeInstructionList } from '../../../test/support/make-instruction-list.js';
import { NewerInstructionsError, parseInstructionList, writeInstructionList } from './instruction-list.js';

const account = {
  SchemeName: 'UK.OBIE.SortCodeAccountNumber',
  Identification: '20000112345678',
  Name: 'A Supplier Ltd',
};
const item = {
  InstructionIdentification: 'PAYRUN-1',
  InstructedAmount: { Amount: '10.50', Currency: 'GBP' },
  CreditorAccount: account,
};

const listOf = (items: readonly object[], requestedDay?: string) =>
  makeInstructionList({ Data: { DomesticPayments: items } }, requestedDay === undefined ? {} : { requestedDay }).list;

function listOf40(members: object) {
  const document = { Data: { DomesticPayments: [{ ...item, EndToEndIdentification: 'E', ...members }] } };
  return makeInstructionList(document, { initiation: { FileType: 'UK.OBIE.PaymentInitiation.4.0' } }).list;
}

describe('the instruction list of a file', () => {
  it('contains everything that the bank will get about each payment', () => {
    const full = {
      ...item,
      EndToEndIdentification: 'E2E-1',
      RequestedExecutionDateTime: '2030-07-31T23:30:00+00:00',
      CreditorAccount: { ...account, SecondaryIdentification: '9999/MALLORY' },
      CreditorPostalAddress: { PostCode: 'AB1 2CD', AddressLine: ['1 High Street'], Unknown: 'left out' },
      RemittanceInformation: { Reference: 'MY SAVINGS', Unstructured: 'Invoice 1' },
    };
    const list = listOf([full, item]);
    expect(list).toEqual({
      version: 1,
      localInstrument: 'UK.OBIE.FPS',
      currency: 'GBP',
      total: '21.00',
      payments: [
        {
          payeeName: 'A Supplier Ltd',
          payeeAccount: {
            scheme: account.SchemeName,
            identification: account.Identification,
            secondaryIdentification: '9999/MALLORY',
          },
          amount: '10.50',
          reference: '9999/MALLORY',
          isReferenceRollNumber: true,
          remittanceText: 'Invoice 1',
          endToEndIdentification: 'E2E-1',
          postalAddress: { postCode: 'AB1 2CD', addressLine: ['1 High Street'] },
          // Half past midnight in London.
          requestedDay: '2030-08-01',
        },
        {
          payeeName: 'A Supplier Ltd',
          payeeAccount: { scheme: account.SchemeName, identification: account.Identification },
          amount: '10.50',
        },
      ],
    });
  });

  it('gives payments without a day the day of the consent', () => {
    expect(listOf([item], '2030-01-07').payments[0]?.requestedDay).toBe('2030-01-07');
  });

  it('names the account that a payment of the file names', () => {
    const debtor = { SchemeName: 'IBAN', Identification: 'GB33BUKB20201555555555' };
    expect(listOf([item, { ...item, DebtorAccount: debtor }]).requestedAccount).toEqual({
      scheme: 'UK.OBIE.IBAN',
      identification: debtor.Identification,
    });
  });

  it('is written as one text, whose SHA-256 an approval is bound to', () => {
    const { CreditorAccount, ...rest } = item;
    const list = listOf([item, item]);
    const written = writeInstructionList(list);
    expect(JSON.parse(written.instructions)).toEqual(JSON.parse(JSON.stringify(list)));
    expect(written.approvalHash).toEqual(createHash('sha256').update(written.instructions, 'utf8').digest());
    expect(written.amounts).toBe('{10.50,10.50}');
    // The order of members in the file does not matter.
    expect(writeInstructionList(listOf([item, { CreditorAccount, ...rest }])).instructions).toBe(written.instructions);
  });

  it('has a different hash for anything else that the bank would get', () => {
    const one = writeInstructionList(listOf([item]));
    const others = [
      { ...item, CreditorAccount: { ...account, Name: 'Another Ltd' } },
      { ...item, CreditorAccount: { ...account, Identification: '20000112345679' } },
      { ...item, CreditorAccount: { ...account, SecondaryIdentification: '1' } },
      { ...item, InstructedAmount: { Amount: '10.51', Currency: 'GBP' } },
      { ...item, RemittanceInformation: { Reference: 'A' } },
      { ...item, RemittanceInformation: { Unstructured: 'A' } },
      { ...item, EndToEndIdentification: 'A' },
      { ...item, CreditorPostalAddress: { TownName: 'A' } },
      { ...item, RequestedExecutionDateTime: '2030-01-07T00:00:00+00:00' },
    ].map((other) => writeInstructionList(listOf([other])));
    const hashes = [one, ...others].map(({ approvalHash }) => approvalHash.toString('hex'));
    expect(new Set(hashes).size).toBe(hashes.length);
  });
});

describe('the instruction list of a 4.0 file', () => {
  const agent = { SchemeName: 'UK.OBIE.BICFI', Identification: 'NWBKGB2L' };
  const report = { DebitCreditReportingIndicator: 'BOTH' };
  const proxied = { ...account, Proxy: { Identification: '1', Code: 'MBNO' } };
  const newer: [string, object][] = [
    ['a proxy', { CreditorAccount: proxied }],
    ['another proxy', { CreditorAccount: { ...account, Proxy: { ...proxied.Proxy, Code: 'TELE' } } }],
    ['an agent', { CreditorAgent: agent }],
    ['the agent of another name', { CreditorAgent: { ...agent, Name: 'A' } }],
    ['an ultimate creditor', { UltimateCreditor: { Name: 'A' } }],
    ['an ultimate debtor', { UltimateDebtor: { Name: 'A' } }],
    ['an address with a member of OBPostalAddress7', { CreditorPostalAddress: { CareOf: 'A' } }],
    ['structured remittance', { RemittanceInformation: { Structured: [{ Invoicer: 'A' }] } }],
    ['reporting', { RegulatoryReporting: [report] }],
  ];

  it('is the same list as that of a 3.1 file with the same content', () => {
    const CreditorReferenceInformation = { Reference: 'R' };
    const of40 = listOf40({
      CreditorPostalAddress: { AddressType: 'CORR', TownName: 'T' },
      RemittanceInformation: { Structured: [{ CreditorReferenceInformation }], Unstructured: ['U'] },
    });
    const of31 = listOf([
      {
        ...item,
        EndToEndIdentification: 'E',
        CreditorPostalAddress: { AddressType: 'Correspondence', TownName: 'T' },
        RemittanceInformation: { Reference: 'R', Unstructured: 'U' },
      },
    ]);
    expect(writeInstructionList(of40)).toEqual(writeInstructionList(of31));
  });

  it('has a different hash for each further value that the bank would get', () => {
    const texts = newer.map(([, members]) => writeInstructionList(listOf40(members)).approvalHash.toString('hex'));
    expect(new Set(texts).size).toBe(newer.length);
  });

  it.each(newer)('with %s can be read again', (_, members) => {
    const list = listOf40(members);
    expect(parseInstructionList(writeInstructionList(list).instructions)).toEqual(JSON.parse(JSON.stringify(list)));
  });

  it('of a future version is refused', () => {
    expect(() => parseInstructionList('{"version":2,"payments":[]}')).toThrow(NewerInstructionsError);
  });
});
