import { describe, expect, it } from '@jest/globals';
import { findAccountFault, isSameAccount, normaliseSchemeName } from './account.js';
import { isText } from './text.js';

const account = (SchemeName: string, Identification: string) => ({ SchemeName, Identification });

describe('account identification (OBExternalAccountIdentification4Code)', () => {
  it.each([
    account('UK.OBIE.SortCodeAccountNumber', '20000112345678'),
    account('SortCodeAccountNumber', '20000112345678'),
    account('UK.OBIE.IBAN', 'GB29NWBK60161331926819'),
    account('UK.OBIE.BBAN', 'NWBK60161331926819'),
  ])('takes $SchemeName', (given) => {
    expect(findAccountFault(given, undefined)).toBeUndefined();
  });

  it.each([
    account('UK.OBIE.SortCodeAccountNumber', '2000011234567'),
    account('UK.OBIE.SortCodeAccountNumber', '200001123456789'),
    account('UK.OBIE.SortCodeAccountNumber', '2000011234567a'),
    account('UK.OBIE.IBAN', 'GB29NWBK60161331926818'),
    account('UK.OBIE.BBAN', 'nwbk'),
  ])('refuses the identification $Identification under $SchemeName', (given) => {
    expect(findAccountFault(given, undefined)?.member).toBe('Identification');
  });

  it.each(['UK.OBIE.Paym', 'UK.OBIE.NCC.US', 'UK.OBIE.Wallet', 'Invented', '__proto__', 'toString'])(
    'refuses the scheme %s',
    (scheme) => {
      expect(findAccountFault(account(scheme, '1'), undefined)?.member).toBe('SchemeName');
    },
  );

  it('accepts a card number for a balance transfer only', () => {
    const card = account('UK.OBIE.PAN', '5412345678901234');
    expect(findAccountFault(card, 'UK.OBIE.BalanceTransfer')).toBeUndefined();
    expect(findAccountFault(card, 'UK.OBIE.FPS')?.member).toBe('SchemeName');
  });

  it('recognises an account under both spellings of its scheme', () => {
    expect(normaliseSchemeName('IBAN')).toBe('UK.OBIE.IBAN');
    expect(isSameAccount(account('IBAN', 'X'), account('UK.OBIE.IBAN', 'X'))).toBe(true);
    expect(isSameAccount(account('IBAN', 'X'), account('UK.OBIE.IBAN', 'Y'))).toBe(false);
  });

  const sortCode = account('UK.OBIE.SortCodeAccountNumber', '60161331926819');
  it.each([
    ['its IBAN', account('UK.OBIE.IBAN', 'GB29NWBK60161331926819'), true],
    ['its IBAN under the bare name', account('IBAN', 'GB29NWBK60161331926819'), true],
    ['the IBAN of another account', account('UK.OBIE.IBAN', 'GB78NWBK60161331926810'), false],
    ['an IBAN with wrong check digits', account('UK.OBIE.IBAN', 'GB28NWBK60161331926819'), false],
    ['an Irish IBAN with the same digits', account('UK.OBIE.IBAN', 'IE97AIBK60161331926819'), false],
    ['a BBAN, which says no country', account('UK.OBIE.BBAN', 'NWBK60161331926819'), false],
    ['a card number', account('UK.OBIE.PAN', '60161331926819'), false],
  ])('compares a sort code and account number with %s (ISO 13616)', (_, other, expected) => {
    expect([isSameAccount(sortCode, other), isSameAccount(other, sortCode)]).toEqual([expected, expected]);
  });

  it('tells two IBANs apart by all of their characters', () => {
    const one = account('UK.OBIE.IBAN', 'GB29NWBK60161331926819');
    expect(isSameAccount(one, { ...one })).toBe(true);
    expect(isSameAccount(one, account('UK.OBIE.IBAN', 'GB33BUKB20201555555555'))).toBe(false);
  });
});

describe('text members', () => {
  it('counts characters, not code units', () => {
    expect(isText('😀'.repeat(35), 35)).toBe(true);
    expect(isText('😀'.repeat(36), 35)).toBe(false);
  });

  it.each(['', '\ud800', 'a\udc00', '\udc00\ud800', 'a\u0000b', 'a\nb', 'x'.repeat(36)])('refuses %j', (text) => {
    expect(isText(text, 35)).toBe(false);
  });
});
