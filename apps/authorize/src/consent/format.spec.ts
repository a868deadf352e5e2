import { describe, expect, it } from '@jest/globals';
import { createWording } from '../wording/wording.js';
import { formatAccount, formatPaymentType, formatUnits, nameAccount } from './format.js';

const { en, cy } = createWording();

describe('money', () => {
  it.each([
    ['0', 'GBP', '£0.00'],
    ['5.1', 'GBP', '£5.10'],
    ['999.99', 'GBP', '£999.99'],
    ['1000', 'GBP', '£1,000.00'],
    ['1234567890123.45', 'GBP', '£1,234,567,890,123.45'],
    ['007.50', 'GBP', '£7.50'],
    ['-1234.5', 'GBP', '−£1,234.50'],
    ['12.34567', 'EUR', 'EUR\u00a012.34567'],
  ])('writes %s %s as %s', (decimal, currency, expected) => {
    expect(en.money(decimal, currency)).toBe(expected);
  });

  it('keeps every digit of a sum, without floating point', () => {
    expect(formatUnits(en, 900_719_925_474_099_312_345n, 'GBP')).toBe('£9,007,199,254,740,993.12345');
  });
});

describe('formatAccount', () => {
  it.each([
    ['UK.OBIE.SortCodeAccountNumber', '20040512345678', '20-04-05 12345678'],
    ['SortCodeAccountNumber', '20040512345678', '20-04-05 12345678'],
    ['UK.OBIE.IBAN', 'GB82WEST12345698765432', 'GB82 WEST 1234 5698 7654 32'],
    ['UK.OBIE.PAN', '5555444433331111', 'card starting 555544, ending 1111'],
    ['UK.OBIE.BBAN', 'WEST12345698765432', 'BBAN WEST12345698765432'],
    ['UK.OBIE.Wallet', '20-04-05 12345678', 'Wallet 20-04-05 12345678'],
  ])('writes %s %s as %s', (schemeName, identification, expected) => {
    expect(formatAccount(en, schemeName, identification)).toBe(expected);
  });
});

it('keeps the number of an account on one line, unless it is longer than a phone is wide', () => {
  const [short, long] = ['20-04-05 12345678', 'GB82 WEST 1234 5698 7654 32'];
  expect(nameAccount(en, 'Rent', short).toString()).toBe(`<bdi>Rent</bdi> (<span class="unbroken">${short}</span>)`);
  expect(nameAccount(en, 'Rent', long).toString()).toBe(`<bdi>Rent</bdi> (${long})`);
});

describe('the other words of the consent page', () => {
  it('names the day in London, not in UTC', () => {
    expect(en.day(new Date('2026-07-01T23:30:00Z'))).toBe('2 July 2026');
    expect(cy.day(new Date('2026-07-01T23:30:00Z'))).toBe('2 Gorffennaf 2026');
  });

  it('names the types of payment as people know them', () => {
    expect(formatPaymentType(en, 'UK.OBIE.BACS')).toBe('Bacs');
    expect(formatPaymentType(en, 'UK.Bank.Other')).toBe('UK.Bank.Other');
  });
});
