import { describe, expect, it } from '@jest/globals';
import { fc } from '../../../test/support/fast-check.js';
import { canonicalNumber, formatDecimal, isWholePence, parseAmount, parseDecimalNumber } from './decimal.js';

describe('amounts (OBActiveCurrencyAndAmount_SimpleType)', () => {
  it.each([
    ['120.50', 12_050_000n],
    ['10.5', 1_050_000n],
    ['7', 700_000n],
    ['0.00001', 1n],
    ['9999999999999.99999', 999_999_999_999_999_999n],
  ])('reads %s', (text, units) => {
    expect(parseAmount(text)).toBe(units);
  });

  it.each(['', 'abc', '-1.00', '+1', '1.', '.5', '1,5', '1e3', '12345678901234', '1.123456', ' 1', '١'])(
    'refuses %j',
    (text) => {
      expect(parseAmount(text)).toBeUndefined();
    },
  );

  it('tells whole pence from fractions of a penny', () => {
    expect(isWholePence(parseAmount('10.50000') ?? 0n)).toBe(true);
    expect(isWholePence(parseAmount('10.501') ?? 0n)).toBe(false);
  });
});

describe('ControlSum as a decimal number', () => {
  it.each([['3459.30'], ['3459.3'], ['3.4593e3'], ['345930E-2'], ['3459.300000000']])('reads %s by value', (text) => {
    expect(parseDecimalNumber(text)).toBe(345_930_000n);
  });

  it.each(['-1', '1e999', 'NaN', '0.000001', '1e-40', '123456789012345678901'])('refuses %s', (text) => {
    expect(parseDecimalNumber(text)).toBeUndefined();
  });

  it('adds 0.10 and 0.20 to 0.3', () => {
    expect((parseAmount('0.10') ?? 0n) + (parseAmount('0.20') ?? 0n)).toBe(parseDecimalNumber('0.3'));
  });

  it('writes every value so that it is read back the same', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 18n - 1n }), (units) => {
        expect(parseDecimalNumber(formatDecimal(units))).toBe(units);
        expect(parseAmount(formatDecimal(units))).toBe(units);
      }),
    );
  });
});

describe('JSON numbers of any size by value', () => {
  it.each([
    ['-1.50', '-1.5'],
    ['-1.5', '-15E-1'],
    ['1e400', '10.0e+399'],
    ['0.0000001', '1e-7'],
    ['-0', '0.00e5'],
    ['00100', '1e2'],
    [`1${'0'.repeat(999)}`, '1e999'],
  ])('%s is %s', (one, other) => {
    expect(canonicalNumber(one)).toBe(canonicalNumber(other));
  });

  it.each([
    ['-1', '1'],
    ['1e400', '1e401'],
    ['10', '1'],
    ['0.1', '0.01'],
    ['9999999999999999999.99999', '999999999999999999999999'],
  ])('%s is not %s', (one, other) => {
    expect(canonicalNumber(one)).not.toBe(canonicalNumber(other));
  });
});
