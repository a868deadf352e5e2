import { Injectable } from '@nestjs/common';
import { AuthorizationSessionService } from '#libs/authorization-session';
import { PsuAuthentication, type OneTimeCodeVerification } from '#libs/bank';
import { Clock } from '#libs/config';
import { AccessDeniedError, hashToken, resolveAcr } from '#libs/oauth';
import type { Answer } from '../pages/answer.js';
import type { OpenSession } from '../psu-session/open-session.js';
import type { PageRequest } from '../psu-session/page-request.js';
import { PsuSessions } from '../psu-session/psu-sessions.service.js';
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
  readonly #clock: Clock;

  constructor(
    psuSessions: PsuSessions,
    sessions: AuthorizationSessionService,
    authentication: PsuAuthentication,
    pages: SignInPages,
    clock: Clock,
  ) {
    this.#psuSessions = psuSessions;
    this.#sessions = sessions;
    this.#authentication = authentication;
    this.#pages = pages;
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
    const newSessionHash = hashToken(this.#psuSessions.nextValue(open));
    const { authenticatedAt } = verification;
    const step = { key: open.key, newSessionHash, acr, authenticatedAt, now: this.#clock.now() };
    const isFirst = await this.#sessions.enterConsent(step);
    return this.#psuSessions.createNextStep({ open, stage: 'Consent', psuId: open.session.psuId ?? '', isFirst });
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
