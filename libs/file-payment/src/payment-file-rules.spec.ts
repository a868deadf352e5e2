import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { LosslessNumber } from 'lossless-json';
import { type Initiation, readFileTerms } from '#libs/consent';
import type { Fault } from '#libs/error-catalogue';
import { usualRules } from '#libs/obie-rules';
import { put } from '../../../test/support/put.js';
import { FaultList } from './fault-list.js';
import { parsePaymentFile } from './parse-payment-file.js';
import { verifyFileAgainstConsent, verifyPaymentsAgainstConsent } from './verify-file-against-consent.js';

const now = new Date('2030-01-15T12:00:00Z');
const path = 'File.Data.DomesticPayments';

type Item = Record<string, unknown>;

const creditor = {
  SchemeName: 'UK.OBIE.SortCodeAccountNumber',
  Identification: '20000112345678',
  Name: 'A Supplier Ltd',
};

const anItem = (changes: Item = {}): Item => ({
  InstructionIdentification: 'PAYRUN-0001',
  InstructedAmount: { Amount: '120.50', Currency: 'GBP' },
  CreditorAccount: creditor,
  ...changes,
});

const list = { DomesticPayments: [anItem()] };

const onDay = (RequestedExecutionDateTime: string): Item => anItem({ RequestedExecutionDateTime });

const read = (items: unknown, consentInstrument?: 'UK.OBIE.FPS' | 'UK.OBIE.CHAPS') => {
  const list = new FaultList();
  const document = { File: { Data: { DomesticPayments: items } } };
  return {
    file: parsePaymentFile({ document, consentInstrument, now, faults: list }),
    faults: list.items,
    count: list.count,
  };
};

const summary = (faults: readonly Fault[]) => faults.map(({ code, path }) => `${code} ${path}`);

describe('what a scheme takes of one payment', () => {
  const withType = (LocalInstrument: string | undefined, Amount: string, payee = creditor) =>
    summary(
      read([anItem({ LocalInstrument, InstructedAmount: { Amount, Currency: 'GBP' }, CreditorAccount: payee })]).faults,
    );
  const german = { ...creditor, SchemeName: 'UK.OBIE.IBAN', Identification: 'DE89370400440532013000' };
  const amount = [`Field.Invalid ${path}[0].InstructedAmount.Amount`];
  const number = [`Unsupported.AccountIdentifier ${path}[0].CreditorAccount.Identification`];

  it.each([
    [undefined, '1000000.01', amount],
    ['UK.OBIE.FPS', '1000000.00', []],
    ['UK.OBIE.FPS', '1000000.01', amount],
    ['UK.OBIE.BACS', '20000000.00', []],
    ['UK.OBIE.BACS', '20000000.01', amount],
    ['UK.OBIE.CHAPS', '20000000.01', []],
    ['UK.OBIE.BalanceTransfer', '20000000.01', []],
  ])('%s of %s', (type, text, faults) => expect(withType(type, text)).toEqual(faults));

  it.each([
    [undefined, number],
    ['UK.OBIE.FPS', number],
    ['UK.OBIE.BACS', number],
    ['UK.OBIE.CHAPS', []],
  ])('%s to an account in Germany', (type, faults) => expect(withType(type, '1.00', german)).toEqual(faults));

  it('is that of the type of the consent, if the payment names none', () => {
    expect(summary(read([anItem({ CreditorAccount: german })], 'UK.OBIE.CHAPS').faults)).toEqual([]);
  });
});

const wallet = { SchemeName: 'UK.OBIE.Wallet', Identification: '+44 7700 900123', Name: 'Ann' };

