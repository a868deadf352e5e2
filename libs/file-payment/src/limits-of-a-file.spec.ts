import { describe, expect, it } from '@jest/globals';
import { mostPayments, parseJson } from '#libs/obie-rules';
import { theLongestPayment } from '../../../test/bench/longest-payments.mjs';
import { checkPaymentFile } from './check-payment-file.js';
import { formatOf } from './formats/payment-formats.js';
import { mostBytesOf, mostValuesOf } from './parse-payment-file.js';

const versions = ['3.1', '4.0'] as const;
const fileTypeOf = (version: string) => `UK.OBIE.PaymentInitiation.${version}`;

const fileOf = (payment: object, payments = mostPayments) =>
  Buffer.from(
    JSON.stringify({ File: { Data: { DomesticPayments: Array.from({ length: payments }, () => payment) } } }),
  );

const faultsOf = (version: string, body: Buffer) =>
  checkPaymentFile({ body, fileType: fileTypeOf(version), now: new Date() }).faults;

/** Members and entries, as the parser counts them: commas and opening brackets. */
const valuesIn = (value: object): number => JSON.stringify(value).match(/[,{[]/g)?.length ?? 0;

const list = (length: number) => Buffer.from(`[${Array.from({ length }, () => '""').join()}]`);

describe.each(versions)('the limits of a %s file are consistent', (version) => {
  const mostValues = mostValuesOf(fileTypeOf(version));

  it('a payment with every member has as many values as its format states, its comma included', () => {
    expect(valuesIn(theLongestPayment(version)) + 1).toBe(formatOf(fileTypeOf(version)).valuesOfPayment);
  });

  it('150 payments with every member, and eight members of SupplementaryData each, are accepted', () => {
    const names = Object.fromEntries(Array.from({ length: 7 }, (_, index) => [`m${index}`, '']));
    const payment = { ...theLongestPayment(version, { longest: 1 }), SupplementaryData: names };
    const body = fileOf(payment);
    expect([body.length <= mostBytesOf(fileTypeOf(version)), faultsOf(version, body)]).toEqual([true, []]);
  });

  it('a file with more values is not read', () => {
    expect(parseJson(list(mostValues), mostValues)).toHaveLength(mostValues);
    expect(() => parseJson(list(mostValues + 1), mostValues)).toThrow('values');
  });
});

describe('what the documents say', () => {
  it('is what holds', () => {
    const limits = versions.map(fileTypeOf).map((fileType) => [mostBytesOf(fileType), mostValuesOf(fileType)]);
    expect(limits).toEqual([
      [700_000, 6_500],
      [2_000_000, 49_400],
    ]);
  });
});

describe('the bytes of a file', () => {
  it.each(['x', 'é', '€', '\u{1F600}'])(
    'leave room for 150 payments of 3.1 with every text at its longest, of %s',
    (character) => {
      const body = fileOf(theLongestPayment('3.1', { character }));
      expect([body.length + 300 * mostPayments <= mostBytesOf(fileTypeOf('3.1')), faultsOf('3.1', body)]).toEqual([
        true,
        [],
      ]);
    },
  );

  it('leave room for 150 payments of 4.0 with every member, four whole addresses among them, in 50 characters a text', () => {
    const body = fileOf(theLongestPayment('4.0', { longest: 50 }));
    expect([body.length <= mostBytesOf(fileTypeOf('4.0')), faultsOf('4.0', body)]).toEqual([true, []]);
  });

  it('leave room for 80 payments of 4.0 with every text at its longest', () => {
    const body = fileOf(theLongestPayment('4.0'), 80);
    expect([body.length <= mostBytesOf(fileTypeOf('4.0')), faultsOf('4.0', body)]).toEqual([true, []]);
  });
});
