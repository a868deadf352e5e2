import { Controller, UseGuards } from '@nestjs/common';
import { AuthorizationSessionService } from '#libs/customer-session';
import { PsuAuthentication, type PasswordVerification } from '#libs/bank';
import { Clock, Config } from '#libs/config';
import { hashToken } from '#libs/oauth';
import { ChallengeDesk } from '../challenge/challenge-desk.service.js';
import { toChallengeTpp } from '../challenge/create-binding.js';
import type { Answer } from '../pages/answer.js';
import { leadTo } from '../pages/carried-word.js';
import { Address, Form, GetPage, PostForm } from '../pages/page-route.js';
import { pageAddress, type OpenSession } from '../psu-session/open-session.js';
import type { PageRequest } from '../psu-session/page-request.js';
import { PsuLockedError } from '../psu-session/page-errors.js';
import { PsuSessions } from '../psu-session/psu-sessions.service.js';
import { subjectOf } from '../psu-session/subject-of.js';
import { readCredentials } from './read-credentials.js';
import { SignInLimitGuard } from './sign-in-limit.guard.js';
import { SignInLimits } from './sign-in-limits.service.js';
import { SignInPages } from './sign-in-pages.service.js';

/** First step: what the PSU knows. */
@Controller('sign-in')
export class SignInController {
  constructor(
    private readonly psuSessions: PsuSessions,
    private readonly sessions: AuthorizationSessionService,
    private readonly authentication: PsuAuthentication,
    private readonly limits: SignInLimits,
    private readonly desk: ChallengeDesk,
    private readonly pages: SignInPages,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  @GetPage()
  async show(@Address() request: PageRequest): Promise<Answer> {
    return this.pages.createSignInPage(await this.psuSessions.open(request, 'SignIn'), request.word);
  }

  @PostForm()
  @UseGuards(SignInLimitGuard)
  async submit(@Form() request: PageRequest): Promise<Answer> {
    const open = await this.psuSessions.open(request, 'SignIn');
    await this.psuSessions.admitForm(request, open);
    const credentials = readCredentials(request.form);
    if (credentials.mistake !== undefined) return leadTo(pageAddress(open.session), credentials.mistake);
    const { username, password } = credentials;
    await this.limits.countInJourney(open, username);
    return this.psuSessions.withWayBack(open, async () => {
      const verification = await this.authentication.verifyPassword({ username, password, call: open.call });
      if (verification.outcome === 'InvalidCredentials') {
        return leadTo(pageAddress(open.session), { name: 'wrongCredentials', value: username });
      }
      if (verification.outcome === 'Locked') throw new PsuLockedError('The customer is locked.');
      return this.#enter(open, verification);
    });
  }

  async #enter(
    open: OpenSession,
    { psuId, displayName }: Extract<PasswordVerification, { outcome: 'Verified' }>,
  ): Promise<Answer> {
    await this.#assertRequestedSubject(open, psuId);
    const newSessionHash = hashToken(this.psuSessions.nextValue(open));
    const step = { key: open.key, newSessionHash, psuId, psuName: displayName, now: this.clock.now() };
    if (!this.config.authorization.bothFactorsFirst) {
      const isFirst = await this.sessions.enterConsentAtOnce(step);
      return this.psuSessions.createNextStep({ open, stage: 'Consent', psuId, isFirst });
    }
    const { interactionId } = open.call;
    const tpp = toChallengeTpp(open.session.request);
    let isFirst = false;
    await this.desk.askWithin(open, { purpose: 'SignIn', psuId, interactionId, tpp }, async ({ challenge }) => {
      isFirst = await this.sessions.enterSecondFactor({ ...step, challenge });
      return isFirst;
    });
    return this.psuSessions.createNextStep({ open, stage: 'SecondFactor', psuId, isFirst });
  }

  // OIDC Core s3.1.2.2: a client that names the customer never learns of another one. The consent keeps waiting for the
  // right one.
  async #assertRequestedSubject(open: OpenSession, psuId: string): Promise<void> {
    const { subject, hintedSubject } = open.session.request;
    const actual = subjectOf({ request: open.session.request, psuId }, this.config);
    const isRequested = (named: string | undefined): boolean => named === undefined || named === actual;
    if (isRequested(subject) && isRequested(hintedSubject)) return;
    await this.psuSessions.leaveByPage(open, { ending: 'OtherCustomer', rejectConsent: false });
  }
}
