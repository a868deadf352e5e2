import { describe, expect, it } from '@jest/globals';
import type { BankPayment } from '#libs/bank';
import type { Initiation } from '#libs/consent';
import { checkPaymentFile } from '#libs/file-payment';
import { readInstructionList } from '#libs/payment-order';
import { anyBank, isText, type LocalInstrument, localInstruments, londonDay, parseJson } from '#libs/obie-rules';
import { domesticPaymentWire31, domesticPaymentWire40 } from '../support/apps/wires.js';
import {
  createPaymentApprovalPage,
  parsePaymentsToApprove,
  PageRenderer,
  createLook,
} from '../support/apps/customer-pages.js';
import { formatAccount } from '../support/apps/customer-words.js';
import { toBankBatch, toBankPayment } from '../support/apps/worker.js';
import { makeInstructionList } from '../support/make-instruction-list.js';
import { fc } from '../support/fast-check.js';

type Item = Readonly<Record<string, unknown>>;
const debtor = { schemeName: 'UK.OBIE.SortCodeAccountNumber', identification: '20000110000001', name: 'Octon Ltd' };
const calendar = { times: {}, holidays: [] };
const look = createLook('Bank', { colour: '#0b3d66' });
const renderer = new PageRenderer(look);
const { en: words } = look.wording;

const wires = [domesticPaymentWire31, domesticPaymentWire40];
const fileType40 = 'UK.OBIE.PaymentInitiation.4.0';

/** Takes a legal file to the customer's page and to the bank. */
function takeFile(items: readonly Item[], localInstrument: LocalInstrument, initiation: Partial<Initiation> = {}) {
  const body = Buffer.from(JSON.stringify({ File: { Data: { DomesticPayments: items } } }));
  expect(checkPaymentFile({ body, fileType: initiation.FileType, localInstrument, now: new Date() }).faults).toEqual(
    [],
  );
  const { instructions, approvalHash } = makeInstructionList(body, { initiation, localInstrument });
  return { page: showPage(instructions, approvalHash), ...handOver(instructions, approvalHash) };
}

/** The same for a single payment, as the API of a version reads it. */
function takeSingle(
  { read }: (typeof wires)[number],
  item: Item,
  LocalInstrument: LocalInstrument,
): ReturnType<typeof takeFile> {
  const body = JSON.stringify({ Data: { Initiation: { ...item, LocalInstrument } }, Risk: {} });
  const taken = read.consent(parseJson(Buffer.from(body)) as Item, new Date(), anyBank);
  if ('faults' in taken) throw new Error(JSON.stringify(taken.faults));
  const { instructions, approvalHash } = taken.consent.list!;
  return { page: showPage(instructions, approvalHash), ...handOver(instructions, approvalHash) };
}

function showPage(instructions: string, approvalHash: Buffer): string {
  const consent = {
    consentId: 'c',
    status: 'Consumed',
    expiresAt: new Date(),
    initiation: '{}',
    conditions: {},
    charges: '[]',
  };
  const session = {
    sessionId: 's',
    psuId: 'p',
    psuName: 'Carol',
    acr: 'a',
    authenticatedAt: new Date(),
    expiresAt: new Date(),
  };
  const content = createPaymentApprovalPage(words, {
    approver: { value: 'v', session } as never,
    request: { interactionId: 'i' } as never,
    accounts: [],
    payment: {
      filePaymentId: 'f',
      debtorAccount: debtor,
      clientName: 'TPP',
      orgName: 'TPP',
      orgId: 'O1',
      decisions: [],
      createdAt: new Date(),
    } as never,
    file: parsePaymentsToApprove({ ...consent, instructions, approvalHash }),
    outcome: undefined,
    isFraud: false,
    approvalSeconds: 60,
    calendar,
    today: londonDay(new Date()),
    order: 'Place',
    answers: {},
  });
  return renderer.render('payment-approval', () => content)({ language: 'en' });
}

