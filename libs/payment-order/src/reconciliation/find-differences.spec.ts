import { describe, expect, it } from '@jest/globals';
import { parseAmount, type PaymentStatus } from '#libs/obie-rules';
import type { BankBook, BookedPayment, OwnBook } from './books.js';
import { areSame, commonTo, differenceKinds } from './difference.js';
import { findDifferences, findUnknown } from './find-differences.js';

const now = new Date('2030-01-15T12:00:00Z');
const before = (seconds: number): Date => new Date(now.getTime() - seconds * 1_000);
const good = 'AcceptedCreditSettlementCompleted';
const filePayment = {
  filePaymentId: 'F',
  status: 'InitiationCompleted',
  statusUpdatedAt: before(120),
  isReserved: true,
  isInProgress: false,
  isDueTooLate: false,
} as const;

const aPayment = (position: number, changes: Partial<BookedPayment> = {}): BookedPayment => ({
  paymentId: `P${position}`,
  position,
  expectedId: `P${position}`,
  status: good,
  amount: parseAmount('1.10') ?? 0n,
  handedOverAt: before(120),
  ...changes,
});

/** Two payments of 1.10, made; the test says what is different. */
const anOwnBook = (changes: Partial<OwnBook> = {}): OwnBook => ({
  consentId: 'C',
  clientId: 'T',
  readAt: now,
  kind: 'file-payment',
  consentStatus: 'Consumed',
  numberOfPayments: 2,
  sum: parseAmount('2.20') ?? 0n,
  hashes: { stored: 'aa', taken: 'aa', approved: 'aa' },
  approvals: { received: 2, recorded: 2 },
  filePayment,
  payments: [aPayment(0), aPayment(1)],
  known: { differences: [], isAcknowledged: false },
  ...changes,
});

const atBank = (position: number, changes: Partial<BankBook['payments'][number]> = {}) => ({
  paymentId: `P${position}`,
  amount: '1.1',
  currency: 'GBP',
  status: good as PaymentStatus,
  ...changes,
});
const aBank = (payments = [atBank(1), atBank(0)], decision: BankBook['decision'] = 'Accepted'): BankBook => ({
  decision,
  payments,
});
const find = (own: Partial<OwnBook>, bank: BankBook | undefined = undefined) =>
  findDifferences({ own: anOwnBook(own), bank });

const isMade = (status: PaymentStatus) => status === good || status === 'AcceptedWithoutPosting';
const rejected = { status: 'Rejected', handedOverAt: undefined } as const;
const waiting = { status: 'Pending', handedOverAt: undefined } as const;
const inProgress = { ...filePayment, status: 'InitiationPending', isInProgress: true } as const;
const held = { ...filePayment, status: 'InitiationPending' } as const;
const failed = { ...filePayment, status: 'InitiationFailed', isReserved: false } as const;

