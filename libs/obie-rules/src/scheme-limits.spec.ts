import { expect, it } from '@jest/globals';
import { findReachFault, limitsOfSchemes, parsePaymentLimits } from './scheme-limits.js';

it('reads the limits of payment types; the schemes have 1,000,000.00 and 20,000,000.00', () => {
  expect(parsePaymentLimits('CHAPS=0.01')).toEqual({ 'UK.OBIE.CHAPS': 1_000n });
  expect(parsePaymentLimits('')).toEqual({});
  expect(limitsOfSchemes).toEqual({ 'UK.OBIE.FPS': 100_000_000_000n, 'UK.OBIE.BACS': 2_000_000_000_000n });
});

const german = { SchemeName: 'UK.OBIE.IBAN', Identification: 'DE89370400440532013000' };
const british = { SchemeName: 'IBAN', Identification: 'GB29NWBK60161331926819' };

it.each(['UK.OBIE.FPS', 'UK.OBIE.BACS'] as const)('%s reaches accounts in the United Kingdom alone', (type) => {
  expect(findReachFault(german, type)).toMatchObject({ member: 'Identification' });
  expect(findReachFault({ SchemeName: 'BBAN', Identification: 'NWBK60161331926819' }, type)).toMatchObject({
    member: 'SchemeName',
  });
  expect(findReachFault(british, type)).toBeUndefined();
  const sortCode = { SchemeName: 'UK.OBIE.SortCodeAccountNumber', Identification: '20000112345678' };
  expect(findReachFault(sortCode, type)).toBeUndefined();
});

it.each(['UK.OBIE.CHAPS', 'UK.OBIE.BalanceTransfer'] as const)('%s reaches any', (type) => {
  expect(findReachFault(german, type)).toBeUndefined();
});