function handOver(instructions: string, approvalHash: Buffer) {
  const list = readInstructionList({ instructions, approvalHash });
  const debtorAccount = { SchemeName: debtor.schemeName, Identification: debtor.identification };
  const waiting = list.payments.map((instruction, index) => ({ paymentId: String(index), instruction }));
  const approval = { approvalHash: Buffer.of(1), challengeIds: ['1'], approvedAt: new Date() };
  const due = { filePaymentId: 'f', consentId: 'c', psuId: 'p', debtorAccount, list, waiting, ...approval };
  return {
    batch: toBankBatch(due as never, calendar),
    payments: waiting.map((each) => toBankPayment(due as never, each, calendar)),
  };
}

/** The texts of each payment's row, or of the only payment, each where it begins and ends; its account, amount. */
function readRows(page: string): { texts: string[]; account: string; amount: string }[] {
  const single = [...page.matchAll(/<div id="payment(?:-texts)?">.*?<\/div>|<span class="amount">[^<]*</gs)].join('');
  const rows = /<tbody[^>]*>(.*?)<\/tbody>/s.exec(page)?.[1]?.split('<tr role="row">').slice(1) ?? [single];
  return rows.map((row) => ({
    texts: [...row.matchAll(/<bdi>(.*?)<\/bdi>/gs)].map(([, text = '']) => unescape(text)).sort(),
    account: /class="account">(?:<span[^>]*>)?([^<]*)</.exec(row)?.[1] ?? '',
    amount: unescape(/class="(?:number|amount)">([^<]*)</.exec(row)?.[1] ?? ''),
  }));
}

const characters: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
const unescape = (text: string): string =>
  text.replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => characters[name] ?? '');

/** Everything about a payment that goes to the bank and that a person reads as text. */
function textsOf({ creditorAccount, ...payment }: BankPayment): string[] {
  const { name, secondaryIdentification, proxy } = creditorAccount;
  // Each of these is shown in its own place, and what it says is compared there.
  const elsewhere = ['paymentId', 'filePaymentId', 'debtorAccount', 'amount', 'currency', 'localInstrument'];
  const others = Object.entries(payment).filter(
    ([member]) => !elsewhere.includes(member) && member !== 'requestedExecutionDate',
  );
  return textsIn([name, secondaryIdentification, proxy, others.map(([, value]) => value)]).sort();
}

/** Every text of a value, however deep. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

const text = (longest: number): fc.Arbitrary<string> =>
  fc
    .oneof(
      fc.string({ minLength: 1, maxLength: longest }),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: longest }),
      fc.string({
        unit: fc.constantFrom('é', '’', '&', '<', 'é', '株', 'א', '😀', 'a', ' '),
        minLength: longest,
        maxLength: longest,
      }),
    )
    .filter((value) => isText(value, longest) && !value.includes('\n'));

const address = fc.record(
  {
    AddressType: fc.constantFrom('Business', 'Postal'),
    Department: text(70),
    SubDepartment: text(70),
    StreetName: text(70),
    BuildingNumber: text(16),
    PostCode: text(16),
    TownName: text(35),
    CountrySubDivision: text(35),
    Country: fc.constantFrom('GB', 'FR'),
    AddressLine: fc.array(text(70), { maxLength: 2 }),
  },
  { requiredKeys: [] },
);

/** With what every scheme takes: accounts in the United Kingdom, and amounts up to that of FPS. */
const accounts = fc.oneof(
  fc.record({ SchemeName: fc.constant('SortCodeAccountNumber'), Identification: fc.stringMatching(/^[0-9]{14}$/) }),
  fc.constant({ SchemeName: 'UK.OBIE.IBAN', Identification: 'GB29NWBK60161331926819' }),
);

const amounts = fc.record({
  Amount: fc
    .integer({ min: 1, max: 10 ** 8 })
    .map((pence) => `${Math.floor(pence / 100)}.${String(pence % 100).padStart(2, '0')}`),
  Currency: fc.constant('GBP'),
});