describe.each(['UK.OBIE.PaymentInitiation.3.1', 'UK.OBIE.PaymentInitiation.4.0'])(
  'a wallet as a payee, %s',
  (fileType) => {
    const readFor = (item: Item, areWalletsPaid: boolean) => {
      const faults = new FaultList();
      const document = { Data: { DomesticPayments: [{ EndToEndIdentification: 'e', ...item }] } };
      const bank = { ...usualRules, areWalletsPaid };
      const file = parsePaymentFile({ document, fileType, consentInstrument: undefined, bank, now, faults });
      return { payee: file?.payments[0]?.creditorAccount, faults: summary(faults.items) };
    };
    const path = 'Data.DomesticPayments[0]';

    it('is accepted as sent if the bank pays to wallets', () => {
      expect(readFor(anItem({ CreditorAccount: wallet }), true)).toEqual({ payee: wallet, faults: [] });
    });

    it('is refused otherwise', () => {
      expect(readFor(anItem({ CreditorAccount: wallet }), false).faults).toEqual([
        `Unsupported.Scheme ${path}.CreditorAccount.SchemeName`,
      ]);
    });

    it('can have no roll number, and cannot be the debtor', () => {
      const CreditorAccount = { ...wallet, SecondaryIdentification: 'r' };
      expect(readFor(anItem({ CreditorAccount }), true).faults).toEqual([
        `Unsupported.AccountSecondaryIdentifier ${path}.CreditorAccount.SecondaryIdentification`,
      ]);
      expect(readFor(anItem({ DebtorAccount: wallet }), true).faults).toEqual([
        `Unsupported.Scheme ${path}.DebtorAccount.SchemeName`,
      ]);
    });
  },
);

