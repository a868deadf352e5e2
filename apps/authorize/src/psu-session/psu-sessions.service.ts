import { Injectable, Logger } from '@nestjs/common';
import {
  AuthorizationSessionService,
  type AuthorizationSession,
  type AuthorizationSessionStage,
  type ConsentToDecide,
  type SessionKey,
} from '#libs/authorization-session';
import { BankUnavailableError } from '#libs/bank';
import { Clock, Config } from '#libs/config';
import { AccessDeniedError, hashToken, OAuthError, ServerError, TemporarilyUnavailableError } from '#libs/oauth';
import type { Answer } from '../pages/answer.js';
import { isCsrfToken } from './csrf-token.js';
import { createNextSessionValue } from './next-session-value.js';
import { pageAddress, type OpenSession } from './open-session.js';
import { createAnsweredError, ForgedFormError, OtherStageError, SessionUnknownError } from './page-errors.js';
import type { PageRequest } from './page-request.js';
import { createSessionCookie, parseSessionCookies } from './session-cookie.js';

/** What the pages have in common: finding the session, and leaving it in an orderly way. */
@Injectable()
export class PsuSessions {
  readonly #sessions: AuthorizationSessionService;
  readonly #config: Config;
  readonly #clock: Clock;
  readonly #logger = new Logger('PsuSessions');

  constructor(sessions: AuthorizationSessionService, config: Config, clock: Clock) {
    this.#sessions = sessions;
    this.#config = config;
    this.#clock = clock;
  }

