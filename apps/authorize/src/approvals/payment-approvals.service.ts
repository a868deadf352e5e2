import { Injectable } from '@nestjs/common';
import { PaymentApprovalService, type PaymentAwaitingApproval } from '#libs/authorization-session';
import { PaymentAccounts, type PaymentAccount } from '#libs/bank';
import { Clock, Config } from '#libs/config';
import { isUuid } from '#libs/obie-rules';
import { parsePaymentsToApprove } from '../consent/payments-to-approve.js';
import type { Answer } from '../pages/answer.js';
import type { FormProblem } from '../pages/page-models.js';
import { PageRenderer } from '../pages/page-renderer.js';
import { PaymentUnknownError } from '../psu-session/page-errors.js';
import type { PageRequest } from '../psu-session/page-request.js';
import { ApprovalSignIn } from './approval-sign-in.service.js';
import { ApprovalVisits } from './approval-visits.service.js';
import { toApprover, type Approver } from './approver.js';
import { createApprovalListPage, createPaymentApprovalPage } from './create-approval-pages.js';
import { describeOutcome } from './describe-outcome.js';

/** The further people whose approval an account needs: what waits for them, and their decisions. */
@Injectable()
export class PaymentApprovals {
  readonly #visits: ApprovalVisits;
  readonly #signIn: ApprovalSignIn;
  readonly #approvals: PaymentApprovalService;
  readonly #paymentAccounts: PaymentAccounts;
  readonly #renderer: PageRenderer;
  readonly #clock: Clock;
  readonly #config: Config;

  constructor(
    visits: ApprovalVisits,
    signIn: ApprovalSignIn,
    approvals: PaymentApprovalService,
    paymentAccounts: PaymentAccounts,
    renderer: PageRenderer,
    clock: Clock,
    config: Config,
  ) {
    this.#visits = visits;
    this.#signIn = signIn;
    this.#approvals = approvals;
    this.#paymentAccounts = paymentAccounts;
    this.#renderer = renderer;
    this.#clock = clock;
    this.#config = config;
  }

  /** GET /approvals: the sign-in, or what waits for this customer */
  async showList(request: PageRequest): Promise<Answer> {
    const visit = await this.#visits.find(request);
    const approver = toApprover(visit);
    if (approver === undefined) return this.#signIn.show(visit, request);
    const accounts = await this.#findAccounts(approver, request);
    const waiting = await this.#approvals.findAwaiting(approver.session.psuId, accounts);
    const html = this.#renderer.renderApprovalList(createApprovalListPage({ approver, request, waiting }));
    return { kind: 'page', status: 200, html };
  }

  /** GET /approvals/payment */
  async showPayment(request: PageRequest, filePaymentId: string | undefined): Promise<Answer> {
    const approver = toApprover(await this.#visits.find(request));
    if (approver === undefined) return this.#visits.createWayToList();
    const accounts = await this.#findAccounts(approver, request);
    return this.#createPaymentPage({ request, approver, accounts, filePaymentId });
  }

  /** POST /approvals/approve and /approvals/decline */
  async decide(request: PageRequest, outcome: 'Approved' | 'Declined'): Promise<Answer> {
    const approver = toApprover(await this.#visits.findForForm(request));
    if (approver === undefined) return this.#visits.createWayToList();
    const accounts = await this.#findAccounts(approver, request);
    const filePaymentId = request.form.get('file_payment');
    const { payment, file } = await this.#getPayment({ approver, accounts, filePaymentId });
    const now = this.#clock.now();
    const isShown = request.form.get('file_hash') === file.fileHash.toString('base64url');
    const page = { request, approver, accounts, filePaymentId };
    if (this.#describeOutcome(payment, file, now) !== undefined) return this.#createPaymentPage(page);
    if (!isShown) return this.#createPaymentPage({ ...page, problem: fileChanged });
    const { psuId, acr, authenticatedAt } = approver.session;
    const { interactionId } = request;
    const decision = { outcome, psuId, accounts, fileHash: file.fileHash, acr, authenticatedAt, now, interactionId };
    // If somebody else was faster the page says so.
    await this.#approvals.decide({ ...decision, filePaymentId: payment.filePaymentId });
    return { kind: 'redirect', status: 303, location: `/approvals/payment?file_payment=${payment.filePaymentId}` };
  }

  #describeOutcome(payment: PaymentAwaitingApproval, file: ReturnType<typeof parsePaymentsToApprove>, now: Date) {
    const { approvalSeconds } = this.#config.authorization;
    return describeOutcome(payment, file, { now, approvalSeconds });
  }

  #findAccounts({ session }: Approver, { interactionId }: PageRequest): Promise<readonly PaymentAccount[]> {
    return this.#paymentAccounts.findPaymentAccounts({ psuId: session.psuId, call: { interactionId } });
  }

  async #getPayment(of: {
    approver: Approver;
    accounts: readonly PaymentAccount[];
    filePaymentId: string | undefined;
  }): Promise<{ payment: PaymentAwaitingApproval; file: ReturnType<typeof parsePaymentsToApprove> }> {
    const { approver, accounts, filePaymentId = '' } = of;
    const found = isUuid(filePaymentId)
      ? await this.#approvals.find(approver.session.psuId, accounts, filePaymentId)
      : undefined;
    // One of somebody else's accounts looks the same from outside.
    if (found === undefined) throw new PaymentUnknownError('No such file payment of an account of this customer.');
    return { payment: found.payment, file: parsePaymentsToApprove(found.consent) };
  }

  async #createPaymentPage(page: {
    request: PageRequest;
    approver: Approver;
    accounts: readonly PaymentAccount[];
    filePaymentId: string | undefined;
    problem?: FormProblem;
  }): Promise<Answer> {
    const { payment, file } = await this.#getPayment(page);
    const outcome = this.#describeOutcome(payment, file, this.#clock.now());
    const html = this.#renderer.renderPaymentApproval(createPaymentApprovalPage({ ...page, payment, file, outcome }));
    return { kind: 'page', status: page.problem === undefined ? 200 : 400, html };
  }
}

const fileChanged: FormProblem = {
  fieldId: 'payments-title',
  text: 'This page was out of date. Check the payments again before you approve.',
  code: 'FileChanged',
};