describe('comparing what this service has with itself', () => {
  it('finds nothing if everything agrees', () => {
    expect(find({})).toEqual([]);
    expect(find({}, aBank())).toEqual([]);
  });

  it('finds a Consumed consent without file payment, and nothing of one that is not Consumed', () => {
    const without = { filePayment: undefined, payments: [] };
    expect(find(without)).toEqual([{ kind: 'ConsentWithoutPayment' }]);
    expect(find({ ...without, consentStatus: 'Authorised' })).toEqual([]);
  });

  it('finds a file payment whose consent was not consumed', () => {
    expect(find({ consentStatus: 'Rejected' })).toEqual([
      { kind: 'PaymentWithoutConsent', expected: 'Consumed', found: 'Rejected' },
    ]);
  });

  it('finds a file that is completed without any of its payments', () => {
    expect(find({ payments: [] })).toEqual([
      { kind: 'PaymentsMissing', expected: '2', found: '0' },
      { kind: 'SumDiffers', expected: '2.20', found: '0.00' },
    ]);
  });

  it('finds payments that the file does not have', () => {
    const payments = [aPayment(0), aPayment(1), aPayment(2)];
    expect(find({ payments }).map(({ kind }) => kind)).toEqual(['PaymentsSurplus', 'PositionsBroken', 'SumDiffers']);
  });

  it.each<[string, Partial<BookedPayment>]>([
    ['a place outside of the file', { position: 2 }],
    ['a place before the file', { position: -1 }],
    ['another id than its place has', { paymentId: 'X' }],
  ])('finds a payment with %s', (_title, changes) => {
    const payments = [aPayment(0), aPayment(1, changes)];
    expect(find({ payments })).toMatchObject([{ kind: 'PositionsBroken', expected: 'P1' }]);
  });

  it('finds a different sum, to the last decimal', () => {
    const payments = [aPayment(0), aPayment(1, { amount: parseAmount('1.10001') ?? 0n })];
    expect(find({ payments })).toEqual([{ kind: 'SumDiffers', expected: '2.20', found: '2.20001' }]);
  });

  it.each<[OwnBook['hashes'], string[]]>([
    [{ stored: 'aa', taken: 'aa', approved: 'bb' }, ['bb', 'aa']],
    [{ stored: 'bb', taken: 'aa', approved: 'aa' }, ['aa', 'bb']],
    [{ stored: 'bb', taken: 'aa' }, ['aa', 'bb']],
    [{ taken: 'aa', approved: 'bb' }, ['bb', 'erased']],
    [{ stored: 'aa', taken: 'aa' }, []],
    [{ taken: 'aa', approved: 'aa' }, []],
    [{}, []],
  ])('of the hashes %j: expected and found are %j', (hashes, [expected, found]) => {
    expect(find({ hashes })).toEqual(expected === undefined ? [] : [{ kind: 'HashDiffers', expected, found }]);
  });

  it('finds open payments of a completed file, and none that are Rejected or handed over', () => {
    const payments = [aPayment(0, waiting), aPayment(1, rejected)];
    expect(find({ payments })).toEqual([{ kind: 'CompletedWithOpenPayment', paymentId: 'P0', found: 'Pending' }]);
    expect(find({ payments, filePayment: inProgress })).toEqual([]);
  });

  it('finds payments of a failed file that are not Rejected, or were handed over', () => {
    const payments = [aPayment(0, rejected), aPayment(1, waiting)];
    expect(find({ payments, filePayment: failed })).toEqual([
      { kind: 'FailedWithPayment', paymentId: 'P1', expected: 'Rejected', found: 'Pending' },
    ]);
    const handedOver = [aPayment(0, rejected), aPayment(1, { status: 'Rejected' })];
    expect(find({ payments: handedOver, filePayment: failed })).toMatchObject([{ paymentId: 'P1' }]);
  });
});

