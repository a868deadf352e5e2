import { Controller, UseGuards } from '@nestjs/common';
import { AuthorizationSessionService } from '#libs/customer-session';
import type { ChallengeBinding } from '#libs/bank';
import { Clock } from '#libs/config';
import { hashToken } from '#libs/oauth';
import { ChallengeDesk } from '../challenge/challenge-desk.service.js';
import { ChallengePages } from '../challenge/challenge-pages.service.js';
import { challengeProblem } from '../challenge/challenge-problems.js';
import { toChallengeTpp } from '../challenge/create-binding.js';
import type { Answer } from '../pages/answer.js';
import { leadTo, problemOf } from '../pages/carried-word.js';
import { Address, Form, GetPage, Load, PostForm } from '../pages/page-route.js';
import { pageAddress, type OpenSession } from '../psu-session/open-session.js';
import type { PageLoad, PageRequest } from '../psu-session/page-request.js';
import { PsuSessions } from '../psu-session/psu-sessions.service.js';
import { resolveAcrOrUndefined } from '../psu-session/resolve-acr.js';
import { readOneTimeCode } from './read-credentials.js';
import { SignInLimitGuard } from './sign-in-limit.guard.js';

/**
 * Second step, if the bank wants both factors before anything is shown. It decides nothing: the approval has its own
 * challenge.
 */
@Controller('second-factor')
export class SecondFactorController {
  constructor(
    private readonly psuSessions: PsuSessions,
    private readonly sessions: AuthorizationSessionService,
    private readonly desk: ChallengeDesk,
    private readonly pages: ChallengePages,
    private readonly clock: Clock,
  ) {}

  @GetPage()
  async show(@Address() request: PageRequest, @Load() { isSafe, isWaiting }: PageLoad): Promise<Answer> {
    const open = await this.psuSessions.open(request, 'SecondFactor', { isWaiting });
    return this.psuSessions.withWayBack(open, async () => {
      const { challenge } = open.session;
      const problem = problemOf(request.word);
      if (challenge === undefined || problem !== undefined) return this.pages.createSignInPage(open, problem);
      const status = await this.desk.findStatus(challenge, open.call);
      if (status === 'Approved' && !isSafe) return this.#answer(open, undefined);
      const isOpen = status === 'Pending' || status === 'Approved';
      return this.pages.createSignInPage(open, isOpen ? undefined : challengeProblem(status, 'again'));
    });
  }

  @PostForm()
  @UseGuards(SignInLimitGuard)
  async submit(@Form() request: PageRequest): Promise<Answer> {
    const open = await this.psuSessions.open(request, 'SecondFactor');
    await this.psuSessions.admitForm(request, open);
    return this.psuSessions.withWayBack(open, async () => {
      const { oneTimeCode, problem } = readOneTimeCode(request.form);
      return problem === undefined
        ? this.#answer(open, oneTimeCode)
        : leadTo(pageAddress(open.session), { name: problem });
    });
  }

  @PostForm('again')
  @UseGuards(SignInLimitGuard)
  async askAgain(@Form() request: PageRequest): Promise<Answer> {
    const open = await this.psuSessions.open(request, 'SecondFactor');
    await this.psuSessions.admitForm(request, open);
    return this.psuSessions.withWayBack(open, async () => {
      const isSent = await this.desk.askWithin(open, createBinding(open, open.call.interactionId), (step) =>
        this.sessions.replaceSecondFactor({ key: open.key, ...step, now: this.clock.now() }),
      );
      return leadTo(pageAddress(open.session), isSent ? { name: 'codeSent' } : undefined);
    });
  }

  @GetPage('status')
  async findStatus(@Address() request: PageRequest): Promise<string> {
    const { session, call } = await this.psuSessions.open(request, 'SecondFactor', { isWaiting: true });
    return session.challenge === undefined ? 'Used' : this.desk.findStatus(session.challenge, call);
  }

  async #answer(open: OpenSession, oneTimeCode: string | undefined): Promise<Answer> {
    const { challenge } = open.session;
    if (challenge === undefined) return leadTo(pageAddress(open.session), { name: 'secondFactorUsed' });
    const { challengeId } = challenge;
    const claim = { key: open.key, challengeId };
    if (!(await this.sessions.claimChallenge({ ...claim, now: this.clock.now() })))
      return this.#followOther(open, oneTimeCode);
    const binding = createBinding(open, challenge.interactionId);
    const verification = await this.desk.verify({ challenge, oneTimeCode, binding, call: open.call });
    if (verification.outcome !== 'Verified') {
      await this.sessions.releaseChallenge(claim);
      const isWrong = verification.outcome === 'InvalidCredentials';
      return leadTo(pageAddress(open.session), { name: isWrong ? 'wrongCode' : 'secondFactorUsed' });
    }
    const acr = resolveAcrOrUndefined(open, verification.acr);
    if (acr === undefined) return this.psuSessions.leaveUnauthenticated(open);
    const newSessionHash = hashToken(this.psuSessions.nextValue(open, oneTimeCode));
    const { authenticatedAt } = verification;
    const step = { ...claim, newSessionHash, acr, authenticatedAt, now: this.clock.now() };
    const isFirst = await this.desk.store(verification, claim, () => this.sessions.completeSignIn(step));
    return this.#toNext(open, { isFirst, oneTimeCode });
  }

  // Another click has the challenge.
  async #followOther(open: OpenSession, oneTimeCode: string | undefined): Promise<Answer> {
    // The page that continues after an approval in the app waits: a redirect would come back to it at once, again and
    // again.
    const session = await (oneTimeCode === undefined
      ? this.sessions.findSession(open.key)
      : this.desk.awaitCheck(open.key));
    if (session === undefined) return this.#toNext(open, { isFirst: false, oneTimeCode });
    if (oneTimeCode === undefined) return this.pages.createSignInPage(open);
    // The other answer was wrong, and counts for both, or the page continues with it.
    return leadTo(pageAddress(open.session), session.challenge?.verified ? undefined : { name: 'wrongCode' });
  }

  #toNext(open: OpenSession, step: { isFirst: boolean; oneTimeCode: string | undefined }): Promise<Answer> {
    const { psuId = '' } = open.session;
    return this.psuSessions.createNextStep({ open, stage: 'Consent', psuId, ...step });
  }
}

function createBinding({ session }: OpenSession, interactionId: string): ChallengeBinding {
  const { psuId = '', request } = session;
  return { purpose: 'SignIn', psuId, interactionId, tpp: toChallengeTpp(request) };
}
