import { isDeepStrictEqual } from 'node:util';
import { Controller, UseGuards } from '@nestjs/common';
import {
  AuthorizationSessionService,
  type AccessToDecide,
  type DeclineReason,
  type PayeesShown,
  type SessionChallenge,
} from '#libs/customer-session';
import type { ChallengeBinding, PaymentAccount } from '#libs/bank';
import { Clock, Config } from '#libs/config';
import { ChallengeDesk } from '../challenge/challenge-desk.service.js';
import { challengeProblem } from '../challenge/challenge-problems.js';
import {
  createAccessBinding,
  createPaymentBinding,
  toChallengeTpp,
  type ChosenAccess,
  type ChosenAccount,
} from '../challenge/create-binding.js';
import type { Answer } from '../pages/answer.js';
import { leadTo, problemOf } from '../pages/carried-word.js';
import type { FormProblemName } from '../pages/form-problems.js';
import type { PaymentOrder } from '../pages/page-models.js';
import { Address, Form, GetPage, PostForm, Query } from '../pages/page-route.js';
import { JourneyEnds } from '../psu-session/journey-ends.service.js';
import { pageAddress, type OpenSession } from '../psu-session/open-session.js';
import { JourneyEndedError, SessionUnknownError } from '../psu-session/page-errors.js';
import { accountsFormBounds, type PageRequest } from '../psu-session/page-request.js';
import { createDeclinedError, isAnswered, PsuSessions } from '../psu-session/psu-sessions.service.js';
import { SignInLimitGuard } from '../sign-in/sign-in-limit.guard.js';
import { AccessDecision, type ChosenAccounts } from './access-decision.service.js';
import { AuthorizationCompletion } from './authorization-completion.service.js';
import { accountsByName, isAccountValue, nameOfChosen } from './account-value.js';
import { ConsentPages, parseOrder } from './consent-pages.service.js';
import { readDeclineReason } from './read-decline-reason.js';
import { DecidableFiles } from './decidable-files.service.js';
import { readPayeesValue } from './payees-shown.js';
import type { PaymentsToApprove } from './payments-to-approve.js';

