import { Controller, UseGuards } from '@nestjs/common';
import {
  ApprovalSessionService,
  declineReasons,
  type DeclineReason,
  type SessionChallenge,
} from '#libs/customer-session';
import { PaymentApprovalService, type PaymentAwaitingApproval } from '#libs/payment-order';
import { PaymentAccounts, type PaymentAccount } from '#libs/bank';
import { Clock, Config } from '#libs/config';
import { isUuid, londonDay } from '#libs/obie-rules';
import { challengeProblem } from '../challenge/challenge-problems.js';
import { readDeclineReason } from '../consent/read-decline-reason.js';
import { readPayeesValue } from '../consent/payees-shown.js';
import { parseOrder } from '../consent/consent-pages.service.js';
import { PayeeAnswersDesk } from '../consent/payee-answers.service.js';
import { parsePaymentsToApprove, type PaymentsToApprove } from '../consent/payments-to-approve.js';
import type { Answer } from '../pages/answer.js';
import { leadTo, problemOf } from '../pages/carried-word.js';
import type { FormProblem } from '../pages/page-models.js';
import { Address, Form, GetPage, Load, PostForm, Query } from '../pages/page-route.js';
import { PageRenderer } from '../pages/page-renderer.js';
import { PaymentUnknownError, PsuLockedError } from '../psu-session/page-errors.js';
import type { PageLoad, PageRequest } from '../psu-session/page-request.js';
import { isOfChallenge } from '../psu-session/page-value.js';
import { readOneTimeCode } from '../sign-in/read-credentials.js';
import { SignInLimitGuard } from '../sign-in/sign-in-limit.guard.js';
import { again, ApprovalChallenge, toPayment, type AskedApproval } from './approval-challenge.service.js';
import { ApprovalSignInController } from './approval-sign-in.controller.js';
import { ApprovalVisits } from './approval-visits.service.js';
import { findDecidableAccounts, toApprover, type ApprovalVisit, type Approver } from './approver.js';
import { createApprovalListPage, createFrame, createPaymentApprovalPage } from './create-approval-pages.js';
import { describeOutcome } from './describe-outcome.js';
import { readLanding } from './landing.js';

