import { Injectable } from '@nestjs/common';
import { AuthorizationSessionService } from '#libs/authorization-session';
import { PsuAuthentication, type PasswordVerification } from '#libs/bank';
import { Clock } from '#libs/config';
import { AccessDeniedError, hashToken } from '#libs/oauth';
import type { Answer } from '../pages/answer.js';
import type { OpenSession } from '../psu-session/open-session.js';
import type { PageRequest } from '../psu-session/page-request.js';
import { PsuSessions } from '../psu-session/psu-sessions.service.js';
import { findMissingField, wrongCredentials } from './form-problems.js';
import { SignInPages } from './sign-in-pages.service.js';

/** First step: what the PSU knows. */
@Injectable()
export class SignIn {
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

  /** GET /sign-in */
  async show(request: PageRequest): Promise<Answer> {
    return this.#pages.createSignInPage(await this.#psuSessions.open(request, 'SignIn'));
  }

  /** POST /sign-in */
  async submit(request: PageRequest): Promise<Answer> {
    const open = await this.#psuSessions.open(request, 'SignIn');
    this.#psuSessions.assertOwnForm(request, open);
    const username = request.form.get('username')?.trim() ?? '';
    const password = request.form.get('password') ?? '';
    const missing = findMissingField(username, password);
    if (missing !== undefined) return this.#pages.createSignInPage(open, { problem: missing, username });
    // Nobody has credentials that long, and the bank does not take them.
    if (username.length > 128 || password.length > 256) {
      return this.#pages.createSignInPage(open, { problem: wrongCredentials, username: '' });
    }
    return this.#psuSessions.withWayBack(open, async () => {
      const verification = await this.#authentication.verifyPassword({ username, password, call: open.call });
      if (verification.outcome === 'InvalidCredentials') {
        return this.#pages.createSignInPage(open, { problem: wrongCredentials, username });
      }
      // The PSU cannot authenticate, so the consent cannot be authorised (OBIE consent state model, T5).
      if (verification.outcome === 'Locked') return this.#leaveLocked(open);
      return this.#enterSecondFactor(open, verification);
    });
  }

  #leaveLocked(open: OpenSession): Promise<never> {
    return this.#psuSessions.leave(open, new AccessDeniedError('the customer could not be authenticated'), {
      rejectConsent: true,
    });
  }

  async #enterSecondFactor(
    open: OpenSession,
    { psuId, displayName }: Extract<PasswordVerification, { outcome: 'Verified' }>,
  ): Promise<Answer> {
    const newSessionHash = hashToken(this.#psuSessions.nextValue(open));
    const step = { key: open.key, newSessionHash, psuId, psuName: displayName, now: this.#clock.now() };
    const isFirst = await this.#sessions.enterSecondFactor(step);
    return this.#psuSessions.createNextStep({ open, stage: 'SecondFactor', psuId, isFirst });
  }
}