  /**
   * Opens the session of a request for a page.
   * @param stage the stage that the page is for; undefined if it is for all
   * @throws SessionUnknownError (page), OtherStageError (see the other page), or an OAuthError that goes to the TPP
   */
  async open(request: PageRequest, stage?: AuthorizationSessionStage): Promise<OpenSession> {
    const { key, value } = findSessionKey(request);
    const session = (await this.#sessions.findSession(key)) ?? (await this.#findSteppedOn({ key, value, stage }));
    return this.#opened(request, { key, value, stage, session });
  }

  /** As {@link open} for the consent page, with what the PSU has to decide on. */
  async openWithConsent(request: PageRequest): Promise<OpenSession> {
    const { key, value } = findSessionKey(request);
    const found = await this.#sessions.findSessionWithConsent(key);
    return this.#opened(request, { key, value, stage: 'Consent', ...found });
  }

  /**
   * As {@link open} for the form of a decision, with the consent. A session that has been answered is opened as well: the second of two clicks
   * finds it so, and it is the one whose answer the browser follows.
   */
  async openForDecision(request: PageRequest, stage?: AuthorizationSessionStage): Promise<OpenSession> {
    const { key, value } = findSessionKey(request);
    const found = await this.#sessions.findSessionWithConsent(key);
    return this.#opened(request, { key, value, stage, isDecision: true, ...found });
  }

  /** @throws ForgedFormError unless the form came from the page that this session is at */
  assertOwnForm(request: PageRequest, open: OpenSession): void {
    if (!isCsrfToken(request.form.get('csrf_token'), open.value))
      throw new ForgedFormError('The form has no valid token.');
  }

  /** @returns the value that the session has after its next step */
  nextValue({ value }: OpenSession): string {
    return createNextSessionValue({ secret: this.#config.secrets.pairwiseSubjectKey, value });
  }

  /**
   * @param step `psuId` is the PSU who just proved to be it; `isFirst`: this request moved the session
   * @returns the way to the next page. The cookie goes with it if the session is this PSU's, be it by this request or by a
   *   second click on the same button
   */
  async createNextStep(step: {
    open: OpenSession;
    stage: 'SecondFactor' | 'Consent';
    psuId: string;
    isFirst: boolean;
  }): Promise<Answer> {
    const { sessionId } = step.open.session;
    const value = this.nextValue(step.open);
    const key = { sessionId, sessionHash: hashToken(value) };
    const isOwner = step.isFirst || (await this.#sessions.findSession(key))?.psuId === step.psuId;
    const cookies = isOwner ? [this.createCookie(sessionId, value)] : [];
    return { kind: 'redirect', status: 303, location: pageAddress({ sessionId, stage: step.stage }), cookies };
  }

  /** @returns the Set-Cookie header of a session; it outlives the session, so that who comes back late is sent to the TPP */
  createCookie(sessionId: string, value: string): string {
    return createSessionCookie({ sessionId, value }, this.#config.authorization.sessionSeconds + 3_600);
  }

  /**
   * Ends the session and sends the PSU back to the TPP with an error.
   * @param options `rejectConsent`: the PSU said no or cannot authorise, so the consent becomes Rejected
   * @throws always: the OAuthError
   */
  async leave(open: OpenSession, error: OAuthError, options: { rejectConsent: boolean }): Promise<never> {
    await this.#sessions.endSession({ key: open.key, ...options, ...open.call, now: this.#clock.now() });
    error.redirect = open.session.request;
    throw error;
  }

  /**
   * The PSU is locked, or did not reach the level that the request demands, so the consent cannot be authorised (OBIE consent state model).
   * @throws always: the OAuthError
   */
  leaveUnauthenticated(open: OpenSession): Promise<never> {
    const error = new AccessDeniedError('the customer could not be authenticated');
    return this.leave(open, error, { rejectConsent: true });
  }

  /**
   * Runs a step. Whatever fails in it, the PSU gets back to the TPP: no exit ends in a dead page.
   */
  async withWayBack<Result>(open: OpenSession, step: () => Promise<Result>): Promise<Result> {
    try {
      return await step();
    } catch (error) {
      const isExit = error instanceof OAuthError && error.redirectable;
      if (isExit || error instanceof OtherStageError || error instanceof ForgedFormError) throw error;
      const oauthError = toOAuthError(error);
      await this.#endAfterFailure(open);
      oauthError.redirect = open.session.request;
      throw oauthError;
    }
  }

  /**
   * The second of two clicks, that comes when the first has just moved the session on: it is taken as if it had come with it. Whoever sends it
   * still has to prove what the step asks for before it learns the session's new value.
   */
  async #findSteppedOn(from: {
    key: SessionKey;
    value: string;
    stage: AuthorizationSessionStage | undefined;
  }): Promise<AuthorizationSession | undefined> {
    const { key, value, stage } = from;
    if (stage !== 'SignIn' && stage !== 'SecondFactor') return undefined;
    const next = createNextSessionValue({ secret: this.#config.secrets.pairwiseSubjectKey, value });
    const session = await this.#sessions.findSession({ sessionId: key.sessionId, sessionHash: hashToken(next) });
    const following = stage === 'SignIn' ? 'SecondFactor' : 'Consent';
    return session?.stage === following ? { ...session, stage } : undefined;
  }

  async #opened(
    request: PageRequest,
    found: {
      key: SessionKey;
      value: string;
      stage: AuthorizationSessionStage | undefined;
      session?: AuthorizationSession | undefined;
      consent?: ConsentToDecide;
      isDecision?: boolean;
    },
  ): Promise<OpenSession> {
    const { key, value, stage, session, consent, isDecision = false } = found;
    // A redirect URI that has been withdrawn must not be used any more, not even for an error.
    if (session === undefined || !session.isRedirectUriRegistered) throw new SessionUnknownError('No such session.');
    const call = { interactionId: request.interactionId };
    const open = { key, value, session, call, ...(consent !== undefined && { consent }) };
    return isDecision && isAnswered(open) ? open : this.#assertOpen(open, stage);
  }

  async #assertOpen(open: OpenSession, stage: AuthorizationSessionStage | undefined): Promise<OpenSession> {
    const { session } = open;
    if (isAnswered(open)) throw createAnsweredError(session);
    // The consent stays as it is: the PSU may start again at the TPP.
    if (session.expiresAt <= this.#clock.now()) {
      return this.leave(open, new AccessDeniedError('the customer did not finish in time'), { rejectConsent: false });
    }
    if (stage !== undefined && session.stage !== stage) throw new OtherStageError(session.sessionId, session.stage);
    return open;
  }

  async #endAfterFailure(open: OpenSession): Promise<void> {
    try {
      await this.#sessions.endSession({ key: open.key, rejectConsent: false, now: this.#clock.now() });
    } catch (error) {
      // The first failure is the one that the PSU and the TPP hear of; the session runs out by itself.
      this.#logger.warn({ message: 'A session could not be ended.', interactionId: open.call.interactionId, error });
    }
  }
}

/** @returns whether nothing is left to decide in a session */
export function isAnswered({ session }: OpenSession): boolean {
  return session.stage === 'Completed';
}

function findSessionKey({ sessionId, cookieHeader }: PageRequest): { key: SessionKey; value: string } {
  const held = parseSessionCookies(cookieHeader).find((candidate) => candidate.sessionId === sessionId);
  if (held === undefined) throw new SessionUnknownError('The browser holds no such session.');
  return { key: { sessionId: held.sessionId, sessionHash: hashToken(held.value) }, value: held.value };
}

function toOAuthError(error: unknown): OAuthError {
  if (error instanceof OAuthError) return error;
  return error instanceof BankUnavailableError
    ? new TemporarilyUnavailableError({ detail: error.message, cause: error })
    : new ServerError({ cause: error });
}
