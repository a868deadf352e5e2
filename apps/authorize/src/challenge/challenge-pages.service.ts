import { Injectable } from '@nestjs/common';
import type { SessionChallenge } from '#libs/customer-session';
import { Clock, Config } from '#libs/config';
import { dayInWords, describeAccess, wordingOf } from '../consent/describe-access.js';
import { describePermissions } from '../consent/permissions.js';
import { formatAccount, formatUnits, maskAccount, nameAccount } from '../consent/format.js';
import { payeeOf, type PaymentsToApprove } from '../consent/payments-to-approve.js';
import type { Answer } from '../pages/answer.js';
import { createJourneyPage } from '../pages/journey-page.js';
import type {
  ChallengePage,
  ChallengeQuestion,
  ChallengeWords,
  ChallengedPayment,
  FormProblem,
} from '../pages/page-models.js';
import { PageRenderer, type ReadablePage } from '../pages/page-renderer.js';
import { pageAddress, type OpenSession } from '../psu-session/open-session.js';
import { createPageValue } from '../psu-session/page-value.js';
import type { Html, Words } from '../wording/words.js';

/** The pages that wait for a code or for the bank's app. */
@Injectable()
export class ChallengePages {
  constructor(
    private readonly renderer: PageRenderer,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /** Before a decision counts. */
  createDecisionPage(decision: {
    open: OpenSession;
    challenge: SessionChallenge;
    file: PaymentsToApprove | undefined;
    problem: FormProblem | undefined;
  }): Answer {
    const { open, challenge, file, problem } = decision;
    const { sessionId } = open.session;
    const page = this.renderer.render('challenge', (words) => ({
      ...createJourneyPage(open, words, problem),
      question: createQuestion(challenge, open),
      payment: file && describePayment(words, file),
      account: challenge.debtorAccount && nameOwnAccount(words, challenge.debtorAccount),
      ...(file === undefined && { access: this.#describeAccess(words, open, challenge) }),
      backAddress: pageAddress({ sessionId, stage: 'Consent' }),
      ownAddress: pageAddress({ sessionId, stage: 'Challenge' }),
      statusAddress: `/challenge/status?authorization=${sessionId}`,
    }));
    return toPage({ open, page, problem, challenge });
  }

  /** What is authenticated: recipient, data and duration. */
  #describeAccess(
    words: Words,
    { access, session }: OpenSession,
    challenge: SessionChallenge,
  ): ChallengePage['access'] {
    if (access === undefined) {
      const { scope, isLasting } = session.request;
      const endsAt = new Date(this.clock.now().getTime() + this.config.token.refreshTokenSeconds * 1_000);
      return {
        permissions: describePermissions(words, scope),
        ...(isLasting && { endsOn: words.day(endsAt) }),
      };
    }
    return {
      wording: wordingOf(access),
      permissions: describeAccess(words, access.terms),
      accounts: (challenge.accounts ?? []).map((account) => nameOwnAccount(words, account)),
      endsOn: dayInWords(words, access.terms.expirationDateTime),
    };
  }

  /** For BOTH_FACTORS_FIRST. */
  createSignInPage(open: OpenSession, problem?: FormProblem): Answer {
    const { challenge, sessionId } = open.session;
    const page = this.renderer.render('second-factor', (words) => ({
      ...createJourneyPage(open, words, problem),
      question: challenge && createQuestion(challenge, open),
      ownAddress: pageAddress({ sessionId, stage: 'SecondFactor' }),
      statusAddress: `/second-factor/status?authorization=${sessionId}`,
    }));
    return toPage({ open, page, problem, challenge });
  }
}

/** @returns how the customer is asked, in the page's terms */
export function createQuestion(
  { challengeId, method, codeBy }: SessionChallenge,
  { value }: Pick<OpenSession, 'value'>,
): ChallengeQuestion {
  const challenge = createPageValue(value, 'challenge', challengeId);
  const hasCode = method !== 'Push';
  return { challenge, hasCode, hasPush: method !== 'Code', words: hasCode ? wordsOf(codeBy) : app };
}

const app: ChallengeWords = {
  how: 'question.app',
  compare: 'challenge.samePhone',
  again: 'question.againApp',
  asked: 'notice.askedAgain',
};

/** Nothing is sent to somebody who gets the code from a device. */
function wordsOf(codeBy: SessionChallenge['codeBy']): ChallengeWords {
  const sent = { again: 'question.again', asked: 'notice.codeSent' } as const;
  if (codeBy === 'TextMessage') return { how: 'question.textMessage', compare: 'challenge.samePhone', ...sent };
  if (codeBy === undefined) return { how: 'question.code', compare: 'challenge.sameDetails', ...sent };
  const own = { again: 'question.againDevice', asked: 'notice.newCode' } as const;
  return { how: 'question.device', compare: 'challenge.sameDetails', ...own };
}

/** An account of the customer's, as the bank's app names it. */
function nameOwnAccount(words: Words, account: NonNullable<SessionChallenge['accounts']>[number]): Html {
  const { SchemeName, Identification, Name } = account;
  return nameAccount(words, Name, maskAccount(words, SchemeName, Identification));
}

/** @returns the summary of a file above the code */
export function describePayment(
  words: Words,
  file: Pick<PaymentsToApprove, 'total' | 'currency' | 'payments'>,
): ChallengedPayment {
  const { total, currency, payments } = file;
  const shown = { total: formatUnits(words, total, currency), count: payments.length, payee: payeeOf(payments) };
  if (payments.length !== 1) return { ...shown, payeeAccount: undefined };
  const { scheme, identification, secondaryIdentification: rollNumber } = payments[0]!.payeeAccount;
  const creditorAccount = formatAccount(words, scheme, identification);
  return { ...shown, payeeAccount: { creditorAccount, rollNumber, address: [], parties: [] } };
}

function toPage(of: {
  open: OpenSession;
  page: ReadablePage;
  problem: FormProblem | undefined;
  challenge: SessionChallenge | undefined;
}): Answer {
  const { open, page, problem, challenge } = of;
  const { redirectUri, uiLocales } = open.session.request;
  return {
    kind: 'page',
    status: problem === undefined ? 200 : 400,
    page,
    redirectUri,
    uiLocales,
    hasScript: challenge !== undefined && challenge.method !== 'Code',
  };
}