describe('items of a payment file (the standard’s domestic payment)', () => {
  it.each<[string, Item]>([
    ['without EndToEndIdentification (FP-066)', anItem()],
    ['with 35 characters (FP-067)', anItem({ InstructionIdentification: 'x'.repeat(35) })],
    ['with an amount of one decimal (FP-070)', anItem({ InstructedAmount: { Amount: '10.5', Currency: 'GBP' } })],
    [
      'with two address lines (FP-073)',
      anItem({ CreditorPostalAddress: { AddressType: 'Business', Country: 'GB', AddressLine: ['a', 'b'] } }),
    ],
    [
      'in other scripts, with accents, apostrophes and combining marks',
      anItem({
        CreditorAccount: { ...creditor, Name: 'Zoë O’Brien-Łąki दिल्ली 株式会社 שלום e\u0301' },
        RemittanceInformation: { Reference: 'Größe 1', Unstructured: 'مرحبا' },
      }),
    ],
    ['dated today', anItem({ RequestedExecutionDateTime: '2030-01-15T00:00:00Z' })],
    ['with unknown members and a PaymentId of its own (FP-088)', anItem({ PaymentId: 'mine', Other: [1] })],
  ])('takes one %s', (_, item) => {
    expect(read([item])).toMatchObject({ faults: [], file: { payments: [{ currency: 'GBP' }] } });
  });

  it.each<[what: string, place: string, value: unknown, code?: string]>([
    ['FP-064', 'LocalInstrument', 'UK.OBIE.SWIFT', 'Unsupported.LocalInstrument'],
    ['FP-065', 'InstructionIdentification', undefined, 'Field.Missing'],
    ['FP-067', 'InstructionIdentification', 'x'.repeat(36)],
    ['FP-068', 'EndToEndIdentification', 'x'.repeat(36)],
    ['FP-069 amount', 'InstructedAmount', undefined, 'Field.Missing'],
    ['FP-069 currency', 'InstructedAmount.Currency', undefined, 'Field.Missing'],
    ['FP-070 number', 'InstructedAmount.Amount', new LosslessNumber('1.00')],
    ['FP-070 zero', 'InstructedAmount.Amount', '0.00'],
    ['fraction of a penny', 'InstructedAmount.Amount', '1.001'],
    ['FP-071 case', 'InstructedAmount.Currency', 'gbp'],
    ['FP-071 other', 'InstructedAmount.Currency', 'USD', 'Unsupported.Currency'],
    ['FP-072', 'CreditorAccount', undefined, 'Field.Missing'],
    ['FP-072 name', 'CreditorAccount.Name', undefined, 'Field.Missing'],
    ['FP-073', 'CreditorPostalAddress.AddressLine', ['a', 'b', 'c']],
    ['FP-073 length', 'CreditorPostalAddress.AddressLine[0]', 'x'.repeat(71)],
    ['FP-074 country', 'CreditorPostalAddress.Country', 'gb'],
    ['FP-074 type', 'CreditorPostalAddress.AddressType', 'Home'],
    ['FP-075 reference', 'RemittanceInformation.Reference', 'x'.repeat(36)],
    ['FP-075 text', 'RemittanceInformation.Unstructured', 'x'.repeat(141)],
    ['yesterday', 'RequestedExecutionDateTime', '2030-01-14T12:00:00Z', 'Field.InvalidDate'],
    ['a null', 'EndToEndIdentification', null],
  ])('names the member at fault: %s', (_, place, value, code = 'Field.Invalid') => {
    expect(summary(read([anItem(), put(anItem(), place, value)]).faults)).toEqual([`${code} ${path}[1].${place}`]);
  });

  it('lists the faults of all items at once, the first 100, and counts the rest', () => {
    const wrong = anItem({ InstructionIdentification: '', InstructedAmount: { Amount: 'x' } });
    const { faults, count } = read(Array.from({ length: 150 }, () => wrong));
    expect(count).toBe(450);
    expect(faults).toHaveLength(100);
    expect(faults[99]?.path).toBe(`${path}[33].InstructionIdentification`);
  });

  it.each([
    ['an empty list (FP-060)', [], path],
    ['151 items (FP-059)', Array.from({ length: 151 }, () => anItem()), path],
    ['no list', { 0: anItem() }, path],
    ['an item that is no object', ['x'], `${path}[0]`],
  ])('refuses %s', (_, items, expected) => {
    expect(summary(read(items).faults)).toEqual([`Field.Invalid ${expected}`]);
  });

  it.each<[Record<string, unknown>, string]>([
    [{}, 'File'],
    [{ File: {} }, 'File.Data.DomesticPayments'],
    [{ Data: {} }, 'Data.DomesticPayments'],
  ])('%j lacks %s (FP-052)', (document, expected) => {
    const faults = new FaultList();
    parsePaymentFile({ document, consentInstrument: undefined, now, faults });
    expect(summary(faults.items)).toEqual([`Field.Missing ${expected}`]);
  });

  it.each<[string, Record<string, unknown>]>([
    ['Data.DomesticPayments', { File: { Data: list }, Data: list }],
    ['Data.DomesticPayments', { File: list, Data: { DomesticPayments: null } }],
    ['DomesticPayments', { Data: list, ...list }],
    ['File.DomesticPayments', { File: { Data: list, ...list } }],
  ])('refuses a second list, %s, which would be neither shown nor paid', (expected, document) => {
    const faults = new FaultList();
    parsePaymentFile({ document, consentInstrument: undefined, now, faults });
    expect(summary(faults.items)).toEqual([`Field.Unexpected ${expected}`]);
  });

  it('accepts the bare document of the standard and the wrapper without Data (FP-051)', () => {
    for (const document of [{ Data: { DomesticPayments: [anItem()] } }, { File: { DomesticPayments: [anItem()] } }]) {
      const faults = new FaultList();
      expect(parsePaymentFile({ document, consentInstrument: undefined, now, faults })?.payments).toHaveLength(1);
      expect(faults.items).toEqual([]);
    }
  });
});

const debtor = { SchemeName: 'UK.OBIE.SortCodeAccountNumber', Identification: '20000112345678' };

