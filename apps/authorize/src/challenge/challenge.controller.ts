import { Controller, UseGuards } from '@nestjs/common';
import { AuthorizationSessionService, isAwaitingAuthorisation, type SessionChallenge } from '#libs/customer-session';
import type { ChallengeBinding } from '#libs/bank';
import { Clock, Config } from '#libs/config';
import { AccessDecision } from '../consent/access-decision.service.js';
import { AuthorizationCompletion } from '../consent/authorization-completion.service.js';
import { DecidableFiles } from '../consent/decidable-files.service.js';
import { parsePaymentsToApprove, type PaymentsToApprove } from '../consent/payments-to-approve.js';
import type { Answer } from '../pages/answer.js';
import { leadTo, problemOf } from '../pages/carried-word.js';
import type { FormProblemName } from '../pages/form-problems.js';
import type { FormProblem } from '../pages/page-models.js';
import { Address, Form, GetPage, Load, PostForm } from '../pages/page-route.js';
import { pageAddress, type OpenSession } from '../psu-session/open-session.js';
import { OtherStageError } from '../psu-session/page-errors.js';
import type { PageLoad, PageRequest } from '../psu-session/page-request.js';
import { isOfChallenge } from '../psu-session/page-value.js';
import { isAnswered, PsuSessions } from '../psu-session/psu-sessions.service.js';
import { resolveAcrOrUndefined } from '../psu-session/resolve-acr.js';
import { readOneTimeCode } from '../sign-in/read-credentials.js';
import { SignInLimitGuard } from '../sign-in/sign-in-limit.guard.js';
import { ChallengeDesk, type Verified } from './challenge-desk.service.js';
import type { ChallengeEnding } from './challenge-problems.js';
import { ChallengePages } from './challenge-pages.service.js';
import { createAccessBinding, createPaymentBinding, toChallengeTpp } from './create-binding.js';

/** A session that waits for its challenge, and its file if it has one. */
interface Asked {
  readonly open: OpenSession;
  readonly challenge: SessionChallenge;
  readonly file?: PaymentsToApprove;
}

