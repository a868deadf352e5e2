import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { type Initiation, readFileTerms } from '#libs/consent';
import { mostPayments, usualRules } from '#libs/obie-rules';
import { makeInstructionList } from '../../../test/support/make-instruction-list.js';
import { FaultList } from './fault-list.js';
import { mostBytesOf, parsePaymentFile } from './parse-payment-file.js';
import { readUploadedFile } from './read-uploaded-file.js';
import { readWholeFile, verifyStatedForAll } from './whole-file.js';

const FileType = 'UK.OBIE.PaymentInitiation.4.0';
const mostBytes = mostBytesOf(FileType);
const LEI = '529900T8BM49AURSDO55';
const owner = { Name: 'Octon Group', LEI, PostalAddress: { AddressType: 'BIZZ', Country: 'GB' } };
const agent = { SchemeName: 'UK.OBIE.BICFI', Identification: 'NWBKGB2L' };
const remittance = { Structured: [{ Invoicer: 'Octon' }], Unstructured: ['January', 'and February'] };

const anItem = (members: object = {}) => ({
  InstructionIdentification: 'PAYRUN-1',
  EndToEndIdentification: 'E2E-1',
  InstructedAmount: { Amount: '10.50', Currency: 'GBP' },
  CreditorAccount: {
    SchemeName: 'UK.OBIE.SortCodeAccountNumber',
    Identification: '20000112345678',
    Name: 'A Supplier Ltd',
  },
  ...members,
});

const initiationOf = (members: object, fileType = FileType) =>
  ({ FileType: fileType, FileHash: 'x', ...members }) as Initiation;

const listOf = (initiation: object, items: readonly object[]) =>
  makeInstructionList(
    { Data: { DomesticPayments: items } },
    { initiation, localInstrument: 'UK.OBIE.BalanceTransfer' },
  );

/** The paths at which payments contradict what the consent says of all of them. */
function contradictions(initiation: object, items: readonly object[]): (string | undefined)[] {
  const faults = new FaultList();
  const document = { Data: { DomesticPayments: items } };
  const terms = { fileType: FileType, consentInstrument: undefined, now: new Date(), faults };
  const file = parsePaymentFile({ document, ...terms });
  if (file !== undefined)
    verifyStatedForAll(file, { wholeFile: readWholeFile(initiationOf(initiation), faults), faults });
  return faults.items.map(({ path }) => path);
}

const documentsOf = (count: number) => {
  const LineDetails = [LEI.repeat(100), LEI.repeat(100)];
  const documents = Array.from({ length: count }, () => ({ Code: 'CINV', LineDetails }));
  return { RemittanceInformation: { Structured: [{ ReferredDocumentInformation: documents }] } };
};
const longAddress = {
  StreetName: 'S'.repeat(140),
  BuildingName: 'B'.repeat(140),
  TownName: 'T'.repeat(140),
  CareOf: 'C'.repeat(140),
  AddressLine: Array.from({ length: 7 }, () => '\u{20bb7}'.repeat(70)),
};

function upload(initiation: Initiation, payments: number, members: object = {}) {
  const document = { Data: { DomesticPayments: Array.from({ length: payments }, () => anItem(members)) } };
  const digest = createHash('sha256').update(JSON.stringify(document)).digest();
  const whole = { ...initiation, FileHash: digest.toString('base64') };
  const terms = readFileTerms(whole);
  return readUploadedFile({ digest, document, terms, initiation: whole, bank: usualRules, now: new Date() });
}

