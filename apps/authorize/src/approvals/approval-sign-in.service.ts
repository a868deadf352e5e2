import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { ApprovalSessionService } from '#libs/authorization-session';
import { PsuAuthentication } from '#libs/bank';
import { Clock, Config } from '#libs/config';
import { createRandomToken, hashToken } from '#libs/oauth';
import type { Answer } from '../pages/answer.js';
import type { FormProblem } from '../pages/page-models.js';
import { PageRenderer } from '../pages/page-renderer.js';
import { createCsrfToken } from '../psu-session/csrf-token.js';
import { PsuLockedError } from '../psu-session/page-errors.js';
import type { PageRequest } from '../psu-session/page-request.js';
import { wrongCode, wrongCredentials } from '../sign-in/form-problems.js';
import { readCredentials, readOneTimeCode } from '../sign-in/read-credentials.js';
import { createApprovalCookie } from './approval-cookie.js';
import { ApprovalVisits } from './approval-visits.service.js';
import type { ApprovalVisit } from './approver.js';

/** Both factors of a customer who came by themselves. */
@Injectable()
export class ApprovalSignIn {
  readonly #visits: ApprovalVisits;
  readonly #sessions: ApprovalSessionService;
  readonly #authentication: PsuAuthentication;
  readonly #renderer: PageRenderer;
  readonly #config: Config;
  readonly #clock: Clock;

  constructor(
    visits: ApprovalVisits,
    sessions: ApprovalSessionService,
    authentication: PsuAuthentication,
    renderer: PageRenderer,
    config: Config,
    clock: Clock,
  ) {
    this.#visits = visits;
    this.#sessions = sessions;
    this.#authentication = authentication;
    this.#renderer = renderer;
    this.#config = config;
    this.#clock = clock;
  }

  /** @returns the page of the factor that is due */
  show(visit: ApprovalVisit, { interactionId }: PageRequest): Answer {
    return visit.session === undefined
      ? this.#createSignInPage(visit, interactionId)
      : this.#createSecondFactorPage(visit, interactionId);
  }

  /** POST /approvals/sign-in */
  async submitPassword(request: PageRequest): Promise<Answer> {
    const visit = await this.#visits.findForForm(request);
    const { interactionId, form } = request;
    const credentials = readCredentials(form);
    if (credentials.mistake !== undefined) return this.#createSignInPage(visit, interactionId, credentials.mistake);
    const { username, password } = credentials;
    const verification = await this.#authentication.verifyPassword({ username, password, call: { interactionId } });
    if (verification.outcome === 'Locked') throw new PsuLockedError('The customer is locked.');
    if (verification.outcome === 'InvalidCredentials') {
      return this.#createSignInPage(visit, interactionId, { problem: wrongCredentials, username });
    }
    return this.#start(verification);
  }

  /** POST /approvals/second-factor */
  async submitOneTimeCode(request: PageRequest): Promise<Answer> {
    const visit = await this.#visits.findForForm(request);
    const { interactionId, form } = request;
    // Run out meanwhile, or done in another tab.
    if (visit.session === undefined || visit.session.acr !== undefined) return this.#visits.createWayToList();
    const { oneTimeCode, problem } = readOneTimeCode(form);
    if (problem !== undefined) return this.#createSecondFactorPage(visit, interactionId, problem);
    const { psuId } = visit.session;
    const verification = await this.#authentication.verifyOneTimeCode({ psuId, oneTimeCode, call: { interactionId } });
    if (verification.outcome === 'Locked') throw new PsuLockedError('The customer is locked.');
    if (verification.outcome === 'InvalidCredentials') {
      return this.#createSecondFactorPage(visit, interactionId, wrongCode);
    }
    const { acr, authenticatedAt } = verification;
    const value = createRandomToken();
    const step = { sessionHash: hashToken(visit.value), newSessionHash: hashToken(value), acr, authenticatedAt };
    const isFirst = await this.#sessions.completeSignIn({ ...step, now: this.#clock.now() });
    return this.#visits.createWayToList(isFirst ? this.#visits.createCookie(value) : undefined);
  }

  /** POST /approvals/sign-out */
  async signOut(request: PageRequest): Promise<Answer> {
    const { value } = await this.#visits.findForForm(request);
    await this.#sessions.end(hashToken(value));
    return this.#visits.createWayToList(createApprovalCookie(value, 0));
  }

  async #start({ psuId, displayName }: { psuId: string; displayName: string }): Promise<Answer> {
    const value = createRandomToken();
    const now = this.#clock.now();
    const expiresAt = new Date(now.getTime() + this.#config.authorization.sessionSeconds * 1_000);
    const session = { sessionId: uuidv7(), sessionHash: hashToken(value), psuId, psuName: displayName, now, expiresAt };
    await this.#sessions.start(session);
    return this.#visits.createWayToList(this.#visits.createCookie(value));
  }

  #createSignInPage(
    { value }: ApprovalVisit,
    reference: string,
    mistake?: { problem: FormProblem; username: string },
  ): Answer {
    const { problem, username = '' } = mistake ?? {};
    const html = this.#renderer.renderApprovalSignIn({
      reference,
      csrfToken: createCsrfToken(value),
      username,
      problem,
    });
    return {
      kind: 'page',
      status: problem === undefined ? 200 : 400,
      html,
      cookies: [this.#visits.createCookie(value)],
    };
  }

  #createSecondFactorPage({ value }: ApprovalVisit, reference: string, problem?: FormProblem): Answer {
    const html = this.#renderer.renderApprovalSecondFactor({ reference, csrfToken: createCsrfToken(value), problem });
    return { kind: 'page', status: problem === undefined ? 200 : 400, html };
  }
}