/** Last step: the PSU authenticates exactly the decision behind the pressed button. */
@Controller('challenge')
export class ChallengeController {
  constructor(
    private readonly psuSessions: PsuSessions,
    private readonly sessions: AuthorizationSessionService,
    private readonly desk: ChallengeDesk,
    private readonly pages: ChallengePages,
    private readonly completion: AuthorizationCompletion,
    private readonly files: DecidableFiles,
    private readonly access: AccessDecision,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /** Asks for the code. An approval in the bank's app continues here. */
  @GetPage()
  async show(@Address() request: PageRequest, @Load() { isSafe, isWaiting }: PageLoad): Promise<Answer> {
    const open = await this.psuSessions.openWithConsent(request, 'Challenge', { isWaiting });
    return this.psuSessions.withWayBack(open, async () => {
      const asked = await this.#getAsked(open);
      const problem = problemOf(request.word);
      // An answer in the bank's app that failed would fail again.
      if (problem !== undefined) return this.#createPage(asked, problem);
      const status = await this.desk.findStatus(asked.challenge, open.call);
      if (status === 'Approved' && !isSafe) return this.#answer(asked, undefined);
      if (status === 'Pending' || status === 'Approved') return this.#createPage(asked);
      throw toConsentAgain(open, status);
    });
  }

  @PostForm()
  @UseGuards(SignInLimitGuard)
  submit(@Form() request: PageRequest): Promise<Answer> {
    return this.#withOwnChallenge(request, async (asked) => {
      if (asked.challenge.method === 'Push') return toPage(asked.open);
      const { oneTimeCode, problem } = readOneTimeCode(request.form);
      return problem === undefined ? this.#answer(asked, oneTimeCode) : again(asked.open, problem);
    });
  }

  /** For a message that has not arrived. */
  @PostForm('again')
  @UseGuards(SignInLimitGuard)
  askAgain(@Form() request: PageRequest): Promise<Answer> {
    return this.#withOwnChallenge(request, async (asked) => {
      const { open } = asked;
      const { interactionId } = open.call;
      const binding = this.#createBinding({ ...asked, challenge: { ...asked.challenge, interactionId } });
      const { verified: _ofTheOneBefore, ...decided } = asked.challenge;
      const isSent = await this.desk.askWithin(open, binding, ({ challenge, started }) =>
        this.sessions.enterChallenge({
          key: open.key,
          challenge: { ...decided, ...challenge },
          started,
          now: this.clock.now(),
        }),
      );
      return leadTo(pageAddress(open.session), isSent ? { name: 'codeSent' } : undefined);
    });
  }

  /** The page's script polls it while a push is open. */
  @GetPage('status')
  async findStatus(@Address() request: PageRequest): Promise<string> {
    const open = await this.psuSessions.openWithConsent(request, 'Challenge', { isWaiting: true });
    const { challenge } = open.session;
    return challenge === undefined ? 'Used' : this.desk.findStatus(challenge, open.call);
  }

  // A form of the page that waits. An answered session gets its answer again.
  async #withOwnChallenge(request: PageRequest, step: (asked: Asked) => Promise<Answer>): Promise<Answer> {
    const open = await this.psuSessions.openForDecision(request, 'Challenge');
    await this.psuSessions.admitForm(request, open);
    return this.psuSessions.withWayBack(open, async () => {
      if (isAnswered(open)) return this.completion.repeat(open);
      const asked = await this.#getAsked(open);
      return isOwnChallenge(request, asked) ? step(asked) : again(open, 'otherChallenge');
    });
  }

  // Only one of several answers to a challenge goes to the bank; the others get its result.
  async #answer(asked: Asked, oneTimeCode: string | undefined): Promise<Answer> {
    const { open, challenge } = asked;
    if (!(await this.#isStillGood(asked))) throw toConsentAgain(open, 'Changed');
    const { challengeId } = challenge;
    const claim = { key: open.key, challengeId };
    if (!(await this.sessions.claimChallenge({ ...claim, now: this.clock.now() }))) return this.#awaitOther(asked);
    const binding = this.#createBinding(asked);
    const verification = await this.desk.verify({ challenge, oneTimeCode, binding, call: open.call });
    if (verification.outcome === 'Verified') return this.#complete(asked, verification, claim);
    if (verification.outcome === 'Over') {
      await this.sessions.endChallenge(claim);
      throw toConsentAgain(open, 'Used');
    }
    await this.sessions.releaseChallenge(claim);
    return again(open, 'wrongCode');
  }

  // What the button checked may have changed since: the account, and the TPP's deadline (CompletionDateTime).
  async #isStillGood({ open, challenge }: Asked): Promise<boolean> {
    if (open.access !== undefined) return this.access.isStillGood(open, open.access);
    const decidable = await this.files.getDecidable(open);
    const { SchemeName, Identification } = challenge.debtorAccount ?? {};
    const account = decidable?.accounts.find(
      ({ schemeName, identification }) => schemeName === SchemeName && identification === Identification,
    );
    if (decidable === undefined) return true;
    return account?.unusable === undefined && account?.approvalsRequired === challenge.approvalsRequired;
  }

  async #complete(
    { open, challenge: { accounts } }: Asked,
    verified: Verified,
    claim: { key: OpenSession['key']; challengeId: string },
  ): Promise<Answer> {
    const acr = resolveAcrOrUndefined(open, verified.acr);
    if (acr === undefined) return this.psuSessions.leaveUnauthenticated(open);
    const { challengeId } = claim;
    const { authenticatedAt } = verified;
    return this.desk.store(verified, claim, () =>
      this.completion.complete(open, { challengeId, acr, authenticatedAt, accounts }),
    );
  }

  async #awaitOther(asked: Asked): Promise<Answer> {
    const { open, challenge } = asked;
    const session = await this.desk.awaitCheck(open.key);
    if (session?.stage === 'Completed') return this.completion.repeat({ ...open, session });
    if (session?.stage === 'Challenge') {
      const { challengeId, verified } = session.challenge ?? {};
      if (challengeId !== challenge.challengeId) return again(open, 'otherChallenge');
      // Either the other answer was wrong, and counts for both, or the page continues with it.
      return verified === undefined ? again(open, 'wrongCode') : toPage(open);
    }
    throw new OtherStageError(open.session.sessionId, 'Challenge');
  }

  async #getAsked(open: OpenSession): Promise<Asked> {
    const { consent, session } = open;
    const { challenge, consentId } = session;
    if (challenge === undefined || challenge.isOver === true) throw toConsentAgain(open, 'Used');
    if (consentId === undefined) return { open, challenge };
    if (open.access !== undefined) {
      await this.access.assertDecidable(open, open.access);
      return { open, challenge };
    }
    if (consent === undefined || !isAwaitingAuthorisation(consent, this.clock.now())) {
      return this.psuSessions.leaveByPage(open, { ending: 'ConsentChanged', rejectConsent: false });
    }
    const file = parsePaymentsToApprove(consent);
    // What was shown has changed. Show it again before asking the customer.
    if (file.approvalHash.toString('hex') !== challenge.approvalHash) throw toConsentAgain(open, 'Used');
    return { open, challenge, file };
  }

  /** The values again, from the current rows: a difference invalidates the challenge at the bank. */
  #createBinding({ open, challenge, file }: Asked): ChallengeBinding {
    const { psuId = '', consentId = '', request } = open.session;
    const { interactionId, debtorAccount: account } = challenge;
    if (file === undefined || account === undefined) {
      const lastsSeconds = this.config.token.refreshTokenSeconds;
      const access = open.access && { terms: open.access.terms, accounts: challenge.accounts ?? [] };
      return createAccessBinding({ psuId, interactionId, request, lastsSeconds, access });
    }
    return createPaymentBinding({ psuId, interactionId, consentId, file, account, tpp: toChallengeTpp(request) });
  }

  #createPage({ open, challenge, file }: Asked, problem?: FormProblem): Answer {
    return this.pages.createDecisionPage({ open, challenge, file, problem });
  }
}

const toPage = ({ session }: OpenSession): Answer => ({
  kind: 'redirect',
  status: 303,
  location: pageAddress(session),
});

const again = ({ session }: OpenSession, name: FormProblemName): Answer => leadTo(pageAddress(session), { name });

function isOwnChallenge({ form }: PageRequest, { open, challenge }: Asked): boolean {
  return isOfChallenge(form, { sessionValue: open.value, challengeId: challenge.challengeId });
}

function toConsentAgain({ session }: OpenSession, ending: ChallengeEnding): OtherStageError {
  return new OtherStageError(session.sessionId, 'Consent', ending);
}