const payment = fc.record(
  {
    InstructionIdentification: text(35),
    EndToEndIdentification: text(35),
    InstructedAmount: amounts,
    CreditorAccount: fc
      .tuple(accounts, fc.record({ Name: text(70), SecondaryIdentification: text(34) }, { requiredKeys: ['Name'] }))
      .map(([account, names]) => ({ ...account, ...names })),
    CreditorPostalAddress: address,
    RemittanceInformation: fc.record({ Unstructured: text(140), Reference: text(35) }, { requiredKeys: [] }),
  },
  { requiredKeys: ['InstructionIdentification', 'InstructedAmount', 'CreditorAccount'] },
);

const lei = fc.stringMatching(/^[A-Z0-9]{18}[0-9]{2}$/);
const country = fc.constantFrom('GB', 'FR');
const moment = fc.constantFrom('2026-11-20T00:00:00Z', '2026-11-20T12:30:00+01:00');
const money = fc.constantFrom('0.5', '12', '1234.56789');
const anyOf = <Members extends object>(members: { [Name in keyof Members]: fc.Arbitrary<Members[Name]> }) =>
  fc.record(members, { requiredKeys: [] });

const address7 = anyOf({
  AddressType: fc.constantFrom('BIZZ', 'DLVY', 'MLTO', 'PBOX', 'ADDR', 'HOME', 'CORR', 'STAT'),
  Department: text(70),
  SubDepartment: text(70),
  StreetName: text(140),
  BuildingNumber: text(16),
  BuildingName: text(140),
  Floor: text(70),
  UnitNumber: text(16),
  Room: text(70),
  PostBox: text(16),
  TownLocationName: text(140),
  DistrictName: text(140),
  CareOf: text(140),
  PostCode: text(16),
  TownName: text(140),
  CountrySubDivision: text(35),
  Country: country,
  AddressLine: fc.array(text(70), { maxLength: 7 }),
});

const ultimateParty = anyOf({
  Name: text(140),
  Identification: text(256),
  LEI: lei,
  SchemeName: fc.constantFrom('UK.OBIE.IBAN', 'UK.OBIE.Wallet'),
  PostalAddress: address7,
});

const structured = anyOf({
  ReferredDocumentInformation: fc.array(
    anyOf({
      Code: fc.constantFrom('CINV', 'PUOR'),
      Issuer: text(35),
      Number: text(35),
      RelatedDate: moment,
      LineDetails: fc.array(text(200), { maxLength: 3 }),
    }),
    { maxLength: 3 },
  ),
  ReferredDocumentAmount: money,
  CreditorReferenceInformation: anyOf({
    Code: fc.constantFrom('SCOR', 'RADM'),
    Issuer: text(35),
    Reference: text(35),
  }),
  Invoicer: text(256),
  Invoicee: text(256),
  TaxRemittance: text(140),
  AdditionalRemittanceInformation: fc.array(text(140), { maxLength: 3 }),
});

const report = anyOf({
  DebitCreditReportingIndicator: fc.constantFrom('CRED', 'DEBT', 'BOTH'),
  Authority: anyOf({ Name: text(140), CountryCode: country }),
  Details: fc.array(
    anyOf({
      Type: text(35),
      Date: moment,
      Country: country,
      Amount: fc.record({ Amount: money, Currency: fc.constantFrom('GBP', 'EUR') }),
      Information: fc.array(text(35), { maxLength: 3 }),
    }),
    { maxLength: 3 },
  ),
});