/** The PSU reads, chooses and presses a button; an approval is then authenticated (ChallengeController). */
@Controller()
export class ConsentController {
  constructor(
    private readonly psuSessions: PsuSessions,
    private readonly sessions: AuthorizationSessionService,
    private readonly ends: JourneyEnds,
    private readonly desk: ChallengeDesk,
    private readonly files: DecidableFiles,
    private readonly access: AccessDecision,
    private readonly completion: AuthorizationCompletion,
    private readonly pages: ConsentPages,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /**
   * @param asked.ending of a failed challenge
   * @param asked.order how the payments are sorted
   * @param asked.account form value of the account that was chosen before the payments were sorted
   * @param asked.advice whether the customer has just declined because of suspected fraud
   * @param asked.decline present if the customer wants to decline and is asked why: the stage of the page before
   */
  @GetPage('consent')
  async show(
    @Address() request: PageRequest,
    @Query(['ending', 'order', 'account', 'advice', 'decline'])
    asked: Readonly<Record<'ending' | 'order' | 'account' | 'advice' | 'decline', string | undefined>>,
  ): Promise<Answer> {
    const { ending, account } = asked;
    const open = await this.psuSessions.openWithConsent(request, 'Consent').catch((error: unknown) => {
      throw asked.advice === 'SuspectedFraud' ? toSuspectedFraud(error) : error;
    });
    if (asked.decline !== undefined) return this.pages.createDeclinePage(open, asked.decline);
    const problem = problemOf(request.word) ?? challengeProblem(ending, 'approve');
    return this.psuSessions.withWayBack(open, async () => {
      const { access } = open;
      if (access !== undefined) {
        const accounts = await this.access.getAccounts(open, access);
        return this.pages.createAccessPage({ open, access, accounts, problem });
      }
      const decidable = await this.files.getDecidable(open);
      if (decidable === undefined) return this.pages.createIdentityPage(open, problem);
      const chosen = account ?? chosenBefore(open);
      return this.pages.createPaymentPage({ open, decidable, chosen, order: parseOrder(asked.order), problem });
    });
  }

  /** Sorts the payments and keeps the chosen account. */
  @PostForm('consent/order')
  sort(@Form() request: PageRequest): Answer {
    const location = toPayments(request, parseOrder(request.form.get('order')));
    return { kind: 'redirect', status: 303, location: `${location}#payments-title` };
  }

  /** The button; the bank then asks for exactly this. */
  @PostForm('consent')
  @UseGuards(SignInLimitGuard)
  async approve(@Form(accountsFormBounds) request: PageRequest): Promise<Answer> {
    const open = await this.psuSessions.openForDecision(request, 'Consent');
    await this.psuSessions.admitForm(request, open);
    return this.psuSessions.withWayBack(open, async () => {
      if (isAnswered(open)) return this.completion.repeat(open);
      if (open.access !== undefined) return this.#approveAccess(open, open.access, request);
      const decidable = await this.files.getDecidable(open);
      if (decidable === undefined) return this.#askForAccess(open);
      const { file, accounts } = decidable;
      const chosen = request.form.get('debtor_account');
      // Never parsed, only compared with the bank's current accounts.
      const account = accountsByName(accounts, open.value).get(chosen ?? '');
      if (account === undefined) return paymentsAgain(request, 'accountMissing');
      if (account.unusable !== undefined) return paymentsAgain(request, 'accountUnusable');
      // The approval is for the file on the page.
      if (request.form.get('file_hash') !== file.approvalHash.toString('base64url'))
        return paymentsAgain(request, 'fileChanged');
      const payees = readPayeesValue(request.form.get('payees_shown'), open.value);
      return this.#askForPayment(open, { file, account, payees });
    });
  }

  /** From every page. */
  @PostForm('decline')
  async decline(@Form() request: PageRequest): Promise<Answer> {
    const open = await this.psuSessions.openForDecline(request);
    this.psuSessions.assertOwnForm(request, open);
    const reason = readDeclineReason(request.form);
    if (isAnswered(open)) return this.#declineAgain(open, reason);
    return this.psuSessions.withWayBack(open, async () => {
      await this.psuSessions.decline(open, reason).catch((error: unknown) => {
        throw declinedBefore(error) ? toDeclined(open, reason) : error;
      });
      throw toDeclined(open, reason);
    });
  }

  // The browser follows the answer to the last of several clicks. Any other result of the session stays, and the page
  // shows it.
  async #declineAgain(open: OpenSession, reason: DeclineReason | undefined): Promise<never> {
    const ended = await this.ends.describe(open);
    throw declinedBefore(ended) ? toDeclined(open, reason) : ended;
  }

  async #askForPayment(
    open: OpenSession,
    { file, account, payees }: { file: PaymentsToApprove; account: PaymentAccount; payees: PayeesShown | undefined },
  ): Promise<Answer> {
    const { schemeName: SchemeName, identification: Identification, name: Name, approvalsRequired } = account;
    const { secondaryIdentification: SecondaryIdentification } = account;
    const { psuId = '', consentId = '', request } = open.session;
    const debtorAccount = {
      SchemeName,
      Identification,
      Name,
      ...(SecondaryIdentification && { SecondaryIdentification }),
    };
    const approvalHash = file.approvalHash.toString('hex');
    if (isAsked(open, { debtorAccount, approvalsRequired, approvalHash, now: this.clock.now() }))
      return toChallenge(open);
    const { interactionId } = open.call;
    const tpp = toChallengeTpp(request);
    const binding = createPaymentBinding({ psuId, interactionId, consentId, file, account: debtorAccount, tpp });
    return this.#ask(open, binding, { approvalHash, debtorAccount, approvalsRequired, payees });
  }

  async #approveAccess(open: OpenSession, access: AccessToDecide, request: PageRequest): Promise<Answer> {
    const accounts = await this.access.getAccounts(open, access);
    const sent = request.accounts ?? [];
    const chosen = this.access.choose(access, { accounts, sent, sessionValue: open.value });
    if (chosen !== undefined) return this.#askForAccess(open, { terms: access.terms, accounts: chosen });
    const { sessionId } = open.session;
    return leadTo(pageAddress({ sessionId, stage: 'Consent' }), { name: 'accountsMissing' });
  }

  async #askForAccess(open: OpenSession, access?: ChosenAccess): Promise<Answer> {
    if (isAsked(open, { ...access, now: this.clock.now() })) return toChallenge(open);
    const { psuId = '', request } = open.session;
    const lastsSeconds = this.config.token.refreshTokenSeconds;
    const { interactionId } = open.call;
    const binding = createAccessBinding({ psuId, interactionId, request, lastsSeconds, access });
    return this.#ask(open, binding, access && { accounts: access.accounts });
  }

  async #ask(open: OpenSession, binding: ChallengeBinding, decided: Partial<SessionChallenge> = {}): Promise<Answer> {
    await this.desk.askWithin(open, binding, ({ challenge, started }) => {
      const step = { key: open.key, challenge: { ...challenge, ...decided }, started, now: this.clock.now() };
      return this.sessions.enterChallenge(step);
    });
    // If another click was faster, the page shows its challenge.
    return toChallenge(open);
  }
}

