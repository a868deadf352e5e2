import { createHash, createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { digestAccount } from './digest-account.js';

const key = { id: '2026', key: Buffer.alloc(32, 1) };
const account = { consentId: 'c-1', schemeName: 'UK.OBIE.SortCodeAccountNumber', identification: '40400411290112' };
const text = 'c-1 UK.OBIE.SortCodeAccountNumber 40400411290112';

describe('the digest of an account in the audit trail', () => {
  it('names the key, with which a known account can be confirmed', () => {
    expect(digestAccount(key, account)).toBe(`2026:${createHmac('sha256', key.key).update(text).digest('hex')}`);
  });

  it('cannot be found by trying account numbers, and differs by key, consent and account', () => {
    const digests = [
      digestAccount(key, account),
      digestAccount({ ...key, key: Buffer.alloc(32, 2) }, account),
      digestAccount(key, { ...account, consentId: 'c-2' }),
      digestAccount(key, { ...account, identification: '40400411290113' }),
    ].map((each) => each.split(':')[1]);
    expect(new Set([...digests, createHash('sha256').update(text).digest('hex')]).size).toBe(5);
  });
});