/** Further approvers of an account: what waits for them, and their decisions. */
@Controller('approvals')
export class PaymentApprovalsController {
  constructor(
    private readonly visits: ApprovalVisits,
    private readonly signIn: ApprovalSignInController,
    private readonly approvals: PaymentApprovalService,
    private readonly sessions: ApprovalSessionService,
    private readonly challenge: ApprovalChallenge,
    private readonly paymentAccounts: PaymentAccounts,
    private readonly answers: PayeeAnswersDesk,
    private readonly renderer: PageRenderer,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /** The sign-in, and then the page that the customer wanted or what waits for them. */
  @GetPage()
  async showList(@Address() request: PageRequest, @Load() load: PageLoad): Promise<Answer> {
    const visit = await this.visits.find(request, load);
    if (request.word?.name === 'locked') throw new PsuLockedError('The customer is locked.');
    const approver = toApprover(visit);
    if (approver === undefined) return this.signIn.show(visit, request, load);
    const landing = readLanding(load.to);
    if (landing !== undefined) return { kind: 'redirect', status: 303, location: landing };
    const accounts = await this.#findAccounts(approver, request);
    const waiting = await this.approvals.findAwaiting(approver.session.psuId, accounts);
    const sessions = await this.sessions.findOfPsu(approver.session.psuId, this.clock.now());
    const otherSessions = sessions.filter(({ sessionId }) => sessionId !== approver.session.sessionId).length;
    const content = { approver, request, waiting, otherSessions, accounts };
    const page = this.renderer.render('approval-list', (words) => createApprovalListPage(words, content));
    return { kind: 'page', status: 200, page };
  }

  /**
   * @param asked.ending of a failed challenge
   * @param asked.order how the payments are sorted
   * @param asked.advice whether the customer declined because of suspected fraud
   * @param asked.decline present if the customer wants to decline and is asked why: the stage of the page before
   */
  @GetPage('payment')
  async showPayment(
    @Address() request: PageRequest,
    @Query(['file_payment', 'ending', 'order', 'advice', 'decline'])
    asked: Readonly<Record<'file_payment' | 'ending' | 'order' | 'advice' | 'decline', string | undefined>>,
  ): Promise<Answer> {
    const { file_payment: filePaymentId, ending, order, advice, decline } = asked;
    const visit = await this.visits.find(request);
    const approver = toApprover(visit);
    if (approver === undefined) return this.visits.createWayToSignIn(visit, paymentAddress(filePaymentId));
    const accounts = await this.#findAccounts(approver, request);
    const problem = problemOf(request.word) ?? challengeProblem(ending, 'approve');
    const page = { request, approver, accounts, filePaymentId, order, advice, decline };
    return this.#createPaymentPage({ ...page, ...(problem && { problem }) });
  }

  /** The bank asks for exactly this. */
  @PostForm('approve')
  @UseGuards(SignInLimitGuard)
  approve(@Form() request: PageRequest): Promise<Answer> {
    return this.decide(request, 'Approved');
  }

  /** Declines immediately. */
  @PostForm('decline')
  decline(@Form() request: PageRequest): Promise<Answer> {
    return this.decide(request, 'Declined');
  }

  async decide(request: PageRequest, outcome: 'Approved' | 'Declined'): Promise<Answer> {
    const isApproval = outcome === 'Approved';
    const visit = isApproval ? await this.visits.admitForm(request) : await this.visits.findForForm(request);
    const approver = toApprover(visit);
    const filePaymentId = request.form.get('file_payment');
    if (approver === undefined) return this.visits.createWayToSignIn(visit, paymentAddress(filePaymentId));
    const accounts = await this.#findAccounts(approver, request);
    const found = await this.#getPayment({ request, approver, accounts, filePaymentId });
    const { payment, file } = found;
    const now = this.clock.now();
    const page = { request, approver, accounts, filePaymentId };
    if (this.#describeOutcome(payment, file, now) !== undefined) return toPayment(found);
    const reason = readDeclineReason(request.form);
    if (outcome === 'Declined') return this.#decline({ ...page, ...found, reason });
    const isShown = request.form.get('file_hash') === file.approvalHash.toString('base64url');
    if (!isShown) return leadTo(paymentAddress(payment.filePaymentId), { name: 'fileChanged' });
    const payees = readPayeesValue(request.form.get('payees_shown'), approver.value);
    return this.challenge.ask({ ...page, ...found }, payees);
  }

  @GetPage('challenge')
  async showChallenge(@Address() request: PageRequest, @Load() load: PageLoad): Promise<Answer> {
    const asked = await this.#findAsked(request, await this.visits.find(request, load));
    if ('kind' in asked) return asked;
    return this.challenge.show(asked, asked.challenge, load);
  }

  @PostForm('challenge')
  @UseGuards(SignInLimitGuard)
  submitChallenge(@Form() request: PageRequest): Promise<Answer> {
    return this.#withOwnChallenge(request, async (asked) => {
      if (asked.challenge.method === 'Push') return again();
      const { oneTimeCode, problem } = readOneTimeCode(request.form);
      return problem === undefined ? this.challenge.answer(asked, asked.challenge, oneTimeCode) : again(problem);
    });
  }

  @PostForm('challenge/again')
  @UseGuards(SignInLimitGuard)
  askAgain(@Form() request: PageRequest): Promise<Answer> {
    return this.#withOwnChallenge(request, (asked) => this.challenge.ask(asked, asked.challenge.payees, 'codeSent'));
  }

  @GetPage('challenge/status')
  async findChallengeStatus(@Address() request: PageRequest): Promise<string> {
    const { session } = await this.visits.find(request, { isWaiting: true });
    return session?.challenge === undefined ? 'Used' : this.challenge.findStatus(session.challenge, request);
  }

