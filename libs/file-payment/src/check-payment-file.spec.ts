import { describe, expect, it } from '@jest/globals';
import { checkPaymentFile } from './check-payment-file.js';

const now = new Date('2026-03-01T12:00:00Z');
const file = JSON.stringify({
  File: {
    Data: {
      DomesticPayments: [
        {
          InstructionIdentification: 'PAYRUN-1',
          InstructedAmount: { Amount: '10.50', Currency: 'GBP' },
          CreditorAccount: { SchemeName: 'IBAN', Identification: 'GB29NWBK60161331926819', Name: 'A Supplier' },
        },
      ],
    },
  },
});

describe('the rules of an upload, checked before it', () => {
  it.each([
    ['the longest file', file.padEnd(700_000), []],
    ['a longer one', file.padEnd(700_001), ['Resource.InvalidFormat']],
    ['an empty one', '', ['Resource.InvalidFormat']],
    ['one with faults', file.replace('10.50', '0'), ['Field.Invalid']],
  ])('report the faults of %s', (_, text, codes) => {
    const { faults, count } = checkPaymentFile({ body: Buffer.from(text), now });
    expect(faults.map(({ code }) => code)).toEqual(codes);
    expect(count).toBe(codes.length);
  });
});
