import { describe, expect, it } from '@jest/globals';
import { composeIBAN, countrySpecs, isValidIBAN } from 'ibantools';
import { fc } from '../../../test/support/fast-check.js';
import { isIban } from './iban.js';

describe('IBAN (ISO 13616)', () => {
  it.each([
    'GB29NWBK60161331926819',
    'IE29AIBK93115212345678',
    'NL91ABNA0417164300',
    'NO9386011117947',
    'MT84MALT011000012345MTLCAST001S',
  ])('takes %s', (iban) => {
    expect(isIban(iban)).toBe(true);
  });

  it.each([
    ['other check digits', 'GB28NWBK60161331926819'],
    ['two digits changed places', 'GB29NWBK60161331926891'],
    ['a character too few', 'GB29NWBK6016133192681'],
    ['a character too many', 'GB29NWBK601613319268190'],
    ['small letters', 'gb29nwbk60161331926819'],
    ['spaces', 'GB29 NWBK 6016 1331 9268 19'],
    ['a line end', 'GB29NWBK60161331926819\n'],
    ['digits of another script', 'GB29NWBK6016133192681٩'],
    ['a country without IBANs', 'US29NWBK60161331926819'],
    ['the form of another country', 'DE29NWBK60161331926819'],
    ['wrong national check digits', 'BE41510007547062'],
    ['nothing', ''],
  ])('refuses one with %s', (_, iban) => {
    expect(isIban(iban)).toBe(false);
  });

  // Two pairs of check digits can satisfy modulo 97; only one of them is ever issued.
  it.each(['00', '01', '99'])('refuses the check digits %s, which cannot be', (digits) => {
    const bbans = Array.from({ length: 200 }, (_, index) => `NWBK601613${String(31_926_000 + index)}`);
    expect(bbans.filter((bban) => isIban(`GB${digits}${bban}`))).toEqual([]);
  });

  const countries = Object.keys(countrySpecs).filter((country) => countrySpecs[country]?.IBANRegistry === true);
  const digit = fc.constantFrom(...'0123456789');
  const bban = fc.oneof(digit, fc.constantFrom(...'ABCXYZ'));

  it('agrees with ibantools on whatever looks like one', () => {
    const candidate = fc
      .constantFrom(...countries)
      .chain((country) => {
        const length = (countrySpecs[country]?.chars ?? 20) - 4;
        const text = fc.oneof(
          fc.string({ unit: digit, minLength: length, maxLength: length }),
          fc.string({ unit: bban, minLength: length, maxLength: length }),
          fc
            .tuple(
              fc.string({ unit: fc.constantFrom(...'ABCXYZ'), minLength: 4, maxLength: 4 }),
              fc.string({ unit: digit, minLength: length - 4, maxLength: length - 4 }),
            )
            .map(([bank, number]) => bank + number),
        );
        return fc.tuple(
          fc.constant(country),
          text,
          fc.string({ unit: digit, minLength: 2, maxLength: 2 }),
          fc.boolean(),
        );
      })
      .map(([country, text, digits, isComposed]) => {
        const composed = isComposed ? composeIBAN({ countryCode: country, bban: text }) : null;
        return composed ?? `${country}${digits}${text}`;
      });
    let valid = 0;
    fc.assert(
      fc.property(candidate, (iban) => {
        expect(isIban(iban)).toBe(isValidIBAN(iban));
        valid += Number(isValidIBAN(iban));
      }),
      { numRuns: 2_000 },
    );
    expect(valid).toBeGreaterThan(200);
  });
});