describe('a file against its consent (Read/Write API 3.1.2, File Payment Consents)', () => {
  const digest = createHash('sha256').update('the bytes of the file').digest();
  const FileHash = digest.toString('base64');
  const verify = (items: Item[], initiation: Partial<Initiation>) => {
    const { file } = read(items, undefined);
    if (file === undefined) throw new Error('the file must be readable here');
    const terms = readFileTerms({ FileType: 'x', FileHash, ...initiation });
    const faults = new FaultList();
    verifyPaymentsAgainstConsent({ file, terms, faults });
    const contradictions = verifyFileAgainstConsent({ file, digest, terms }).map(({ term }) => term);
    return [...contradictions, ...summary(faults.items)];
  };

  it('agrees with it if every member does, the sum by value (FP-057)', () => {
    const items = ['0.10', '0.20'].map((Amount) => anItem({ InstructedAmount: { Amount, Currency: 'GBP' } }));
    expect(verify(items, { NumberOfTransactions: '02', ControlSum: new LosslessNumber('0.3') })).toEqual([]);
  });

  it('accepts a hash without padding (FP-014)', () => {
    expect(verify([anItem()], { FileHash: FileHash.slice(0, 43) })).toEqual([]);
  });

  it.each<[string, Partial<Initiation>, string]>([
    ['FP-053', { FileHash: `A${FileHash.slice(1)}` }, 'fileHash'],
    ['FP-055', { NumberOfTransactions: '2' }, 'numberOfPayments'],
    ['FP-056', { ControlSum: new LosslessNumber('120.51') }, 'controlSum'],
  ])('names what differs: %s', (_, initiation, expected) => {
    expect(verify([anItem()], initiation)).toEqual([expected]);
  });

  it.each<[string, Item[], Partial<Initiation>, string]>([
    [
      'FP-061',
      [anItem({ LocalInstrument: 'UK.OBIE.FPS' }), anItem({ LocalInstrument: 'UK.OBIE.BACS' })],
      {},
      '[1].LocalInstrument',
    ],
    ['FP-061 default', [anItem(), anItem({ LocalInstrument: 'UK.OBIE.BACS' })], {}, '[1].LocalInstrument'],
    [
      'FP-062',
      [anItem({ LocalInstrument: 'UK.OBIE.CHAPS' })],
      { LocalInstrument: 'UK.OBIE.FPS' },
      '[0].LocalInstrument',
    ],
    [
      'another debtor account',
      [anItem({ DebtorAccount: debtor })],
      { DebtorAccount: { ...debtor, Identification: '20000112345679' } },
      '[0].DebtorAccount',
    ],
    [
      'another roll number of the debtor account',
      [anItem({ DebtorAccount: { ...debtor, SecondaryIdentification: '1' } })],
      { DebtorAccount: { ...debtor, SecondaryIdentification: '2' } },
      '[0].DebtorAccount',
    ],
    [
      'another day',
      [anItem({ RequestedExecutionDateTime: '2030-01-20T00:00:00Z' })],
      { RequestedExecutionDateTime: '2030-01-21T00:00:00Z' },
      '[0].RequestedExecutionDateTime',
    ],
    ['no day after one with a day', [onDay('2030-01-20T00:00:00Z'), anItem()], {}, '[1].RequestedExecutionDateTime'],
    [
      'a day after one without',
      [anItem(), onDay('2030-01-20T00:00:00Z'), anItem()],
      {},
      '[1].RequestedExecutionDateTime',
    ],
    [
      'another day than the first',
      [onDay('2030-07-19T23:30:00Z'), onDay('2030-07-20T22:59:59Z'), onDay('2030-07-20T23:00:00Z')],
      {},
      '[2].RequestedExecutionDateTime',
    ],
  ])('names the item at fault: %s', (_, items, initiation, expected) => {
    expect(verify(items, initiation)).toEqual([`Field.Invalid ${path}${expected}`]);
  });

  it.each<[string, Item[], Partial<Initiation>]>([
    ['no item names a day', [anItem(), anItem()], {}],
    ['all items name one day in London', [onDay('2030-07-19T23:30:00Z'), onDay('2030-07-20T22:59:59Z')], {}],
    [
      'some name the day of the consent',
      [onDay('2030-01-20T00:00:00Z'), anItem()],
      { RequestedExecutionDateTime: '2030-01-20T12:00:00Z' },
    ],
    [
      'one account has either name of its scheme',
      [
        anItem({ DebtorAccount: { ...debtor, SchemeName: 'SortCodeAccountNumber' } }),
        anItem({ DebtorAccount: debtor }),
      ],
      { DebtorAccount: debtor },
    ],
    ['one has no date that can be read, which is a fault of its own', [onDay('tomorrow'), anItem(), anItem()], {}],
  ])('agrees where %s', (_, items, initiation) => {
    expect(verify(items, initiation)).toEqual([]);
  });

  it('reports every fault of a file whose items have faults too', () => {
    const items = [
      anItem({ LocalInstrument: 'UK.OBIE.SWIFT', InstructionIdentification: undefined }),
      anItem({ LocalInstrument: 'UK.OBIE.BACS', CreditorAccount: undefined }),
    ];
    const stated = { NumberOfTransactions: '3', ControlSum: new LosslessNumber('1'), LocalInstrument: 'UK.OBIE.FPS' };
    expect(verify(items, stated)).toEqual([
      'numberOfPayments',
      'controlSum',
      `Field.Invalid ${path}[1].LocalInstrument`,
    ]);
    // Without one of the amounts there is no sum to compare.
    expect(verify([...items, anItem({ InstructedAmount: {} })], stated)).toEqual([
      `Field.Invalid ${path}[1].LocalInstrument`,
    ]);
  });

  it('accepts items without a type if the consent names one (FP-063)', () => {
    expect(verify([anItem(), anItem()], { LocalInstrument: 'UK.OBIE.BACS' })).toEqual([]);
  });
});

