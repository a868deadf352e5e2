import type { PaymentAwaitingApproval } from '#libs/payment-order';
import { approvalDeadline } from '#libs/obie-rules';
import type { PaymentsToApprove } from '../consent/payments-to-approve.js';
import type { MessageKey } from '../wording/en.js';

/** @returns why this customer cannot decide (any more); undefined if they can */
export function describeOutcome(
  payment: Pick<
    PaymentAwaitingApproval,
    | 'status'
    | 'createdAt'
    | 'decision'
    | 'isFirstApprover'
    | 'approvalsReceived'
    | 'approvalsRequired'
    | 'isClientActive'
    | 'isStopped'
  >,
  { authorisation }: Pick<PaymentsToApprove, 'authorisation'>,
  { now, approvalSeconds }: { now: Date; approvalSeconds: number },
): MessageKey | undefined {
  const { createdAt, status, decision, isFirstApprover, approvalsReceived, approvalsRequired } = payment;
  const isComplete = approvalsReceived >= approvalsRequired;
  if (decision?.outcome === 'Declined') return 'outcome.declined';
  if (!payment.isClientActive && !isComplete) return 'outcome.clientGone';
  if (status === 'InitiationFailed') return 'outcome.failed';
  if (payment.isStopped) return 'outcome.stopped';
  if (decision?.outcome === 'Approved' || isFirstApprover) {
    return isComplete ? 'outcome.approvedComplete' : 'outcome.approvedWaiting';
  }
  if (isComplete) return 'outcome.complete';
  return deadlineOf({ createdAt }, authorisation, approvalSeconds) <= now ? 'outcome.tooLate' : undefined;
}

/** @returns until when a payment can be approved */
export function deadlineOf(
  { createdAt }: Pick<PaymentAwaitingApproval, 'createdAt'>,
  authorisation: PaymentsToApprove['authorisation'],
  approvalSeconds: number,
): Date {
  return approvalDeadline({ createdAt, completionDateTime: authorisation?.CompletionDateTime, approvalSeconds });
}
