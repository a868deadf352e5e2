import { Injectable } from '@nestjs/common';
import { declineReasons, type AccessToDecide } from '#libs/customer-session';
import type { PaymentAccount } from '#libs/bank';
import { Clock, Config } from '#libs/config';
import { londonDay } from '#libs/obie-rules';
import type { Answer } from '../pages/answer.js';
import { createJourneyPage } from '../pages/journey-page.js';
import type { FormProblem, PaymentOrder } from '../pages/page-models.js';
import { PageRenderer } from '../pages/page-renderer.js';
import { pageAddress, type OpenSession } from '../psu-session/open-session.js';
import { deadlineOf } from '../approvals/describe-outcome.js';
import { accountsByName } from './account-value.js';
import { createConsentPage } from './create-consent-page.js';
import { PayeeAnswersDesk } from './payee-answers.service.js';
import type { PaymentsToApprove } from './payments-to-approve.js';
import { chosenBefore } from './access-decision.service.js';
import { dayInWords, describeAccess, describePeriod, showAccounts, wordingOf } from './describe-access.js';
import { describePermissions } from './permissions.js';

/** A file and the accounts that can pay it, checked for this PSU now. */
export interface Decidable {
  readonly file: PaymentsToApprove;
  readonly accounts: readonly PaymentAccount[];
}

/** The pages on which a PSU decides. */
@Injectable()
export class ConsentPages {
  constructor(
    private readonly renderer: PageRenderer,
    private readonly answers: PayeeAnswersDesk,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /** A file of payments. */
  async createPaymentPage(page: {
    open: OpenSession;
    decidable: Decidable;
    /** the account in a form that is shown again, or in the address */
    chosen?: string | undefined;
    order: PaymentOrder;
    problem?: FormProblem | undefined;
  }): Promise<Answer> {
    const { open, decidable, order, problem } = page;
    const { authUrl, authorization, filePayment } = this.config;
    const approvalsAddress = `${authUrl}/approvals`;
    const { calendar } = filePayment.cutOff;
    const now = this.clock.now();
    const { psuId = '' } = open.session;
    const answers = await this.answers.find({ psuId, file: decidable.file, call: open.call });
    const chosen = accountsByName(decidable.accounts, open.value).get(page.chosen ?? '');
    const content = {
      ...decidable,
      chosen,
      sessionValue: open.value,
      approvalsAddress,
      psuId,
      deadline: deadlineOf({ createdAt: now }, decidable.file.authorisation, authorization.approvalSeconds),
      calendar,
      today: londonDay(now),
      showsBalances: authorization.bothFactorsFirst,
      order,
      answers,
    };
    const written = this.renderer.render('consent', (words) =>
      createConsentPage({ ...content, journey: createJourneyPage(open, words, problem), words }),
    );
    const { redirectUri, uiLocales } = open.session.request;
    return { kind: 'page', status: problem === undefined ? 200 : 400, page: written, redirectUri, uiLocales };
  }

  /** Lasting access: permissions, accounts and duration. */
  createAccessPage(page: {
    open: OpenSession;
    access: AccessToDecide;
    accounts: readonly PaymentAccount[];
    problem?: FormProblem | undefined;
  }): Answer {
    const { open, access, accounts, problem } = page;
    const { authUrl, authorization } = this.config;
    const { redirectUri, uiLocales } = open.session.request;
    const showsNumbers = authorization.bothFactorsFirst;
    const chosen = chosenBefore(open, access);
    const written = this.renderer.render('access', (words) => ({
      ...createJourneyPage(open, words, problem),
      wording: wordingOf(access),
      hasChoice: access.terms.debtorAccount === undefined,
      permissions: describeAccess(words, access.terms),
      count: accounts.length,
      accounts: showAccounts(words, { accounts, chosen, sessionValue: open.value, showsNumbers }),
      period: describePeriod(words, access.terms),
      endsOn: dayInWords(words, access.terms.expirationDateTime),
      accessAddress: `${authUrl}/approvals/access`,
    }));
    return { kind: 'page', status: problem === undefined ? 200 : 400, page: written, redirectUri, uiLocales };
  }

  /**
   * Why the customer declines. Nothing changes before the answer.
   * @param from stage of the page to go back to
   */
  createDeclinePage(open: OpenSession, from: string): Answer {
    const stage = from === 'Challenge' ? 'Challenge' : 'Consent';
    const page = this.renderer.render('decline-page', (words) => ({
      ...createJourneyPage(open, words),
      ownAddress: pageAddress({ sessionId: open.session.sessionId, stage }),
      action: '/decline',
      reasons: declineReasons,
    }));
    const { redirectUri, uiLocales } = open.session.request;
    return { kind: 'page', status: 200, page, redirectUri, uiLocales };
  }

  /** Access without payments and without a consent. */
  createIdentityPage(open: OpenSession, problem?: FormProblem): Answer {
    const { scope, redirectUri, uiLocales, isLasting } = open.session.request;
    const { authUrl, token } = this.config;
    const endsAt = new Date(this.clock.now().getTime() + token.refreshTokenSeconds * 1_000);
    // Lasting access must be distinguishable at approval (OIDC Core s16.18).
    const accessAddress = `${authUrl}/approvals/access`;
    const page = this.renderer.render('identity', (words) => ({
      ...createJourneyPage(open, words, problem),
      permissions: describePermissions(words, scope),
      ...(isLasting && { lastsUntil: words.day(endsAt), accessAddress }),
    }));
    return { kind: 'page', status: 200, page, redirectUri, uiLocales };
  }
}

/** @param text as a form or an address says it */
export function parseOrder(text: string | undefined): PaymentOrder {
  return text === 'Amount' ? 'Amount' : 'Place';
}
