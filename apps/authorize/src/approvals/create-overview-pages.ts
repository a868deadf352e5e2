import type { ApprovalSession } from '#libs/customer-session';
import type { OwnDecision, PaymentAwaitingApproval } from '#libs/payment-order';
import type { DecidedPage, SessionsPage, ShownDecided } from '../pages/page-models.js';
import type { PageRequest } from '../psu-session/page-request.js';
import type { Words } from '../wording/words.js';
import type { Approver } from './approver.js';
import { showAccount } from './create-access-page.js';
import { createFrame } from './create-approval-pages.js';
import { describeDecisions, describeMissing, describeOwnDecision, type Reader } from './describe-approvals.js';

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

/**
 * @returns decisions of this customer, and of others on accounts that they share, with the missing approvers; the
 * latest first
 */
export function createDecidedPage(
  words: Words,
  page: {
    approver: Approver;
    request: PageRequest;
    decided: readonly PaymentAwaitingApproval[];
    own: readonly OwnDecision[];
    reader: Reader;
  },
): DecidedPage {
  const { approver, request, decided, own, reader } = page;
  const all = [
    ...decided.map((payment) => ({
      at: payment.decisions.at(-1)?.decidedAt ?? payment.createdAt,
      shown: describeShared(words, payment, reader),
    })),
    ...own.map((decision) => ({ at: decision.decidedAt, shown: describeOwn(words, decision) })),
  ];
  const latest = all.sort((one, other) => other.at.getTime() - one.at.getTime()).slice(0, 50);
  return { ...createFrame(words, approver, request), decided: latest.map(({ shown }) => shown) };
}

function describeShared(words: Words, payment: PaymentAwaitingApproval, reader: Reader): ShownDecided {
  return {
    address: `/approvals/payment?file_payment=${payment.filePaymentId}`,
    file: { total: words.money(payment.total, 'GBP'), count: payment.numberOfPayments, payee: payment.payee },
    clientName: payment.clientName,
    onBehalfOfOrg: payment.onBehalfOfOrg,
    accountName: payment.debtorAccount.name,
    decisions: describeDecisions(words, payment, reader),
    missing: describeMissing(words, payment, reader),
  };
}

function describeOwn(words: Words, { file, access, ...decision }: OwnDecision): ShownDecided {
  const { clientName, onBehalfOfOrg } = decision;
  return {
    ...(file && { file: { total: words.money(file.total, 'GBP'), count: file.numberOfPayments, payee: file.payee } }),
    ...(access && {
      access: {
        title: access.isFunds ? 'decided.funds' : 'decided.read',
        accounts: access.accounts.map((account) => showAccount(words, account)),
      },
    }),
    clientName,
    onBehalfOfOrg,
    accountName: file?.accountName,
    decisions: [describeOwnDecision(words, decision)],
  };
}
