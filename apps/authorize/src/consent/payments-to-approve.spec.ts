import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { InstructionsAlteredError } from '#libs/file-payment';
import { JsonFormatError } from '#libs/obie-rules';
import { aPaymentFile } from '../../../../test/support/a-payment-file.js';
import { parsePaymentsToApprove } from './payments-to-approve.js';

type Consent = Parameters<typeof parsePaymentsToApprove>[0];

/** Of a file that the previous version took. */
const consent = (file: Buffer): Consent => ({
  consentId: '01932b5e-0000-7000-8000-000000000001',
  status: 'AwaitingAuthorisation',
  expiresAt: new Date(0),
  initiation: '{}',
  charges: '[]',
  file,
});

function listed(file: Buffer): Consent {
  const { file: _, ...rest } = consent(file);
  const instructions = parsePaymentsToApprove(consent(file)).made?.instructions ?? '';
  return { ...rest, instructions, approvalHash: createHash('sha256').update(instructions).digest() };
}

describe('the file that a PSU decides on', () => {
  it.each([
    ['as its list has it', listed],
    ['as the version before took it', consent],
  ])('is shown whole, %s', (_case, of) => {
    const { payments, total } = parsePaymentsToApprove(of(aPaymentFile({ payments: 3 }).body));
    expect(payments).toHaveLength(3);
    expect(total).toBe(3_150_000n);
  });

  it('has a list to be stored with the approval if it has none yet', () => {
    const { body } = aPaymentFile();
    const old = parsePaymentsToApprove(consent(body));
    expect(old.made).toMatchObject({ approvalHash: old.approvalHash, amounts: '{10.50,10.50}' });
    expect(parsePaymentsToApprove(listed(body))).toMatchObject({ approvalHash: old.approvalHash, made: undefined });
  });

  it('is not shown if its list is not the one that was made when it was taken', () => {
    const good = listed(aPaymentFile().body);
    const bad = { ...good, instructions: good.instructions?.replace('INV-1', 'INV-9') ?? '' };
    expect(() => parsePaymentsToApprove(bad)).toThrow(InstructionsAlteredError);
    const { instructions: _, ...without } = good;
    expect(() => parsePaymentsToApprove(without)).toThrow(InstructionsAlteredError);
  });

  it('is read with the limits under which it was accepted and will be paid', () => {
    const deep = `${'['.repeat(40)}${']'.repeat(40)}`;
    const file = aPaymentFile().body.toString().replace('{', `{"Other":${deep},`);
    expect(() => parsePaymentsToApprove(consent(Buffer.from(file)))).toThrow(JsonFormatError);
  });
});
