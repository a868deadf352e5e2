import { describe, expect, it } from '@jest/globals';
import { createDifferencePrinter, type DifferenceLine } from './print-differences.js';

const line: DifferenceLine = {
  filePaymentId: 'f'.repeat(36),
  consentId: 'c',
  clientId: 't',
  kind: 'PaymentOnlyAtBank',
  paymentId: 'P\u202e1',
  expected: 'Rejected',
  found: 'Pending',
  isAcknowledged: false,
};

function print(format: 'json' | 'table', lines: readonly DifferenceLine[]): string {
  let text = '';
  const printer = createDifferencePrinter({ format, write: (part) => (text += part) });
  for (const each of lines) printer.print(each);
  // Nothing has to be undone if the payment order does not exist.
  if (lines.length === 0) expect(text).toBe('');
  printer.end({ paymentOrders: 2, bank: { Compared: 2 } });
  return text;
}

describe('printing differences as they are found', () => {
  it.each([0, 1, 3])('makes one JSON document of %d', (count) => {
    const lines = Array.from({ length: count }, () => line);
    const totals = { paymentOrders: 2, bank: { Compared: 2 } };
    expect(JSON.parse(print('json', lines))).toEqual({ differences: lines, totals });
  });

  it('makes a table, in which no text of the bank moves the cursor, with the totals below it', () => {
    const withoutPayment = { ...line, filePaymentId: null, isAcknowledged: true };
    const [head, first, second, empty, ...totals] = print('table', [line, withoutPayment]).split('\n');
    expect(head).toMatch(/^filePaymentId or consentId {12}kind {22}paymentId {28}expected {22}found$/);
    expect(first).toMatch(/^f{36} {2}PaymentOnlyAtBank +P\?1 +Rejected +Pending$/);
    expect(second).toMatch(/^c +PaymentOnlyAtBank .*Pending \(acknowledged\)$/);
    expect([empty, ...totals]).toEqual(['', 'paymentOrders         2', 'bank                  {"Compared":2}', '']);
    expect(print('table', [])).toBe('paymentOrders         2\nbank                  {"Compared":2}\n');
  });
});