describe("comparing with the bank's book", () => {
  it('finds a payment that was handed over and is missing at the bank, once the bank had time to show it', () => {
    expect(find({}, aBank([atBank(0)]))).toEqual([
      { kind: 'PaymentNotAtBank', paymentId: 'P1', expected: good, found: 'none' },
    ]);
    const recent = [aPayment(0), aPayment(1, { handedOverAt: before(59) })];
    expect(find({ payments: recent }, aBank([atBank(0)]))).toEqual([]);
  });

  it('does not miss payments that the bank refused', () => {
    expect(find({ payments: [aPayment(0), aPayment(1, { status: 'Rejected' })] }, aBank([atBank(0)]))).toEqual([]);
  });

  it('finds what was paid although it is Rejected here: an operator had ended the file, and a worker went on', () => {
    const payments = [aPayment(0), aPayment(1, rejected)];
    expect(find({ payments }, aBank())).toEqual([
      { kind: 'PaymentOnlyAtBank', paymentId: 'P1', expected: 'Rejected', found: good },
    ]);
    expect(find({ payments }, aBank([atBank(0), atBank(1, { status: 'Rejected' })]))).toEqual([]);
  });

  it('finds what the bank has of a held file, and nothing while a worker continues with it', () => {
    const payments = [aPayment(0), aPayment(1, waiting)];
    expect(find({ payments, filePayment: held }, aBank())).toMatchObject([
      { kind: 'PaymentOnlyAtBank', paymentId: 'P1' },
    ]);
    expect(find({ payments, filePayment: inProgress }, aBank())).toEqual([]);
  });

  it('finds payments that are unknown here, whether or not a worker is active', () => {
    const bank = aBank([atBank(0), atBank(1), atBank(2)]);
    for (const each of [filePayment, inProgress]) {
      expect(find({ filePayment: each }, bank)).toEqual([
        { kind: 'PaymentOnlyAtBank', paymentId: 'P2', expected: 'none', found: good },
      ]);
    }
  });

  it('finds a payment that left the bank twice', () => {
    expect(find({}, aBank([atBank(0), atBank(1), atBank(1)]))).toEqual([
      { kind: 'PaymentTwiceAtBank', paymentId: 'P1' },
    ]);
  });

  it.each([{ amount: '1.11' }, { amount: '1.10001' }, { amount: '110' }, { currency: 'EUR' }])(
    'finds another amount: %j',
    (changes) => {
      expect(find({}, aBank([atBank(0), atBank(1, changes)]))).toEqual([
        { kind: 'AmountDiffers', paymentId: 'P1', expected: '1.10', found: expect.any(String) },
      ]);
    },
  );

  it('treats different decimals of the same value as the same amount', () => {
    expect(find({}, aBank([atBank(0, { amount: '1.10000' }), atBank(1)]))).toEqual([]);
  });

  const states: PaymentStatus[] = [
    'Pending',
    'AcceptedSettlementInProcess',
    good,
    'AcceptedWithoutPosting',
    'Rejected',
  ];
  const pairs = states.flatMap((here) => states.map((there): [PaymentStatus, PaymentStatus] => [here, there]));
  it.each(pairs)(
    '%s here and %s there: a contradiction only where one is Rejected and the other made',
    (here, there) => {
      const payments = [aPayment(0), aPayment(1, { status: here })];
      const isContradiction = (here === 'Rejected' && isMade(there)) || (there === 'Rejected' && isMade(here));
      expect(find({ payments }, aBank([atBank(0), atBank(1, { status: there })]))).toEqual(
        isContradiction ? [{ kind: 'StateContradicts', paymentId: 'P1', expected: here, found: there }] : [],
      );
    },
  );

  it('finds a reservation that is unknown to the bank', () => {
    for (const decision of ['Refused', 'Unknown'] as const) {
      expect(find({}, aBank(undefined, decision))).toEqual([
        { kind: 'NotReservedAtBank', expected: 'Accepted', found: decision },
      ]);
    }
    const payments = [aPayment(0, rejected), aPayment(1, rejected)];
    expect(find({ filePayment: failed, payments }, aBank([], 'Refused'))).toEqual([]);
    expect(find({ filePayment: failed, payments }, aBank([], 'Unknown'))).toEqual([]);
  });

  it('returns the same order, whatever the order of the bank', () => {
    const bank = [atBank(1, { amount: '2' }), atBank(0, { amount: '3' })];
    expect(areSame(find({}, aBank(bank)), find({}, aBank(bank.toReversed())))).toBe(true);
    const one = find({}, aBank(bank));
    expect(areSame(one, find({}, aBank([atBank(1, { amount: '2' }), atBank(0, { amount: '4' })])))).toBe(false);
    expect(commonTo(one, find({}, aBank([atBank(1, { amount: '2' }), atBank(0)])))).toMatchObject([
      { paymentId: 'P1' },
    ]);
  });

  it('names each kind once', () => {
    expect(new Set(differenceKinds).size).toBe(differenceKinds.length);
  });
});

describe('a file payment of the bank that is unknown here', () => {
  const kind = 'PaymentOnlyAtBank';

  it('is a difference for each of its payments', () => {
    expect(findUnknown(aBank())).toEqual([
      { kind, paymentId: 'P1', expected: 'none', found: good },
      { kind, paymentId: 'P0', expected: 'none', found: good },
    ]);
  });

  it('is one difference where the bank has only reserved its money', () => {
    expect(findUnknown(aBank([]))).toEqual([{ kind, expected: 'none', found: 'Accepted' }]);
  });

  it.each(['Refused', 'Unknown'] as const)('is none where nothing was made: the bank says %s', (decision) => {
    expect(findUnknown({ decision, payments: [] })).toEqual([]);
  });
});
