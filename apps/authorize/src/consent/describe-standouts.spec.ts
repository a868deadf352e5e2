import { describe, expect, it } from '@jest/globals';
import type { NameCheck } from '#libs/bank';
import { findStandouts, type ListedPayment } from '#libs/payment-order';
import { createWording } from '../wording/wording.js';
import { describeStandouts } from './describe-standouts.js';
import type { PayeeAnswers } from './payee-answers.service.js';

const { en: words } = createWording();

function describeFile(
  count: number,
  others: Readonly<Record<number, Partial<ListedPayment>>>,
  answers: PayeeAnswers = {},
) {
  const payments = Array.from({ length: count }, (_, place): ListedPayment => ({
    payeeName: `Supplier ${place}`,
    payeeAccount: account(place),
    amount: '400.00',
    reference: `INV-${place}`,
    ...others[place],
  }));
  return describeStandouts({ payments, currency: 'GBP', found: findStandouts({ payments }), answers, words });
}

const account = (place: number, rollNumber?: string) => ({
  scheme: 'UK.OBIE.SortCodeAccountNumber',
  identification: String(20_000_010_000_000 + place),
  ...(rollNumber !== undefined && { secondaryIdentification: rollNumber }),
});
const all = (count: number, of: (place: number) => Partial<ListedPayment>) =>
  Object.fromEntries(Array.from({ length: count }, (_, place) => [place, of(place)]));

describe('what the bank says about the payee of a single payment', () => {
  it.each([
    ['Match', [], ['The name matches the account.']],
    ['NoMatch', ['The name does not match the account.'], []],
    ['Unavailable', ['The name could not be checked.'], []],
  ] as const)('%s', (match, texts, facts) => {
    const described = describeFile(1, {}, { names: [{ match }] });
    expect(described.standouts.flatMap((standout) => standout.texts)).toEqual(texts);
    expect(described.facts).toEqual(facts);
  });

  it('is in the singular if the bank does not answer', () => {
    const { facts } = describeFile(1, {}, { names: 'Unavailable', known: 'Unavailable' });
    expect(facts[0]).toMatch(/the payee’s bank. Make sure you know this account/);
    expect(facts[1]).toBe('We could not find out whether you have paid this payee before.');
  });
});

