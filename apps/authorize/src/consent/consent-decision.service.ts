import { Injectable } from '@nestjs/common';
import { isAwaitingAuthorisation } from '#libs/authorization-session';
import { PaymentAccounts, type PaymentAccount } from '#libs/bank';
import { Clock, Config } from '#libs/config';
import { AccessDeniedError, InvalidRequestError } from '#libs/oauth';
import { parseDateTime } from '#libs/obie-rules';
import type { Answer } from '../pages/answer.js';
import { createJourneyPage } from '../pages/journey-page.js';
import type { FormProblem } from '../pages/page-models.js';
import { PageRenderer } from '../pages/page-renderer.js';
import type { OpenSession } from '../psu-session/open-session.js';
import type { PageRequest } from '../psu-session/page-request.js';
import { createAnsweredError } from '../psu-session/page-errors.js';
import { isAnswered, PsuSessions } from '../psu-session/psu-sessions.service.js';
import { AuthorizationCompletion } from './authorization-completion.service.js';
import { accountValue, createConsentPage } from './create-consent-page.js';
import { formatDay } from './format.js';
import { parsePaymentsToApprove, type PaymentsToApprove } from './payments-to-approve.js';
import { describePermissions } from './permissions.js';
import { selectAccounts } from './select-accounts.js';

/** A file and the accounts it can be paid from, checked for this PSU at this moment. */
interface Decidable {
  readonly file: PaymentsToApprove;
  readonly accounts: readonly PaymentAccount[];
}

/** Last step: the PSU decides. */
@Injectable()
export class ConsentDecision {
  readonly #psuSessions: PsuSessions;
  readonly #paymentAccounts: PaymentAccounts;
  readonly #completion: AuthorizationCompletion;
  readonly #renderer: PageRenderer;
  readonly #config: Config;
  readonly #clock: Clock;

  constructor(
    psuSessions: PsuSessions,
    paymentAccounts: PaymentAccounts,
    completion: AuthorizationCompletion,
    renderer: PageRenderer,
    config: Config,
    clock: Clock,
  ) {
    this.#psuSessions = psuSessions;
    this.#paymentAccounts = paymentAccounts;
    this.#completion = completion;
    this.#renderer = renderer;
    this.#config = config;
    this.#clock = clock;
  }

