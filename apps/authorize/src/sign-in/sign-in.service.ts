import { Injectable } from '@nestjs/common';
import { AuthorizationSessionService } from '#libs/authorization-session';
import { PsuAuthentication, type PasswordVerification } from '#libs/bank';
import { Clock } from '#libs/config';
import { hashToken } from '#libs/oauth';
import type { Answer } from '../pages/answer.js';
import type { OpenSession } from '../psu-session/open-session.js';
import type { PageRequest } from '../psu-session/page-request.js';
import { PsuSessions } from '../psu-session/psu-sessions.service.js';
import { wrongCredentials } from './form-problems.js';
import { readCredentials } from './read-credentials.js';
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
    const credentials = readCredentials(request.form);
    if (credentials.mistake !== undefined) return this.#pages.createSignInPage(open, credentials.mistake);
    const { username, password } = credentials;
    return this.#psuSessions.withWayBack(open, async () => {
      const verification = await this.#authentication.verifyPassword({ username, password, call: open.call });
      if (verification.outcome === 'InvalidCredentials') {
        return this.#pages.createSignInPage(open, { problem: wrongCredentials, username });
      }
      if (verification.outcome === 'Locked') return this.#psuSessions.leaveUnauthenticated(open);
      return this.#enterSecondFactor(open, verification);
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