const payment40 = fc.record(
  {
    InstructionIdentification: text(35),
    EndToEndIdentification: text(35),
    InstructedAmount: amounts,
    CreditorAccount: fc
      .tuple(
        accounts,
        fc.record(
          {
            Name: text(350),
            SecondaryIdentification: text(34),
            Proxy: fc.record(
              { Identification: text(2048), Code: fc.constantFrom('MBNO', 'EMAL'), Type: text(35) },
              { requiredKeys: ['Identification', 'Code'] },
            ),
          },
          { requiredKeys: ['Name'] },
        ),
      )
      .map(([account, names]) => ({ ...account, ...names })),
    CreditorPostalAddress: address7,
    CreditorAgent: anyOf({
      SchemeName: fc.constant('UK.OBIE.BICFI'),
      Identification: text(35),
      Name: text(140),
      LEI: lei,
      PostalAddress: address7,
    }),
    UltimateCreditor: ultimateParty,
    UltimateDebtor: ultimateParty,
    RegulatoryReporting: fc.array(report, { maxLength: 3 }),
    RemittanceInformation: anyOf({
      Unstructured: fc.array(text(140), { maxLength: 3 }),
      Structured: fc.array(structured, { maxLength: 3 }),
    }),
    SupplementaryData: fc.constant({ Anything: true }),
  },
  { requiredKeys: ['InstructionIdentification', 'EndToEndIdentification', 'InstructedAmount', 'CreditorAccount'] },
);

const day = fc.option(fc.constantFrom('2100-01-07', '2100-07-08'), { nil: undefined });

const anItem = (members: Item = {}, account: Item = {}): Item => ({
  InstructionIdentification: 'I',
  InstructedAmount: { Amount: '1.00', Currency: 'GBP' },
  CreditorAccount: {
    SchemeName: 'UK.OBIE.SortCodeAccountNumber',
    Identification: '20000112345678',
    Name: 'C',
    ...account,
  },
  ...members,
});

const files = <Item>(item: fc.Arbitrary<Item>) =>
  fc.record({
    items: fc.array(item, { minLength: 1, maxLength: 4 }),
    localInstrument: fc.constantFrom(...localInstruments),
    onDay: day,
  });

function expectSame({ page, batch, payments }: ReturnType<typeof takeFile>, onDay: string | undefined): void {
  expect(readRows(page)).toEqual(
    payments.map((paid) => ({
      texts: textsOf(paid),
      account: formatAccount(words, paid.creditorAccount.schemeName, paid.creditorAccount.identification),
      amount: words.money(paid.amount, paid.currency),
    })),
  );
  for (const paid of [batch, ...payments]) expect(paid.requestedExecutionDate).toBe(onDay);
  expect(page).toContain(`<dt>Payment date</dt><dd>${onDay ? words.dayOf(onDay) : 'As soon as possible'}</dd>`);
  expect(page).toContain(`<span class="amount">${words.money(batch.total, batch.currency)}</span>`);
}

/**
 * Every text of a 4.0 item that is not only for the service, except the lines of its message, which become one, and the
 * types of its addresses.
 */
function textsToTell(item: Parameters<Parameters<typeof payment40.map>[0]>[0]): string[] {
  const { EndToEndIdentification, CreditorAccount, RemittanceInformation, CreditorPostalAddress } = item;
  const { Name, SecondaryIdentification, Proxy } = CreditorAccount;
  const { CreditorAgent, UltimateCreditor, UltimateDebtor, RegulatoryReporting } = item;
  const payee = [Name, SecondaryIdentification, Proxy, CreditorPostalAddress, CreditorAgent];
  const others = [EndToEndIdentification, UltimateCreditor, UltimateDebtor, RegulatoryReporting];
  const kinds = ['BIZZ', 'DLVY', 'MLTO', 'PBOX', 'ADDR', 'HOME', 'CORR', 'STAT'];
  return textsIn([payee, others, RemittanceInformation?.Structured]).filter((said) => !kinds.includes(said));
}

