import { describe, expect, it } from '@jest/globals';
import { payeeIn } from './only-payee.js';

const list = JSON.stringify({ version: 1, payments: [{ payeeName: 'Ashford Timber' }] });

describe('the payee of an only payment', () => {
  it.each([
    [1, list, 'Ashford Timber'],
    [1, '', undefined],
    [1, null, undefined],
    [1, '{"version":2,"payees":[]}', undefined],
    [1, '{"version":1}', undefined],
    [1, 'no list', undefined],
    [2, 'several are not read', undefined],
  ])('of %i payments in %j is %j', (numberOfPayments, instructions, payee) => {
    expect(payeeIn({ numberOfPayments, instructions })).toBe(payee);
  });
});
