import { describe, expect, it } from '@jest/globals';
import { describeOutcome } from './describe-outcome.js';

const now = new Date('2026-03-01T12:00:00Z');
const at = { now, approvalSeconds: 3_600 };
const waiting = {
  status: 'InitiationPending',
  createdAt: new Date('2026-03-01T11:00:01Z'),
  isFirstApprover: false,
  approvalsReceived: 1,
  approvalsRequired: 2,
  isClientActive: true,
  isStopped: false,
};
const deadline = (CompletionDateTime: string) => ({
  authorisation: { AuthorisationType: 'Any' as const, CompletionDateTime },
});

describe('what a further approver may still decide (OBMultiAuthorisation1)', () => {
  it('a file that waits, before the deadline of the TPP', () => {
    expect(describeOutcome(waiting, {}, at)).toBeUndefined();
    expect(describeOutcome(waiting, deadline('2026-03-01T12:00:01+00:00'), at)).toBeUndefined();
  });

  it.each([
    [
      'approved by this customer',
      { ...waiting, decision: { outcome: 'Approved' as const, decidedAt: now } },
      'outcome.approvedWaiting',
    ],
    ['approved as the first one', { ...waiting, isFirstApprover: true }, 'outcome.approvedWaiting'],
    [
      'declined by this customer',
      { ...waiting, decision: { outcome: 'Declined' as const, decidedAt: now } },
      'outcome.declined',
    ],
    ['declined by another', { ...waiting, status: 'InitiationFailed' }, 'outcome.failed'],
    ['of a TPP that the bank has suspended or removed', { ...waiting, isClientActive: false }, 'outcome.clientGone'],
    ['ended for that', { ...waiting, isClientActive: false, status: 'InitiationFailed' }, 'outcome.clientGone'],
    ['stopped by the bank', { ...waiting, isStopped: true }, 'outcome.stopped'],
    ['complete', { ...waiting, approvalsReceived: 2 }, 'outcome.complete'],
  ])('nothing once it is %s', (_title, payment, outcome) => {
    expect(describeOutcome(payment, {}, at)).toBe(outcome);
  });

  it('nothing after the deadline of the TPP (OBAuthorisation1)', () => {
    expect(describeOutcome(waiting, deadline('2026-03-01T12:00:00+00:00'), at)).toBe('outcome.tooLate');
  });

  it('nothing after the deadline of the bank', () => {
    expect(describeOutcome({ ...waiting, createdAt: new Date('2026-03-01T11:00:00Z') }, {}, at)).toBe(
      'outcome.tooLate',
    );
  });
});