describe('what a 4.0 consent says of its whole file', () => {
  const parties = { UltimateDebtor: owner, CreditorAgent: agent };

  it('is said of each payment that says nothing of the kind', () => {
    const { list } = listOf(initiationOf({ ...parties, RemittanceInformation: remittance }), [anItem(), anItem()]);
    for (const payment of list.payments) {
      expect(payment).toMatchObject({
        ultimatePayer: { name: 'Octon Group', lei: LEI, postalAddress: { addressType: 'Business', country: 'GB' } },
        payeeAgent: { scheme: 'UK.OBIE.BICFI', identification: 'NWBKGB2L' },
        remittanceText: 'January and February',
        structuredRemittance: [{ invoicer: 'Octon' }],
      });
    }
  });

  it.each<[string, object]>([
    ['a reference', { Structured: [{ CreditorReferenceInformation: { Reference: 'R' } }] }],
    ['a text', { Unstructured: ['Mine'] }],
    ['a document', { Structured: [{ Invoicer: 'Other' }] }],
  ])('is not said of a payment that has a message of its own: %s', (_, own) => {
    const item = anItem({ RemittanceInformation: own });
    const [alone] = listOf(initiationOf({}), [item]).list.payments;
    const [among] = listOf(initiationOf({ RemittanceInformation: remittance }), [item]).list.payments;
    expect(among).toEqual(alone);
  });

  it.each<[string, object]>([
    ['the payer', { UltimateDebtor: owner }],
    ['the agent', { CreditorAgent: agent }],
    ['the message', { RemittanceInformation: { Unstructured: ['January'] } }],
    [
      'the reference',
      { RemittanceInformation: { Structured: [{ CreditorReferenceInformation: { Reference: 'R' } }] } },
    ],
    ['the document', { RemittanceInformation: { Structured: [{ Invoicer: 'Octon' }] } }],
  ])('is part of what an approval is bound to: %s', (_, members) => {
    const hashOf = (initiation: object) => listOf(initiation, [anItem()]).approvalHash.toString('hex');
    expect(hashOf(initiationOf(members))).not.toBe(hashOf(initiationOf({})));
    // As if the payment had said it itself.
    expect(hashOf(initiationOf(members))).toBe(
      listOf(initiationOf({}), [anItem(members)]).approvalHash.toString('hex'),
    );
  });

  it.each<[string, object, object, string[]]>([
    ['the same payer', { UltimateDebtor: owner }, { UltimateDebtor: { ...owner } }, []],
    ['no party', parties, {}, []],
    ['a party without members', parties, { UltimateDebtor: {} }, []],
    ['a payer where the consent names none', {}, { UltimateDebtor: owner }, []],
    ['another payer', parties, { UltimateDebtor: { Name: 'Other' } }, ['UltimateDebtor']],
    ['less of the payer', parties, { UltimateDebtor: { LEI } }, ['UltimateDebtor']],
    ['the same message', { RemittanceInformation: remittance }, { RemittanceInformation: remittance }, []],
    ['a message where the consent states none', {}, { RemittanceInformation: remittance }, []],
    [
      'another message',
      { RemittanceInformation: remittance },
      { RemittanceInformation: { Unstructured: ['Mine'] } },
      ['RemittanceInformation'],
    ],
    ['another agent', parties, { CreditorAgent: { ...agent, Identification: 'BUKBGB22' } }, ['CreditorAgent']],
  ])('must hold for every payment: %s', (_, initiation, members, expected) => {
    const at = expected.map((name) => `Data.DomesticPayments[1].${name}`);
    expect(contradictions(initiation, [anItem(), anItem(members)])).toEqual(at);
  });

  it('is refused with the file where it cannot be read, and nothing of it is left out', () => {
    const initiation = { UltimateDebtor: { SchemeName: 'Invented', Name: 'Octon' } };
    expect(contradictions(initiation, [anItem()])).toEqual(['Initiation.UltimateDebtor.SchemeName']);
    expect(() => listOf(initiationOf(initiation), [anItem()])).toThrow(TypeError);
  });

  it('is nothing in 3.1, where it describes the file alone', () => {
    const initiation = { RemittanceInformation: { Reference: 'PAYROLL', Unstructured: 'January' } };
    const { list } = listOf(initiationOf(initiation, 'UK.OBIE.PaymentInitiation.3.1'), [anItem()]);
    expect(list.payments[0]?.reference).toBeUndefined();
    expect(list.payments[0]?.remittanceText).toBeUndefined();
  });

  it.each<[string, object]>([
    ['its documents', documentsOf(4)],
    ['its payer and a document', { ...documentsOf(3), UltimateDebtor: { Name: 'P', PostalAddress: longAddress } }],
  ])('is written out for no more payments than the longest file has bytes for: %s', (_, members) => {
    const bytes = Buffer.byteLength(JSON.stringify(members));
    expect(bytes * mostPayments).toBeGreaterThan(mostBytes);
    const refusal = {
      path: 'Data.DomesticPayments',
      detail: expect.stringContaining('what the consent states for each'),
    };
    expect(upload(initiationOf(members), mostPayments)).toMatchObject({ faults: [refusal], count: 1 });

    const taken = upload(initiationOf(members), Math.floor((mostBytes * 0.8) / bytes));
    if ('faults' in taken) throw new Error(JSON.stringify(taken.faults));
    expect(Buffer.byteLength(taken.list.instructions)).toBeLessThan(mostBytes);
  });
});