  // A form of the page that waits.
  async #withOwnChallenge(
    request: PageRequest,
    step: (asked: AskedApproval & { challenge: SessionChallenge }) => Promise<Answer>,
  ): Promise<Answer> {
    const asked = await this.#findAsked(request, await this.visits.admitForm(request));
    if ('kind' in asked) return asked;
    return isOwnChallenge(request, asked) ? step(asked) : again('otherChallenge');
  }

  // The session's current challenge; the list if it has none, the outcome if it is decided.
  async #findAsked(
    request: PageRequest,
    visit: ApprovalVisit,
  ): Promise<Answer | (AskedApproval & { challenge: SessionChallenge })> {
    const approver = toApprover(visit);
    const { challenge } = approver?.session ?? {};
    if (approver === undefined || challenge?.filePaymentId === undefined) return this.visits.createWayToSignIn(visit);
    const accounts = await this.#findAccounts(approver, request);
    const { filePaymentId } = challenge;
    const found = await this.#getPayment({ request, approver, accounts, filePaymentId });
    const page = { request, approver, accounts, filePaymentId };
    if (this.#describeOutcome(found.payment, found.file, this.clock.now()) !== undefined) return toPayment(found);
    return { ...page, ...found, challenge };
  }

  async #decline(decline: {
    request: PageRequest;
    approver: Approver;
    accounts: readonly PaymentAccount[];
    payment: PaymentAwaitingApproval;
    file: PaymentsToApprove;
    consentId: string;
    reason: DeclineReason | undefined;
  }): Promise<Answer> {
    const { request, approver, accounts, payment, file, consentId, reason } = decline;
    const { psuId, acr, authenticatedAt } = approver.session;
    const { interactionId } = request;
    const { filePaymentId } = payment;
    const { approvalHash } = file;
    const now = this.clock.ofDatabase();
    const decision = { psuId, accounts, filePaymentId, approvalHash, acr, authenticatedAt, now };
    const notice = reason && { psuId, reason, fileId: consentId, filePaymentId, requestedBy: payment.clientName };
    // The page says so if somebody else was faster.
    await this.approvals.decide({ outcome: 'Declined', reason, notice, ...decision, interactionId });
    const advice = reason === 'SuspectedFraud' ? `&advice=${reason}` : '';
    return { kind: 'redirect', status: 303, location: `${paymentAddress(filePaymentId)}${advice}` };
  }

  #describeOutcome(payment: PaymentAwaitingApproval, file: PaymentsToApprove, now: Date) {
    const { approvalSeconds } = this.config.authorization;
    return describeOutcome(payment, file, { now, approvalSeconds });
  }

  #findAccounts(approver: Approver, request: PageRequest): Promise<readonly PaymentAccount[]> {
    return findDecidableAccounts(this.paymentAccounts, approver, request);
  }

  async #getPayment(of: {
    request: PageRequest;
    approver: Approver;
    accounts: readonly PaymentAccount[];
    filePaymentId: string | undefined;
  }): Promise<{ payment: PaymentAwaitingApproval; consentId: string; file: PaymentsToApprove }> {
    const { request, approver, accounts, filePaymentId = '' } = of;
    const found = isUuid(filePaymentId)
      ? await this.approvals.find(approver.session.psuId, accounts, filePaymentId)
      : undefined;
    // A payment from somebody else's account gets the same answer.
    if (found === undefined) throw new PaymentUnknownError('No account of this customer has such a payment.');
    const { payment, consent } = found;
    request.hold(consent.instructions?.length ?? 0);
    return { payment, consentId: consent.consentId, file: parsePaymentsToApprove(consent) };
  }

  async #createPaymentPage(page: {
    request: PageRequest;
    approver: Approver;
    accounts: readonly PaymentAccount[];
    filePaymentId: string | undefined;
    order?: string | undefined;
    advice?: string | undefined;
    decline?: string | undefined;
    problem?: FormProblem;
  }): Promise<Answer> {
    const { payment, file } = await this.#getPayment(page);
    const now = this.clock.now();
    const outcome = this.#describeOutcome(payment, file, now);
    if (page.decline !== undefined && outcome === undefined) return this.#createDeclinePage(page, payment);
    const { calendar } = this.config.filePayment.cutOff;
    const order = parseOrder(page.order);
    const { psuId } = page.approver.session;
    const { interactionId } = page.request;
    // A decided payment is shown without asking the bank.
    const answers = outcome === undefined ? await this.answers.find({ psuId, file, call: { interactionId } }) : {};
    const isFraud = page.advice === 'SuspectedFraud' && payment.decision?.outcome === 'Declined';
    const today = londonDay(now);
    const { approvalSeconds } = this.config.authorization;
    const content = { ...page, isFraud, approvalSeconds, payment, file, outcome, calendar, today, order, answers };
    const written = this.renderer.render('payment-approval', (words) => createPaymentApprovalPage(words, content));
    return { kind: 'page', status: page.problem === undefined ? 200 : 400, page: written };
  }

  #createDeclinePage(
    { approver, request, decline }: { approver: Approver; request: PageRequest; decline?: string | undefined },
    { filePaymentId }: PaymentAwaitingApproval,
  ): Answer {
    // Another tab may have asked for another payment since.
    const isAsked = decline === 'Challenge' && approver.session.challenge?.filePaymentId === filePaymentId;
    const page = this.renderer.render('decline-page', (words) => ({
      ...createFrame(words, approver, request),
      ownAddress: isAsked ? '/approvals/challenge' : paymentAddress(filePaymentId),
      action: '/approvals/decline',
      reasons: declineReasons,
      filePaymentId,
    }));
    return { kind: 'page', status: 200, page };
  }
}

const paymentAddress = (id = ''): string => `/approvals/payment?file_payment=${id}`;

function isOwnChallenge(
  { form }: PageRequest,
  { approver, challenge }: { approver: Approver; challenge: SessionChallenge },
): boolean {
  return isOfChallenge(form, { sessionValue: approver.value, challengeId: challenge.challengeId });
}
