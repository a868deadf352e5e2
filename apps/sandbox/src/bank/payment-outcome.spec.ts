import { describe, expect, it } from '@jest/globals';
import { formatPence, parsePence } from './money.js';
import { paymentOutcome } from './payment-outcome.js';

const acceptedAt = new Date('2026-11-21T09:00:00Z');

function statusOf(options: { amount?: string; scheme?: string; date?: string; seconds?: number }): string {
  const { amount = '10.00', scheme = 'UK.OBIE.FPS', date, seconds = 0 } = options;
  const pence = parsePence(amount) ?? 0n;
  const payment = { pence, localInstrument: scheme, requestedExecutionDate: date, acceptedAt, dayMilliseconds: 1_000 };
  return paymentOutcome(payment, new Date(acceptedAt.getTime() + seconds * 1_000)).status;
}

describe('the outcome of a payment in the sandbox', () => {
  it.each([
    ['UK.OBIE.FPS', 0, 'AcceptedCreditSettlementCompleted'],
    ['UK.OBIE.FPS', -0.001, 'AcceptedCreditSettlementCompleted'],
    ['UK.OBIE.BalanceTransfer', 0, 'AcceptedSettlementCompleted'],
    ['UK.OBIE.CHAPS', 0, 'AcceptedSettlementInProcess'],
    ['UK.OBIE.CHAPS', 1, 'AcceptedSettlementCompleted'],
    ['UK.OBIE.BACS', 2, 'AcceptedSettlementInProcess'],
    ['UK.OBIE.BACS', 3, 'AcceptedSettlementCompleted'],
  ])('%s after %s s: %s', (scheme, seconds, expected) => {
    expect(statusOf({ scheme, seconds })).toBe(expected);
  });

  it.each([
    ['0.99', 0, 'Rejected'],
    ['1234.99', 3_600, 'Rejected'],
    ['5.98', 0, 'Pending'],
    ['5.98', 2, 'AcceptedCreditSettlementCompleted'],
    ['5.97', 3_600, 'AcceptedWithoutPosting'],
  ])('the amount %s after %s s: %s', (amount, seconds, expected) => {
    expect(statusOf({ amount, seconds })).toBe(expected);
  });

  it('waits for the requested execution date, a day in London', () => {
    expect(statusOf({ date: '2026-11-22' })).toBe('Pending');
    expect(statusOf({ date: '2026-11-22', seconds: 24 * 3_600 })).toBe('AcceptedCreditSettlementCompleted');
    expect(statusOf({ date: '2026-11-21' })).toBe('AcceptedCreditSettlementCompleted');
  });
});

describe('amounts of money', () => {
  it.each([
    ['0', 0n],
    ['0.5', 50n],
    ['12.34', 1_234n],
    ['1.10000', 110n],
    ['9999999999999.99', 999_999_999_999_999n],
  ])('%s is %s pence', (text, pence) => {
    expect(parsePence(text)).toBe(pence);
  });

  it.each(['1.001', '-1', '1.', '', '12345678901234567', '1e3'])('%j is not valid', (text) => {
    expect(parsePence(text)).toBeUndefined();
  });

  it.each([
    [0n, '0.00'],
    [5n, '0.05'],
    [123_456n, '1234.56'],
    [-7n, '-0.07'],
  ])('%s pence are written %s', (pence, text) => {
    expect(formatPence(pence)).toBe(text);
  });
});
