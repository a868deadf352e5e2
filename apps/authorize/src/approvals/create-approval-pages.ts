import type { PaymentAwaitingApproval } from '#libs/payment-order';
import type { PaymentAccount } from '#libs/bank';
import type { CutOffCalendar } from '#libs/obie-rules';
import { createPaymentSummary } from '../consent/create-consent-page.js';
import { formatAccount } from '../consent/format.js';
import { countAnswers, createPayeesValue } from '../consent/payees-shown.js';
import type { PayeeAnswers } from '../consent/payee-answers.service.js';
import type { PaymentsToApprove } from '../consent/payments-to-approve.js';
import type {
  ApprovalFrame,
  ApprovalListPage,
  FormProblem,
  PaymentApprovalPage,
  PaymentOrder,
} from '../pages/page-models.js';
import { createCsrfToken } from '../psu-session/csrf-token.js';
import type { PageRequest } from '../psu-session/page-request.js';
import type { Words } from '../wording/words.js';
import type { MessageKey } from '../wording/en.js';
import type { Approver } from './approver.js';
import { deadlineOf } from './describe-outcome.js';
import { describeDecisions, describeMissing } from './describe-approvals.js';

/** @returns the frame of every page for a signed-in customer */
export function createFrame(words: Words, { value, session }: Approver, { interactionId }: PageRequest): ApprovalFrame {
  return {
    reference: interactionId,
    csrfToken: createCsrfToken(value),
    psuName: session.psuName,
    closesAt: words.time(session.expiresAt),
    moreTimeAddress: '/approvals/more-time',
  };
}

/** @returns the list of requests that wait for a customer */
export function createApprovalListPage(
  words: Words,
  page: {
    approver: Approver;
    request: PageRequest;
    waiting: readonly PaymentAwaitingApproval[];
    otherSessions: number;
    accounts: readonly PaymentAccount[];
  },
): ApprovalListPage {
  const reader = { psuId: page.approver.session.psuId, accounts: page.accounts };
  const waiting = page.waiting.map((payment) => ({
    address: `/approvals/payment?file_payment=${payment.filePaymentId}`,
    total: words.money(payment.total, 'GBP'),
    count: payment.numberOfPayments,
    payee: payment.payee,
    clientName: payment.clientName,
    onBehalfOfOrg: payment.onBehalfOfOrg,
    accountName: payment.debtorAccount.name,
    day: words.day(payment.createdAt),
    decisions: describeDecisions(words, payment, reader),
    missing: describeMissing(words, payment, reader),
  }));
  return { ...createFrame(words, page.approver, page.request), waiting, otherSessions: page.otherSessions };
}

/** @returns what a further approver sees of a file: the same as the first approver, and the account */
export function createPaymentApprovalPage(
  words: Words,
  page: {
    approver: Approver;
    request: PageRequest;
    accounts: readonly PaymentAccount[];
    payment: PaymentAwaitingApproval;
    file: PaymentsToApprove;
    outcome: MessageKey | undefined;
    /** declined by this PSU, who suspects fraud */
    isFraud: boolean;
    approvalSeconds: number;
    calendar: CutOffCalendar;
    today: string;
    order: PaymentOrder;
    answers: PayeeAnswers;
    problem?: FormProblem | undefined;
  },
): PaymentApprovalPage {
  const { payment, file, outcome, isFraud, calendar, order, answers, problem } = page;
  const today = outcome === undefined ? page.today : undefined;
  const isWaiting = outcome === 'outcome.approvedWaiting';
  const reader = { psuId: page.approver.session.psuId, accounts: page.accounts };
  const { schemeName, identification, name } = payment.debtorAccount;
  return {
    ...createFrame(words, page.approver, page.request),
    ...createPaymentSummary({ file, calendar, today, order, answers, words }),
    orderAddress: `/approvals/payment?file_payment=${payment.filePaymentId}`,
    ownAddress: `/approvals/payment?file_payment=${payment.filePaymentId}`,
    filePaymentId: payment.filePaymentId,
    clientName: payment.clientName,
    orgName: payment.orgName,
    registerNumber: payment.registerNumber ?? payment.orgId,
    onBehalfOfOrg: payment.onBehalfOfOrg,
    account: { name, identification: formatAccount(words, schemeName, identification) },
    approvals: words.text('summary.approvalsOf', {
      received: payment.approvalsReceived,
      required: payment.approvalsRequired,
    }),
    decisions: [
      ...describeDecisions(words, payment, reader),
      ...(isWaiting ? [describeMissing(words, payment, reader)] : []),
    ],
    payeesShown: createPayeesValue(countAnswers(answers, file.payments.length), page.approver.value),
    deadline:
      outcome === undefined || isWaiting
        ? words.moment(deadlineOf(payment, file.authorisation, page.approvalSeconds))
        : undefined,
    outcome,
    isFraud,
    problem,
  };
}