describe('characters that are invisible or change the direction of text', () => {
  const hidden = [
    '\u200b',
    '\u200f',
    '\u202a',
    '\u202e',
    '\u2060',
    '\u2069',
    '\ufeff',
    '\u0007',
    '\u009f',
    '\ue000',
    '\ufdd0',
  ];
  const places: [string, (text: string) => Item][] = [
    ['CreditorAccount.Name', (Name) => anItem({ CreditorAccount: { ...creditor, Name } })],
    [
      'CreditorAccount.SecondaryIdentification',
      (text) => anItem({ CreditorAccount: { ...creditor, SecondaryIdentification: text } }),
    ],
    ['EndToEndIdentification', (EndToEndIdentification) => anItem({ EndToEndIdentification })],
    ['RemittanceInformation.Reference', (Reference) => anItem({ RemittanceInformation: { Reference } })],
    ['RemittanceInformation.Unstructured', (Unstructured) => anItem({ RemittanceInformation: { Unstructured } })],
    ['CreditorPostalAddress.TownName', (TownName) => anItem({ CreditorPostalAddress: { TownName } })],
    ['CreditorPostalAddress.AddressLine[1]', (line) => anItem({ CreditorPostalAddress: { AddressLine: ['a', line] } })],
  ];

  it.each(places)('are refused in %s, and named', (place, of) => {
    for (const character of hidden) {
      const { faults } = read([of(`MY${character}SAVINGS`)]);
      expect(summary(faults)).toEqual([`Field.Invalid ${path}[0].${place}`]);
      const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
      expect(faults[0]?.detail).toMatch(new RegExp(`must not contain U\\+${code}\\b`));
    }
  });

  it('do not affect the characters beside them', () => {
    for (const character of [
      '\u200a',
      '\u2010',
      '\u2019',
      '\u202f',
      '\u205f',
      '\u2070',
      '\ufefc',
      '\uff01',
      '\u0301',
    ]) {
      expect(read([places[0]?.[1](`a${character}b`)]).faults).toEqual([]);
    }
  });
});