describe('what a customer sees and what the bank is told', () => {
  it('are the same, of any legal file: every text, account, amount and day', () => {
    fc.assert(
      fc.property(files(payment), ({ items, localInstrument, onDay }) => {
        const RequestedExecutionDateTime = onDay && `${onDay}T12:00:00Z`;
        const dated = items.map((item) => ({ ...item, RequestedExecutionDateTime }));
        expectSame(takeFile(dated, localInstrument), onDay);
      }),
      { numRuns: 150 },
    );
  });

  it.each(wires)('are the same of any legal single payment in $version', (wire) => {
    const single: fc.Arbitrary<Item> =
      wire.version === '4.0' ? payment40 : payment.map((item) => ({ EndToEndIdentification: 'E', ...item }));
    fc.assert(
      fc.property(single, fc.constantFrom(...localInstruments), (item, localInstrument) =>
        expectSame(takeSingle(wire, item, localInstrument), undefined),
      ),
      { numRuns: 100 },
    );
  });

  it('are the same of any legal 4.0 file, whose consent names the day', () => {
    fc.assert(
      fc.property(files(payment40), ({ items, localInstrument, onDay }) => {
        const RequestedExecutionDateTime = onDay && `${onDay}T12:00:00Z`;
        expectSame(takeFile(items, localInstrument, { FileType: fileType40, RequestedExecutionDateTime }), onDay);
      }),
      { numRuns: 150 },
    );
  });

  it('have every text of a 4.0 file that no scheme shortens', () => {
    fc.assert(
      fc.property(fc.array(payment40, { minLength: 1, maxLength: 2 }), (items) => {
        const { payments } = takeFile(items, 'UK.OBIE.BalanceTransfer', { FileType: fileType40 });
        for (const [index, item] of items.entries()) {
          const told = new Set(textsOf(payments[index]!));
          expect(textsToTell(item).filter((said) => !told.has(said))).toEqual([]);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('have every text that a 4.0 consent says of all payments, with each of them', () => {
    const ofAll = fc.record({
      UltimateDebtor: ultimateParty,
      CreditorAgent: anyOf({ Name: text(140), LEI: lei, PostalAddress: address7 }),
      RemittanceInformation: anyOf({ Structured: fc.array(structured, { maxLength: 3 }) }),
    });
    fc.assert(
      fc.property(payment40, ofAll, (item, initiation) => {
        const { UltimateDebtor: _1, CreditorAgent: _2, RemittanceInformation: _3, ...less } = item;
        const taken = takeFile([less, less], 'UK.OBIE.BalanceTransfer', {
          FileType: fileType40,
          ...initiation,
        });
        expectSame(taken, undefined);
        const toTell = textsToTell({ ...less, ...initiation });
        for (const paid of taken.payments) {
          const told = new Set(textsOf(paid));
          expect(toTell.filter((said) => !told.has(said))).toEqual([]);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('have a roll number as part of the account, and as the reference whose place it takes', () => {
    const item = anItem(
      { RemittanceInformation: { Reference: 'MY SAVINGS' } },
      { SecondaryIdentification: '9999/MALLORY' },
    );
    const { page, payments } = takeFile([item], 'UK.OBIE.FPS');
    expect(payments[0]).toMatchObject({ reference: '9999/MALLORY' });
    expect(page).toContain('Roll number <bdi>9999/MALLORY</bdi>');
    expect(page).toContain('The roll number replaces the reference.');
    expect(page).not.toContain('MY SAVINGS');
  });

  it('have the message beside the reference', () => {
    const { page } = takeFile(
      [anItem({ RemittanceInformation: { Reference: 'R', Unstructured: 'To M' } })],
      'UK.OBIE.FPS',
    );
    expect(page).toContain('<bdi>R</bdi>');
    expect(page).toContain('Message <bdi>To M</bdi>');
  });

  it('have as much of a reference as the scheme carries', () => {
    const Reference = '123456789012345678 and 16 more cut.';
    const { page, payments } = takeFile([anItem({ RemittanceInformation: { Reference } })], 'UK.OBIE.FPS');
    expect(payments[0]).toMatchObject({ reference: '123456789012345678' });
    expect(page).toContain('<bdi>123456789012345678</bdi>');
    expect(page).not.toContain('cut.');
    expect(page).toContain('Shortened for Faster Payments: reference.');
  });
});
