import { describe, expect, it } from '@jest/globals';
import { JsonFormatError } from '#libs/obie-rules';
import { aPaymentFile } from '../../../../test/support/a-payment-file.js';
import { parsePaymentsToApprove } from './payments-to-approve.js';

const consent = (file: Buffer): Parameters<typeof parsePaymentsToApprove>[0] => ({
  consentId: '01932b5e-0000-7000-8000-000000000001',
  status: 'AwaitingAuthorisation',
  expiresAt: new Date(0),
  initiation: '{}',
  charges: '[]',
  file,
  fileHash: Buffer.alloc(32),
});

describe('the file that a PSU decides on', () => {
  it('is shown whole, its sum taken from its payments', () => {
    const { payments, total } = parsePaymentsToApprove(consent(aPaymentFile({ payments: 3 }).body));
    expect(payments).toHaveLength(3);
    expect(total).toBe(3_150_000n);
  });

  it('is read with the limits under which it was accepted and will be paid', () => {
    const deep = `${'['.repeat(40)}${']'.repeat(40)}`;
    const file = aPaymentFile().body.toString().replace('{', `{"Other":${deep},`);
    expect(() => parsePaymentsToApprove(consent(Buffer.from(file)))).toThrow(JsonFormatError);
  });
});
