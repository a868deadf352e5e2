import { describe, expect, it } from '@jest/globals';
import { InstructionsAlteredError } from '#libs/payment-order';
import { aPaymentFile } from '../../../../test/support/a-payment-file.js';
import { makeInstructionList } from '../../../../test/support/make-instruction-list.js';
import { parsePaymentsToApprove } from './payments-to-approve.js';

function listed(file: Buffer): Parameters<typeof parsePaymentsToApprove>[0] {
  const { instructions, approvalHash } = makeInstructionList(file);
  return {
    consentId: '01932b5e-0000-7000-8000-000000000001',
    status: 'AwaitingAuthorisation',
    expiresAt: new Date(0),
    initiation: '{}',
    conditions: {},
    charges: '[]',
    instructions,
    approvalHash,
  };
}

describe('the file that a PSU decides on', () => {
  it('is shown whole, as its list has it', () => {
    const { payments, total } = parsePaymentsToApprove(listed(aPaymentFile({ payments: 3 }).body));
    expect(payments).toHaveLength(3);
    expect(total).toBe(3_150_000n);
  });

  it('is not shown if its list is not the one made when the file was accepted', () => {
    const good = listed(aPaymentFile().body);
    const bad = { ...good, instructions: good.instructions?.replace('INV-1', 'INV-9') ?? '' };
    expect(() => parsePaymentsToApprove(bad)).toThrow(InstructionsAlteredError);
    for (const missing of ['instructions', 'approvalHash'] as const) {
      const { [missing]: _, ...without } = good;
      expect(() => parsePaymentsToApprove(without)).toThrow(InstructionsAlteredError);
    }
  });
});