const declinedBefore = (error: unknown): boolean => error instanceof JourneyEndedError && error.ending === 'Declined';

/** The TPP gets the same error for every reason. After suspected fraud, the PSU first sees what to do. */
function toDeclined(open: OpenSession, reason: DeclineReason | undefined): Error {
  const error = createDeclinedError(open);
  return reason === 'SuspectedFraud' ? new JourneyEndedError('SuspectedFraud', open.session, { error }) : error;
}

function toSuspectedFraud(error: unknown): unknown {
  return error instanceof JourneyEndedError && error.ending === 'Declined'
    ? new JourneyEndedError('SuspectedFraud', error.session, error.back)
    : error;
}

/** @returns the address of the payments in an order, with the account that was chosen in the form */
function toPayments({ sessionId, form }: PageRequest, order: PaymentOrder): string {
  if (sessionId === undefined) throw new SessionUnknownError('The form names no session.');
  const account = form.get('debtor_account');
  const query = new URLSearchParams({ order });
  if (account !== undefined && isAccountValue(account)) query.set('account', account);
  return `${pageAddress({ sessionId, stage: 'Consent' })}&${query.toString()}`;
}

function paymentsAgain(request: PageRequest, name: FormProblemName): Answer {
  return leadTo(toPayments(request, parseOrder(request.form.get('shown_order'))), { name });
}

const toChallenge = ({ session }: OpenSession): Answer => ({
  kind: 'redirect',
  status: 303,
  location: pageAddress({ sessionId: session.sessionId, stage: 'Challenge' }),
});

/** @returns whether the bank already asks for exactly this, so that a second click sends no second message */
function isAsked(
  { session }: OpenSession,
  expected: {
    debtorAccount?: ChosenAccount;
    approvalsRequired?: number;
    approvalHash?: string;
    accounts?: ChosenAccounts;
    now: Date;
  },
): boolean {
  const { challenge, stage } = session;
  if (stage !== 'Challenge' || challenge === undefined || challenge.isOver === true) return false;
  // The challenge may have been refused in the app, so a new click asks again.
  if (challenge.method !== 'Code' || new Date(challenge.expiresAt) <= expected.now) return false;
  const { SchemeName, Identification } = challenge.debtorAccount ?? {};
  return (
    challenge.approvalHash === expected.approvalHash &&
    challenge.approvalsRequired === expected.approvalsRequired &&
    isDeepStrictEqual(challenge.accounts, expected.accounts) &&
    SchemeName === expected.debtorAccount?.SchemeName &&
    Identification === expected.debtorAccount?.Identification
  );
}

/** @returns the account chosen before the payments are shown again */
function chosenBefore({ session }: OpenSession): string | undefined {
  const account = session.challenge?.debtorAccount;
  return account && nameOfChosen(account);
}
