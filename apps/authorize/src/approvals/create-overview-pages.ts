import type { ApprovalSession, DecidedPayment } from '#libs/authorization-session';
import type { DecidedPage, SessionsPage } from '../pages/page-models.js';
import type { PageRequest } from '../psu-session/page-request.js';
import type { Words } from '../wording/words.js';
import type { Approver } from './approver.js';
import { createFrame } from './create-approval-pages.js';

/** @returns where a customer is signed in */
export function createSessionsPage(
  words: Words,
  page: {
    approver: Approver;
    request: PageRequest;
    sessions: readonly ApprovalSession[];
  },
): SessionsPage {
  const { approver, request } = page;
  const sessions = page.sessions.map(({ sessionId, createdAt, expiresAt }) => ({
    sessionId,
    since: words.moment(createdAt),
    until: words.time(expiresAt),
    isOwn: sessionId === approver.session.sessionId,
  }));
  return { ...createFrame(words, approver, request), sessions };
}

/** @returns what has been decided for a customer's shared accounts, and who is still missing */
export function createDecidedPage(
  words: Words,
  page: {
    approver: Approver;
    request: PageRequest;
    decided: readonly DecidedPayment[];
  },
): DecidedPage {
  const payments = page.decided.map((payment) => ({
    address: `/approvals/payment?file_payment=${payment.filePaymentId}`,
    total: words.money(payment.total, 'GBP'),
    count: payment.numberOfPayments,
    clientName: payment.clientName,
    accountName: payment.debtorAccount.name,
    decisions: describeDecisions(words, payment),
    missing: describeMissing(words, payment),
  }));
  return { ...createFrame(words, page.approver, page.request), payments };
}

function describeDecisions(words: Words, payment: DecidedPayment): string[] {
  const { isFirstApprover, firstApprovedAt, decision, otherDecisions } = payment;
  const made = [
    { isOwn: isFirstApprover, outcome: 'Approved' as const, decidedAt: firstApprovedAt },
    ...(decision === undefined ? [] : [{ isOwn: true, ...decision }]),
    ...otherDecisions.map((other) => ({ isOwn: false, ...other })),
  ];
  const inOrder = made.sort((one, other) => one.decidedAt.getTime() - other.decidedAt.getTime());
  return inOrder.map(({ isOwn, outcome, decidedAt }) => {
    const moment = words.moment(decidedAt);
    if (isOwn) return words.text(`decided.you${outcome}`, { moment });
    return words.text(`decided.other${outcome}`, { moment, name: words.text('decided.somebodyElse') });
  });
}

function describeMissing(words: Words, payment: DecidedPayment): string {
  const { status, approvalsRequired, approvalsReceived, isStopped, isClientActive } = payment;
  if (status === 'InitiationFailed') return words.text('decided.failed');
  const count = approvalsRequired - approvalsReceived;
  if (count <= 0) return words.text('decided.complete');
  return isStopped || !isClientActive ? words.text('decided.closed') : words.text('decided.missing', { count });
}
