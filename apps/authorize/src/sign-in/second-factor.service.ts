import { Injectable } from '@nestjs/common';
import { AuthorizationSessionService } from '#libs/authorization-session';
import { PsuAuthentication, type OneTimeCodeVerification } from '#libs/bank';
import { Clock, Config } from '#libs/config';
import { AccessDeniedError, hashToken, LoginRequiredError, resolveAcr, type OAuthError } from '#libs/oauth';
import type { Answer } from '../pages/answer.js';
import type { OpenSession } from '../psu-session/open-session.js';
import type { PageRequest } from '../psu-session/page-request.js';
import { PsuSessions } from '../psu-session/psu-sessions.service.js';
import { subjectOf } from '../psu-session/subject-of.js';
import { wrongCode } from './form-problems.js';
import { readOneTimeCode } from './read-credentials.js';
import { SignInPages } from './sign-in-pages.service.js';

/** Second step: what the PSU has. */
@Injectable()
export class SecondFactor {
  readonly #psuSessions: PsuSessions;
  readonly #sessions: AuthorizationSessionService;
  readonly #authentication: PsuAuthentication;
  readonly #pages: SignInPages;
  readonly #config: Config;
  readonly #clock: Clock;

  constructor(
    psuSessions: PsuSessions,
    sessions: AuthorizationSessionService,
    authentication: PsuAuthentication,
    pages: SignInPages,
    config: Config,
    clock: Clock,
  ) {
    this.#psuSessions = psuSessions;
    this.#sessions = sessions;
    this.#authentication = authentication;
    this.#pages = pages;
    this.#config = config;
    this.#clock = clock;
  }

  /** GET /second-factor */
  async show(request: PageRequest): Promise<Answer> {
    return this.#pages.createSecondFactorPage(await this.#psuSessions.open(request, 'SecondFactor'));
  }

  /** POST /second-factor */
  async submit(request: PageRequest): Promise<Answer> {
    const open = await this.#psuSessions.open(request, 'SecondFactor');
    this.#psuSessions.assertOwnForm(request, open);
    const { oneTimeCode, problem } = readOneTimeCode(request.form);
    if (problem !== undefined) return this.#pages.createSecondFactorPage(open, problem);
    return this.#psuSessions.withWayBack(open, async () => {
      const psuId = open.session.psuId ?? '';
      const verification = await this.#authentication.verifyOneTimeCode({ psuId, oneTimeCode, call: open.call });
      if (verification.outcome === 'InvalidCredentials') return this.#pages.createSecondFactorPage(open, wrongCode);
      if (verification.outcome === 'Locked') return this.#psuSessions.leaveUnauthenticated(open);
      return this.#enterConsent(open, verification);
    });
  }

  async #enterConsent(
    open: OpenSession,
    verification: Extract<OneTimeCodeVerification, { outcome: 'Verified' }>,
  ): Promise<Answer> {
    const acr = resolveAcrOrUndefined(open, verification.acr);
    if (acr === undefined) return this.#psuSessions.leaveUnauthenticated(open);
    await this.#assertRequestedSubject(open);
    const newSessionHash = hashToken(this.#psuSessions.nextValue(open));
    const { authenticatedAt } = verification;
    const step = { key: open.key, newSessionHash, acr, authenticatedAt, now: this.#clock.now() };
    const isFirst = await this.#sessions.enterConsent(step);
    return this.#psuSessions.createNextStep({ open, stage: 'Consent', psuId: open.session.psuId ?? '', isFirst });
  }

  // OIDC Core s3.1.2.2: a client that names the customer never hears of another one. The consent waits on for the right one.
  async #assertRequestedSubject(open: OpenSession): Promise<void> {
    const { subject, hintedSubject } = open.session.request;
    const actual = subjectOf(open.session, this.#config);
    const leave = (error: OAuthError) => this.#psuSessions.leave(open, error, { rejectConsent: false });
    if (subject !== undefined && subject !== actual)
      await leave(new AccessDeniedError('another customer has signed in than the requested sub'));
    // s3.1.2.1: the customer whom the hint names would have to sign in.
    if (hintedSubject !== undefined && hintedSubject !== actual)
      await leave(new LoginRequiredError('another customer has signed in than the one of id_token_hint'));
  }
}

/** @returns the `acr` for the ID tokens; undefined if an essential one was not reached (OIDC Core s5.5.1.1) */
function resolveAcrOrUndefined(open: OpenSession, performed: string): string | undefined {
  try {
    return resolveAcr({ requested: open.session.request.acr, performed });
  } catch (error) {
    if (error instanceof AccessDeniedError) return undefined;
    throw error;
  }
}
