import type { PaymentAwaitingApproval } from '#libs/authorization-session';
import { approvalDeadline } from '#libs/obie-rules';
import type { PaymentsToApprove } from '../consent/payments-to-approve.js';

/** @returns why there is nothing for this customer to decide (any more), in words; undefined if there is */
export function describeOutcome(
  payment: Pick<
    PaymentAwaitingApproval,
    'status' | 'createdAt' | 'decision' | 'isFirstApprover' | 'approvalsReceived' | 'approvalsRequired'
  >,
  { authorisation }: Pick<PaymentsToApprove, 'authorisation'>,
  { now, approvalSeconds }: { now: Date; approvalSeconds: number },
): string | undefined {
  const { createdAt, status, decision, isFirstApprover, approvalsReceived, approvalsRequired } = payment;
  const isComplete = approvalsReceived >= approvalsRequired;
  const rest = isComplete ? 'All approvals are there.' : 'It waits for the approval of somebody else.';
  if (decision?.outcome === 'Declined') return 'You have declined this file. None of its payments is made.';
  if (status === 'InitiationFailed')
    return 'This file has been declined or could not be paid. None of its payments is made.';
  if (decision?.outcome === 'Approved' || isFirstApprover) return `You have approved this file. ${rest}`;
  if (isComplete) return 'This file has all the approvals it needs.';
  const deadline = approvalDeadline({
    createdAt,
    completionDateTime: authorisation?.CompletionDateTime,
    approvalSeconds,
  });
  return deadline <= now ? 'The time to approve this file has run out.' : undefined;
}