  /** GET /consent */
  async show(request: PageRequest): Promise<Answer> {
    const open = await this.#psuSessions.openWithConsent(request);
    return this.#psuSessions.withWayBack(open, async () => {
      const decidable = await this.#getDecidable(open);
      return decidable === undefined ? this.#createIdentityPage(open) : this.#createPaymentPage({ open, decidable });
    });
  }

  /** POST /consent: approve */
  async approve(request: PageRequest): Promise<Answer> {
    const open = await this.#psuSessions.openForDecision(request, 'Consent');
    this.#psuSessions.assertOwnForm(request, open);
    return this.#psuSessions.withWayBack(open, async () => {
      if (isAnswered(open)) return this.#completion.repeat(open);
      const decidable = await this.#getDecidable(open);
      if (decidable === undefined) return this.#completion.complete(open);
      const { file, accounts } = decidable;
      const chosen = request.form.get('debtor_account');
      // Never parsed, only compared with what the bank says now.
      const account = accounts.find((candidate) => accountValue(candidate) === chosen);
      if (account === undefined) return this.#createPaymentPage({ open, decidable, problem: noAccountChosen });
      // The approval is for the file that was on the page.
      if (request.form.get('file_hash') !== file.fileHash.toString('base64url')) {
        return this.#createPaymentPage({ open, decidable, chosen, problem: fileChanged });
      }
      return this.#completion.complete(open, { fileHash: file.fileHash, account });
    });
  }

  /** POST /decline, from every page */
  async decline(request: PageRequest): Promise<Answer> {
    const open = await this.#psuSessions.openForDecision(request);
    this.#psuSessions.assertOwnForm(request, open);
    // A decision for the other button stands.
    if (isAnswered(open) && open.consent?.status !== 'Rejected') throw createAnsweredError(open.session);
    return this.#psuSessions.withWayBack(open, () =>
      this.#psuSessions.leave(open, new AccessDeniedError('the customer declined'), { rejectConsent: true }),
    );
  }

  /**
   * Reads the file, asks the bank for the accounts and checks that this PSU can authorise it at all.
   * @returns undefined for a session without intent
   * @throws OAuthError that goes to the TPP
   */
  async #getDecidable(open: OpenSession): Promise<Decidable | undefined> {
    const { consent, session, call } = open;
    if (session.consentId === undefined) return undefined;
    const now = this.#clock.now();
    // Another session, the TPP or the clock was faster.
    if (consent === undefined || !isAwaitingAuthorisation(consent, now)) {
      const error = new InvalidRequestError('the consent is not awaiting authorisation');
      return this.#psuSessions.leave(open, error, { rejectConsent: false });
    }
    const file = parsePaymentsToApprove(consent);
    await this.#assertInTime(open, file, now);
    const accounts = await this.#paymentAccounts.findPaymentAccounts({ psuId: session.psuId ?? '', call });
    return { file, accounts: await this.#getSelectable(open, accounts, file) };
  }

  async #assertInTime(open: OpenSession, { authorisation }: PaymentsToApprove, now: Date): Promise<void> {
    const deadline = parseDateTime(authorisation?.CompletionDateTime ?? '');
    if (deadline === undefined || deadline > now) return;
    const error = new InvalidRequestError('CompletionDateTime of the authorisation has passed');
    await this.#psuSessions.leave(open, error, { rejectConsent: true });
  }

  async #getSelectable(
    open: OpenSession,
    accounts: readonly PaymentAccount[],
    file: PaymentsToApprove,
  ): Promise<readonly PaymentAccount[]> {
    const selection = selectAccounts(accounts, file);
    if (selection.outcome === 'Selectable') return selection.accounts;
    const error =
      selection.outcome === 'NoAccount'
        ? new AccessDeniedError('the customer has no account that the payments can be made from')
        : new InvalidRequestError('AuthorisationType Single is not possible with the accounts of the customer');
    return this.#psuSessions.leave(open, error, { rejectConsent: true });
  }

  #createPaymentPage(page: {
    open: OpenSession;
    decidable: Decidable;
    chosen?: string | undefined;
    problem?: FormProblem;
  }): Answer {
    const { open, decidable, chosen, problem } = page;
    const journey = createJourneyPage(open, problem);
    const approvalsAddress = `${this.#config.authUrl}/approvals`;
    const html = this.#renderer.renderConsent(createConsentPage({ journey, ...decidable, chosen, approvalsAddress }));
    const { redirectUri } = open.session.request;
    return { kind: 'page', status: problem === undefined ? 200 : 400, html, redirectUri };
  }

  #createIdentityPage(open: OpenSession): Answer {
    const { scope, redirectUri, isLasting } = open.session.request;
    const { authUrl, token } = this.#config;
    const endsAt = new Date(this.#clock.now().getTime() + token.refreshTokenSeconds * 1_000);
    // What lasts is to be told apart when it is approved (OIDC Core s16.18).
    const lasting = isLasting === true && {
      lastsUntil: formatDay(endsAt),
      accessAddress: `${authUrl}/approvals/access`,
    };
    const page = { ...createJourneyPage(open), permissions: describePermissions(scope), ...lasting };
    return { kind: 'page', status: 200, html: this.#renderer.renderIdentity(page), redirectUri };
  }
}

const noAccountChosen: FormProblem = {
  fieldId: 'debtor-account-0',
  text: 'Choose the account to pay from',
  code: 'DebtorAccountMissing',
};

const fileChanged: FormProblem = {
  fieldId: 'debtor-account-0',
  text: 'This page was out of date. Check the payments again before you approve.',
  code: 'FileChanged',
};
