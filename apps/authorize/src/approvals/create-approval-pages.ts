import type { PaymentAwaitingApproval } from '#libs/authorization-session';
import { createPaymentSummary } from '../consent/create-consent-page.js';
import { formatAccount, formatDay, formatMoney } from '../consent/format.js';
import type { PaymentsToApprove } from '../consent/payments-to-approve.js';
import { timeOfDay } from '../pages/journey-page.js';
import type { ApprovalFrame, ApprovalListPage, FormProblem, PaymentApprovalPage } from '../pages/page-models.js';
import { createCsrfToken } from '../psu-session/csrf-token.js';
import type { PageRequest } from '../psu-session/page-request.js';
import type { Approver } from './approver.js';

/** @returns what every page of a customer who has signed in has around it */
export function createFrame({ value, session }: Approver, { interactionId }: PageRequest): ApprovalFrame {
  return {
    reference: interactionId,
    csrfToken: createCsrfToken(value),
    psuName: session.psuName,
    closesAt: timeOfDay.format(session.expiresAt),
  };
}

/** @returns the list of what waits for a customer */
export function createApprovalListPage(page: {
  approver: Approver;
  request: PageRequest;
  waiting: readonly PaymentAwaitingApproval[];
}): ApprovalListPage {
  const waiting = page.waiting.map(
    ({ filePaymentId, total, numberOfPayments, clientName, debtorAccount, createdAt }) => ({
      address: `/approvals/payment?file_payment=${filePaymentId}`,
      total: formatMoney(total, 'GBP'),
      count: numberOfPayments,
      clientName,
      accountName: debtorAccount.name,
      day: formatDay(createdAt),
    }),
  );
  return { ...createFrame(page.approver, page.request), waiting };
}

/** @returns all that a further approver sees of a file: the same as the first one, and from which account */
export function createPaymentApprovalPage(page: {
  approver: Approver;
  request: PageRequest;
  payment: PaymentAwaitingApproval;
  file: PaymentsToApprove;
  outcome: string | undefined;
  problem?: FormProblem | undefined;
}): PaymentApprovalPage {
  const { payment, file, outcome, problem } = page;
  const { schemeName, identification, name } = payment.debtorAccount;
  return {
    ...createFrame(page.approver, page.request),
    ...createPaymentSummary(file),
    filePaymentId: payment.filePaymentId,
    clientName: payment.clientName,
    orgName: payment.orgName,
    account: { name, identification: formatAccount(schemeName, identification) },
    approvals: `${payment.approvalsReceived} of ${payment.approvalsRequired}`,
    outcome,
    problem,
  };
}
