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

  it('takes a card number for a balance transfer only', () => {
    const card = account('UK.OBIE.PAN', '5412345678901234');
    expect(findAccountFault(card, 'UK.OBIE.BalanceTransfer')).toBeUndefined();
    expect(findAccountFault(card, 'UK.OBIE.FPS')?.member).toBe('SchemeName');
  });

  it('knows one account under both spellings of its scheme', () => {
    expect(normaliseSchemeName('IBAN')).toBe('UK.OBIE.IBAN');
    expect(isSameAccount(account('IBAN', 'X'), account('UK.OBIE.IBAN', 'X'))).toBe(true);
    expect(isSameAccount(account('IBAN', 'X'), account('UK.OBIE.IBAN', 'Y'))).toBe(false);
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
