import { describe, expect, it } from '@jest/globals';
import { fc } from '../../../test/support/fast-check.js';
import { findStandouts } from './find-standouts.js';
import type { ListedPayment } from './instruction-list.js';

const account = (identification: string, secondaryIdentification?: string) => ({
  scheme: 'UK.OBIE.SortCodeAccountNumber',
  identification,
  ...(secondaryIdentification !== undefined && { secondaryIdentification }),
});

/** Usual payments, each to its own payee; the members given replace those of the payment at a place. */
function aList(count: number, others: Readonly<Record<number, Partial<ListedPayment>>> = {}) {
  const payments = Array.from({ length: count }, (_, place): ListedPayment => ({
    payeeName: `Supplier ${place} Ltd`,
    payeeAccount: account(String(20_000_010_000_000 + place)),
    amount: `${400 + place}.00`,
    reference: `INV-${place}`,
    ...others[place],
  }));
  return { payments };
}

describe('standouts of a payment file', () => {
  it('are none if all payments are alike', () => {
    expect(findStandouts(aList(150))).toEqual({ largest: [], repeated: [], severalAccounts: [], rollNumbers: [] });
  });

  it('include a large payment among many, wherever it stands', () => {
    expect(findStandouts(aList(150, { 96: { amount: '98000.00' } })).largest).toEqual([96]);
  });

  it('have the largest first, and equal ones in the order of the file', () => {
    const others = { 3: { amount: '5000.00' }, 7: { amount: '9000.00' }, 9: { amount: '5000.00' } };
    expect(findStandouts(aList(20, others)).largest).toEqual([7, 3, 9]);
  });

  it.each([1, 2, 3])('do not include amounts of %d payments', (count) => {
    expect(findStandouts(aList(count, { 0: { amount: '98000.00' } })).largest).toEqual([]);
  });

  it('do not include equal amounts, even of zero', () => {
    const nothing = Object.fromEntries(Array.from({ length: 5 }, (_, place) => [place, { amount: '0.00' }]));
    expect(findStandouts(aList(5, nothing)).largest).toEqual([]);
  });

  it('include a payment that occurs twice: account, amount and reference', () => {
    const once = aList(10).payments[2]!;
    // The name may be another: the account is who is paid.
    const again = { ...once, payeeName: 'Another Name', amount: '402.000' };
    expect(findStandouts(aList(10, { 8: again })).repeated).toEqual([[2, 8]]);
  });

  it('treat an IBAN as the account that it names', () => {
    const sortCode = { payeeAccount: account('60161331926819'), amount: '7.00', reference: 'A' };
    const iban = { ...sortCode, payeeAccount: { scheme: 'UK.OBIE.IBAN', identification: 'GB29NWBK60161331926819' } };
    const { repeated } = findStandouts(aList(4, { 0: sortCode, 3: iban }));
    expect(repeated).toEqual([[0, 3]]);
  });

  it.each([
    ['amount', { amount: '1.00' }],
    ['reference', { reference: 'another' }],
    ['account', { payeeAccount: account('20000099999999') }],
    ['roll number', { payeeAccount: account('20000010000002', '1') }],
  ])('do not include payments with another %s as repeated', (_title, change) => {
    expect(findStandouts(aList(10, { 8: { ...aList(10).payments[2]!, ...change } })).repeated).toEqual([]);
  });

  it('include a name with different accounts, however it is written', () => {
    const others = {
      1: { payeeName: 'Acme Ltd.' },
      4: { payeeName: 'ACME  ＬＴＤ' },
      5: { payeeName: 'Acme Limited' },
    };
    expect(findStandouts(aList(6, others)).severalAccounts).toEqual([[1, 4]]);
  });

  it.each([
    ['a Cyrillic А', 'Acme Ltd', '\u0410cme Ltd'],
    ['a small l for a capital I', 'Imperial Foods', 'lmperial Foods'],
    ['an accent', 'Celik Ltd', 'Çelik Ltd'],
  ])('include a name with different accounts even if its look-alike has %s', (_, payeeName, lookAlike) => {
    const others = { 1: { payeeName }, 4: { payeeName: lookAlike } };
    expect(findStandouts(aList(6, others)).severalAccounts).toEqual([[1, 4]]);
  });

  it('do not include a name that is paid twice on one account', () => {
    const { payeeName, payeeAccount } = aList(2).payments[0]!;
    expect(findStandouts(aList(2, { 1: { payeeName, payeeAccount } })).severalAccounts).toEqual([]);
  });

  it('count a different roll number as a different account', () => {
    const [one, other] = ['1/A', '2/B'].map((roll) => ({
      payeeName: 'Savers',
      payeeAccount: account('20000010000000', roll),
    }));
    const found = findStandouts(aList(3, { 0: one!, 2: other! }));
    expect(found).toMatchObject({ rollNumbers: [0, 2], severalAccounts: [[0, 2]] });
  });
});

const amounts = fc
  .bigInt({ min: 1n, max: 10n ** 15n })
  .map((pence) => `${pence / 100n}.${String(pence % 100n).padStart(2, '0')}`);
const payments = fc.record({
  payeeName: fc.constantFrom('Acme', 'ACME', 'Bolt', 'Çelik'),
  payeeAccount: fc.record({
    scheme: fc.constant('UK.OBIE.SortCodeAccountNumber'),
    identification: fc.constantFrom('20000010000000', '20000010000001', '20000010000002'),
  }),
  amount: fc.oneof(amounts, fc.constant('10.00')),
  reference: fc.constantFrom('A', 'B'),
});
const lists = fc.array(payments, { minLength: 1, maxLength: 60 });

/** What is found, by what the payments are instead of where they stand. */
function told(payments: readonly ListedPayment[]): string[][] {
  const { largest, repeated, severalAccounts } = findStandouts({ payments });
  const named = (group: readonly number[]) =>
    group
      .map((place) => JSON.stringify(payments[place]))
      .sort()
      .join();
  return [[named(largest)], repeated.map(named).sort(), severalAccounts.map(named).sort()];
}

describe('what stands out of any file', () => {
  it('does not depend on the order of its payments', () => {
    const shuffles = lists.chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
    );
    fc.assert(
      fc.property(shuffles, ([list, shuffled]) => {
        expect(told(shuffled)).toEqual(told(list));
      }),
    );
  });

  it('holds every payment that is repeated, in one group, and no other', () => {
    fc.assert(
      fc.property(lists, (list) => {
        const places = findStandouts({ payments: list }).repeated.flat();
        expect(new Set(places).size).toBe(places.length);
        for (const [place, one] of list.entries()) {
          const hasTwin = list.some(
            (other, at) =>
              at !== place &&
              other.amount === one.amount &&
              other.reference === one.reference &&
              other.payeeAccount.identification === one.payeeAccount.identification,
          );
          expect(places.includes(place)).toBe(hasTwin);
        }
      }),
    );
  });

  it('is never more than half of its amounts, and no smaller one than those left out', () => {
    fc.assert(
      fc.property(lists, (list) => {
        const { largest } = findStandouts({ payments: list });
        const value = (place: number) => Number(list[place]!.amount);
        expect(largest.length).toBeLessThanOrEqual(list.length / 2);
        const least = Math.min(...largest.map(value));
        for (const place of list.keys()) if (!largest.includes(place)) expect(value(place)).toBeLessThan(least);
      }),
    );
  });
});