describe('what stands out in a file, in words', () => {
  it('says everything about one payment in one place', () => {
    const { standouts, marks, furtherMarked } = describeFile(10, {
      4: { amount: '9000.00', payeeAccount: account(4, '77/A') },
    });
    const texts = ['Much larger than the others.', 'Goes to roll number 77/A.'];
    expect(standouts).toEqual([{ position: 5, amount: '£9,000.00', payeeName: 'Supplier 4', texts }]);
    expect([...marks]).toEqual([[4, texts]]);
    expect(furtherMarked).toBe(0);
  });

  it('marks each of several payments that belong together, and shows them once', () => {
    const twin = { payeeAccount: account(0), reference: 'R' };
    const { standouts, marks, furtherMarked } = describeFile(10, { 0: twin, 1: twin, 2: twin, 3: twin, 9: twin });
    const text = '5 times: same account, amount and reference (No. 1, 2, 3, 4 and 1 more).';
    expect(standouts.map(({ texts }) => texts)).toEqual([[text]]);
    expect([...marks.keys()]).toEqual([0, 1, 2, 3, 9]);
    expect(furtherMarked).toBe(0);
  });

  it('shows what all payments have in common once, at the top, and marks what else is in the list', () => {
    const names = Array.from({ length: 25 }, (_, place): NameCheck => ({ match: place === 6 ? 'NoMatch' : 'Match' }));
    const { standouts, marks, furtherMarked } = describeFile(
      25,
      all(25, () => ({ payeeName: 'Ltd' })),
      { names },
    );
    const text = 'This name has different accounts in this list (No. 1, 2, 3, 4 and 21 more).';
    expect(standouts.map(({ position, texts }) => [position, ...texts])).toEqual([
      [7, 'The name does not match the account.'],
      [1, text],
    ]);
    expect([...marks]).toEqual([[6, ['The name does not match the account.']]]);
    expect(furtherMarked).toBe(0);
    const { marks: ofMost } = describeFile(
      25,
      all(24, () => ({ payeeName: 'Ltd' })),
    );
    expect(ofMost.size).toBe(24);
  });

  it('shows a payment that is large and has a twin once, with both reasons', () => {
    const twin = { amount: '9000.00', payeeAccount: account(4), reference: 'R' };
    const { standouts, furtherMarked, marks } = describeFile(20, { 4: twin, 9: twin });
    const texts = ['Much larger than the others.', 'Twice: same account, amount and reference (No. 5 and 10).'];
    expect(standouts).toEqual([{ position: 5, amount: '£9,000.00', payeeName: 'Supplier 4', texts }]);
    expect([...marks]).toEqual([
      [4, texts],
      [9, texts],
    ]);
    expect(furtherMarked).toBe(0);
  });

  it('describes the second of two payments if only that stands out otherwise', () => {
    const twin = { payeeAccount: account(4), reference: 'R' };
    const names = Array.from({ length: 10 }, (_, place): NameCheck => ({ match: place === 6 ? 'NoMatch' : 'Match' }));
    const { standouts } = describeFile(10, { 4: twin, 6: twin }, { names });
    expect(standouts.map(({ position, texts }) => [position, ...texts])).toEqual([
      [7, 'The name does not match the account.'],
      [5, 'Twice: same account, amount and reference (No. 5 and 7).'],
    ]);
  });

  it('shows the largest and a duplicate, however many roll numbers there are', () => {
    const twin = { payeeAccount: account(3, '3/A'), reference: 'R' };
    const { standouts, furtherMarked } = describeFile(150, {
      ...all(70, (place) => ({ payeeAccount: account(place, `${place}/A`) })),
      3: twin,
      5: twin,
      149: { amount: '98000.00' },
    });
    expect(standouts).toHaveLength(6);
    expect(standouts.slice(0, 2).map(({ position }) => position)).toEqual([150, 4]);
    // 70 roll numbers, of which the pair and four others are at the top.
    expect(furtherMarked).toBe(64);
  });

  it('shows a roll number, however many large payments there are', () => {
    const large = all(60, (place) => ({ amount: `${90_000 + place}.00` }));
    const { standouts, furtherMarked } = describeFile(150, { ...large, 149: { payeeAccount: account(1, '9/A') } });
    expect(standouts.map(({ amount }) => amount)).toEqual([
      '£90,059.00',
      '£90,058.00',
      '£90,057.00',
      '£90,056.00',
      '£90,055.00',
      '£400.00',
    ]);
    expect(furtherMarked).toBe(55);
  });

  it('says once what applies to most of a file, and marks it in the list', () => {
    const { standouts, facts, marks, furtherMarked } = describeFile(
      8,
      {},
      { known: Array.from({ length: 8 }, (_, place) => place === 3) },
    );
    expect({ standouts, facts, furtherMarked }).toEqual({
      standouts: [],
      facts: ['7 of 8 payments: the payee has never been paid before.'],
      furtherMarked: 0,
    });
    expect([...marks.keys()]).toEqual([0, 1, 2, 4, 5, 6, 7]);
  });

  it('shows the bank’s answers on names: each that differs, and their numbers', () => {
    const names: NameCheck[] = Array.from({ length: 8 }, () => ({ match: 'Match' }));
    names[1] = { match: 'NoMatch' };
    names[2] = { match: 'CloseMatch', name: 'SUPPLIER 2 LIMITED' };
    names[7] = { match: 'Unavailable' };
    const { standouts, facts, isCheckOpen } = describeFile(8, { 1: { amount: '9000.00' } }, { names });
    expect(standouts.map(({ position, texts }) => [position, ...texts])).toEqual([
      [2, 'The name does not match the account.', 'Much larger than the others.'],
      [3, 'The name is similar to the account holder’s: SUPPLIER 2 LIMITED.'],
      [8, 'The name could not be checked.'],
    ]);
    expect(facts).toEqual([
      'Names checked with the payees’ banks: 5 matched, 1 similar, 1 did not match, 1 not checked.',
    ]);
    expect(isCheckOpen).toBe(false);
  });

  it('never calls names that do not match common', () => {
    const names = Array.from({ length: 8 }, (): NameCheck => ({ match: 'NoMatch' }));
    expect(describeFile(8, {}, { names })).toMatchObject({ standouts: expect.any(Array), furtherMarked: 2 });
  });

  it.each<[PayeeAnswers, string]>([
    [{ names: 'Unavailable' }, 'We could not check the names'],
    [{ known: 'Unavailable' }, 'We could not find out which payees'],
  ])('says for %j that the bank did not answer', (answers, text) => {
    const { facts, isCheckOpen, standouts } = describeFile(8, {}, answers);
    expect({ facts, isCheckOpen, standouts }).toEqual({
      facts: [expect.stringContaining(text)],
      isCheckOpen: true,
      standouts: [],
    });
  });
});
