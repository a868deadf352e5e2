import type { ApprovalSession, PaymentAwaitingApproval } from '#libs/authorization-session';
import type { DecidedPage, SessionsPage } from '../pages/page-models.js';
import type { PageRequest } from '../psu-session/page-request.js';
import type { Words } from '../wording/words.js';
import type { Approver } from './approver.js';
import { createFrame } from './create-approval-pages.js';
import { describeDecisions, describeMissing, type Reader } from './describe-approvals.js';

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
    decided: readonly PaymentAwaitingApproval[];
    reader: Reader;
  },
): DecidedPage {
  const { reader } = page;
  const payments = page.decided.map((payment) => ({
    address: `/approvals/payment?file_payment=${payment.filePaymentId}`,
    total: words.money(payment.total, 'GBP'),
    count: payment.numberOfPayments,
    clientName: payment.clientName,
    accountName: payment.debtorAccount.name,
    decisions: describeDecisions(words, payment, reader),
    missing: describeMissing(words, payment, reader),
  }));
  return { ...createFrame(words, page.approver, page.request), payments };
}
