import { Injectable, Logger } from '@nestjs/common';
import {
  AuthorizationSessionService,
  type AccessToDecide,
  type AuthorizationSession,
  type AuthorizationSessionStage,
  type ConsentToDecide,
  type DeclineReason,
  type SessionKey,
} from '#libs/customer-session';
import { BankUnavailableError } from '#libs/bank';
import { Clock, Config } from '#libs/config';
import { SigningUnavailableError } from '#libs/jws';
import {
  AccessDeniedError,
  currentKey,
  hashToken,
  isResponsePermitted,
  OAuthError,
  ServerError,
  TemporarilyUnavailableError,
} from '#libs/oauth';
import { isDatabaseUnavailable } from '#libs/persistence';
import type { Answer } from '../pages/answer.js';
import { isCsrfToken } from './csrf-token.js';
import { OverAllLimit } from '../sign-in/over-all-limit.service.js';
import { errorOfEnding } from './error-of-ending.js';
import { JourneyEnds } from './journey-ends.service.js';
import { createNextSessionValue, nextSessionValues, type SessionStep } from './next-session-value.js';
import { pageAddress, type OpenSession } from './open-session.js';
import {
  ForgedFormError,
  JourneyEndedError,
  OtherStageError,
  PsuLockedError,
  RequestAnsweredError,
  SessionUnknownError,
  type JourneyEnding,
} from './page-errors.js';
import type { PageRequest } from './page-request.js';
import { renewed } from './renewed.js';
import { createSessionCookie, parseSessionCookies } from './session-cookie.js';

/** Shared by the pages: finding the session, and ending it cleanly. */
@Injectable()
export class PsuSessions {
  readonly #logger = new Logger('PsuSessions');

  constructor(
    private readonly sessions: AuthorizationSessionService,
    private readonly ends: JourneyEnds,
    private readonly overAll: OverAllLimit,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /**
   * Opens the session of a request for a page.
   * @param stage the stage that the page is for; undefined if it is for all
   * @throws SessionUnknownError (page), OtherStageError (see the other page), JourneyEndedError (page with the way back
   * to the TPP)
   */
  async open(
    request: PageRequest,
    stage?: AuthorizationSessionStage,
    { isWaiting = false }: { isWaiting?: boolean } = {},
  ): Promise<OpenSession> {
    const { key, value } = findSessionKey(request);
    const session = (await this.sessions.findSession(key)) ?? (await this.#findSteppedOn({ key, value, stage }));
    return this.#opened(request, { key, value, stage, session, isWaiting });
  }

  /**
   * As {@link open} for the pages of the decision, with its subject. A PSU who is asked for a code may view the
   * payments again.
   * @param options `isWaiting`: the page polls, which does not extend the session
   */
  async openWithConsent(
    request: PageRequest,
    stage: 'Consent' | 'Challenge',
    { isWaiting = false }: { isWaiting?: boolean } = {},
  ): Promise<OpenSession> {
    const { key, value } = findSessionKey(request);
    const found = await this.sessions.findSessionWithConsent(key);
    const isReadAgain = stage === 'Consent' && found?.session.stage === 'Challenge';
    return this.#opened(request, { key, value, stage: isReadAgain ? 'Challenge' : stage, isWaiting, ...found });
  }

  /**
   * As {@link open} for the form of a decision, with the consent. Also opens an answered session: the second of two
   * clicks finds it so, and the browser follows the answer to that one.
   */
  async openForDecision(request: PageRequest, stage: AuthorizationSessionStage): Promise<OpenSession> {
    const { key, value } = findSessionKey(request);
    const found = await this.sessions.findSessionWithConsent(key);
    const isReadAgain = stage === 'Consent' && found?.session.stage === 'Challenge';
    return this.#opened(request, { key, value, stage: isReadAgain ? 'Challenge' : stage, isDecision: true, ...found });
  }

  /** As {@link openForDecision} for a decline: at any stage, and whatever the client's present profile allows. */
  async openForDecline(request: PageRequest): Promise<OpenSession> {
    const { key, value } = findSessionKey(request);
    const found = await this.sessions.findSessionWithConsent(key);
    return this.#opened(request, { key, value, stage: undefined, isDecision: true, isDecline: true, ...found });
  }

  /** @throws ForgedFormError unless the form came from the session's current page */
  assertOwnForm(request: PageRequest, open: OpenSession): void {
    if (!isCsrfToken(request.form.get('csrf_token'), open.value))
      throw new ForgedFormError('The form has no valid token.');
  }

  /**
   * As {@link assertOwnForm}, for a form with a password or a one-time code, or that makes the bank send one.
   * @throws BodilessError 429: too many of all customers together
   */
  async admitForm(request: PageRequest, open: OpenSession): Promise<void> {
    this.assertOwnForm(request, open);
    await this.overAll.add('known');
  }

  /** @returns the session's value after its next step, to which `oneTimeCode` leads */
  nextValue({ value }: OpenSession, oneTimeCode?: string): string {
    return createNextSessionValue({ secret: currentKey(this.config.secrets.sessionKeys).key, value, oneTimeCode });
  }

  /**
   * @param step `psuId` is the PSU who has just been authenticated; `isFirst`: this request moved the session;
   * `oneTimeCode`: what this request was sent with
   * @returns the redirect to the next page. It sets the cookie if the session is this PSU's, by this request or by
   * another click on the same button with the same code
   */
  async createNextStep(step: {
    open: OpenSession;
    stage: 'SecondFactor' | 'Consent';
    psuId: string;
    isFirst: boolean;
    oneTimeCode?: string | undefined;
  }): Promise<Answer> {
    const { sessionId } = step.open.session;
    const value = step.isFirst ? this.nextValue(step.open, step.oneTimeCode) : await this.#findValueOf(step);
    const cookies = value === undefined ? [] : [this.createCookie(sessionId, value)];
    return { kind: 'redirect', status: 303, location: pageAddress({ sessionId, stage: step.stage }), cookies };
  }

  /** @returns the session's value since a first click, if the session is this PSU's */
  async #findValueOf(step: {
    open: OpenSession;
    psuId: string;
    oneTimeCode?: string | undefined;
  }): Promise<string | undefined> {
    const { open, psuId, oneTimeCode } = step;
    const next = await this.#findNext({ sessionId: open.session.sessionId, value: open.value, oneTimeCode });
    if (next === undefined && isUnclaimed(await this.sessions.findSession(open.key))) throw new RequestAnsweredError();
    return next?.session.psuId === psuId ? next.value : undefined;
  }

  async #findNext(
    from: SessionStep & { sessionId: string },
  ): Promise<{ session: AuthorizationSession; value: string } | undefined> {
    for (const value of nextSessionValues(this.config.secrets.sessionKeys, from)) {
      const session = await this.sessions.findSession({
        sessionId: from.sessionId,
        sessionHash: hashToken(value),
      });
      if (session !== undefined) return { session, value };
    }
    return undefined;
  }

  /** @returns the Set-Cookie header of a session; it outlives the session, so that late visitors are sent to the TPP */
  createCookie(sessionId: string, value: string): string {
    return createSessionCookie({ sessionId, value }, this.config.authorization.sessionSeconds + 3_600);
  }

  /**
   * The PSU declined: ends the session, and the consent becomes Rejected.
   * @throws JourneyEndedError if the session had already ended, with its ending
   */
  async decline(open: OpenSession, reason: DeclineReason | undefined): Promise<void> {
    const { session, key, value, call } = open;
    const end = {
      ending: 'Declined',
      reason,
      notice: noticeOf(session, reason),
      ...call,
      now: this.clock.now(),
    } as const;
    if (await this.sessions.endSession({ ...end, key, rejectConsent: true })) return;
    const { sessionId } = session;
    const next = await this.#findNext({ sessionId, value });
    if (next === undefined) throw await this.#describeAnew(open);
    // A simultaneous sign-in was faster. The decline was sent before sign-in, so it does not change the consent.
    const nextKey = { sessionId, sessionHash: hashToken(next.value) };
    if (await this.sessions.endSession({ ...end, key: nextKey, rejectConsent: false })) return;
    throw await this.#describeAnew({ ...open, ...next, key: nextKey });
  }

  /**
   * Ends the session without the PSU's choice. A page explains it, and its button leads back with the error of that
   * ending.
   * @param end `rejectConsent`: the PSU cannot authorise, so the consent becomes Rejected
   * @throws always: JourneyEndedError, with the earlier ending if the session had ended before
   */
  async leaveByPage(open: OpenSession, end: { ending: JourneyEnding; rejectConsent: boolean }): Promise<never> {
    await this.#end(open, end);
    throw new JourneyEndedError(end.ending, open.session, { error: errorOfEnding(end.ending, open.session.request) });
  }

  /**
   * The PSU did not reach the level that the request demands, so the consent cannot be authorised (OBIE consent state
   * model).
   * @throws always: JourneyEndedError
   */
  leaveUnauthenticated(open: OpenSession): Promise<never> {
    return this.leaveByPage(open, { ending: 'NotStrong', rejectConsent: true });
  }

  /**
   * Runs a step. If it fails, a page says so and leads back to the TPP; no page is a dead end. An unavailable database
   * is the exception: it could not end the session either, and the same step can be repeated.
   */
  async withWayBack<Result>(open: OpenSession, step: () => Promise<Result>): Promise<Result> {
    try {
      return await step();
    } catch (error) {
      if (isExit(error) || isDatabaseUnavailable(error)) throw error;
      // Anybody who knows a user name can cause a lock, so a lock does not end the consent.
      if (error instanceof PsuLockedError) return this.leaveByPage(open, { ending: 'Locked', rejectConsent: false });
      const oauthError = toOAuthError(error);
      const ending = oauthError instanceof TemporarilyUnavailableError ? 'BankAway' : 'Failed';
      if (!(await this.#endAfterFailure(open, ending))) throw await this.#describeAnew(open);
      throw new JourneyEndedError(ending, open.session, { error: oauthError }, { cause: error });
    }
  }

  async #end(
    open: OpenSession,
    options: Pick<Parameters<AuthorizationSessionService['endSession']>[0], 'rejectConsent' | 'reason'> & {
      ending: JourneyEnding;
    },
  ): Promise<void> {
    const end = { key: open.key, ...options, ...open.call, now: this.clock.now() };
    if (!(await this.sessions.endSession(end))) throw await this.#describeAnew(open);
  }

  /** An approval, or another click, has ended the session since it was read: its ending stands. */
  async #describeAnew(open: OpenSession): Promise<JourneyEndedError | RequestAnsweredError> {
    const session = await this.sessions.findSession(open.key);
    if (isUnclaimed(session)) return new RequestAnsweredError();
    return this.ends.describe({ ...open, session: session ?? open.session });
  }

  /**
   * The second of two clicks below a password, just after the first advanced the session, is treated like the first:
   * the bank checks its password, too, before its sender gets the session's new value. A code is good for one check, so
   * nobody gets anything for the value that a session had before its second factor.
   */
  async #findSteppedOn(from: {
    key: SessionKey;
    value: string;
    stage: AuthorizationSessionStage | undefined;
  }): Promise<AuthorizationSession | undefined> {
    const { key, value, stage } = from;
    if (stage !== 'SignIn') return undefined;
    const session = (await this.#findNext({ sessionId: key.sessionId, value }))?.session;
    const hasSteppedOn = session?.stage === 'SecondFactor' || session?.stage === 'Consent';
    return hasSteppedOn ? { ...session, stage } : undefined;
  }

  async #opened(
    request: PageRequest,
    found: {
      key: SessionKey;
      value: string;
      stage: AuthorizationSessionStage | undefined;
      session?: AuthorizationSession | undefined;
      consent?: ConsentToDecide;
      access?: AccessToDecide;
      isDecision?: boolean;
      isDecline?: boolean;
      isWaiting?: boolean;
    },
  ): Promise<OpenSession> {
    const { key, value, session, consent, access, isDecision = false, ...step } = found;
    if (session === undefined) throw new SessionUnknownError('No such session.');
    // Until the bank answers, the list stays in memory.
    request.hold(consent?.instructions?.length ?? 0);
    // The client or its redirect URI has been removed: no redirect any more, not even with an error.
    if (!session.isRedirectUriRegistered) throw new JourneyEndedError('NotPermitted', session, {});
    const call = { interactionId: request.interactionId };
    const { word } = request;
    const open = {
      key,
      value,
      session,
      call,
      word,
      ...(consent !== undefined && { consent }),
      ...(access && { access }),
    };
    return isDecision && isAnswered(open) ? open : this.#assertOpen(open, step);
  }

  async #assertOpen(
    open: OpenSession,
    step: { stage: AuthorizationSessionStage | undefined; isDecline?: boolean; isWaiting?: boolean },
  ): Promise<OpenSession> {
    const { stage, isDecline = false, isWaiting = false } = step;
    const { session } = open;
    if (isAnswered(open)) throw await this.ends.describe(open);
    // The consent does not change: the PSU may start again at the TPP.
    if (session.expiresAt <= this.clock.now()) {
      return this.leaveByPage(open, { ending: 'Expired', rejectConsent: false });
    }
    // A changed registration or profile ends only the requests that it does not allow. A decline gives the client
    // nothing.
    if (!isDecline && !isResponsePermitted(session.request, session, this.config.profile)) {
      return this.leaveByPage(open, { ending: 'ProfileChanged', rejectConsent: false });
    }
    if (stage !== undefined && session.stage !== stage) throw new OtherStageError(session.sessionId, session.stage);
    if (isWaiting) return open;
    const of = { key: open.key, sessions: this.sessions, config: this.config, now: this.clock.now() };
    return { ...open, session: await renewed(session, of) };
  }

  /** @returns false if the session had ended before */
  async #endAfterFailure(open: OpenSession, ending: JourneyEnding): Promise<boolean> {
    try {
      return await this.sessions.endSession({ key: open.key, ending, rejectConsent: false, now: this.clock.now() });
    } catch (error) {
      // The PSU and the TPP get the first failure; the session expires.
      this.#logger.warn({ message: 'A session could not be ended.', interactionId: open.call.interactionId, error });
      return true;
    }
  }
}

/** @returns the error for the TPP after a decline */
export function createDeclinedError({ session }: OpenSession): AccessDeniedError {
  const error = new AccessDeniedError('the customer declined');
  error.redirect = session.request;
  return error;
}

/** @returns whether nothing is left to decide in a session */
export function isAnswered({ session }: OpenSession): boolean {
  return session.stage === 'Completed';
}

/** A session that could not leave the sign-in: another one with the same request has claimed the answer. */
function isUnclaimed(session: AuthorizationSession | undefined): boolean {
  return session?.stage === 'SignIn';
}

function findSessionKey({ sessionId, cookieHeader }: PageRequest): { key: SessionKey; value: string } {
  const held = parseSessionCookies(cookieHeader).find((candidate) => candidate.sessionId === sessionId);
  if (held === undefined) throw new SessionUnknownError('The browser holds no such session.');
  return { key: { sessionId: held.sessionId, sessionHash: hashToken(held.value) }, value: held.value };
}

/** Not a failure: the outcome has been decided. */
function isExit(error: unknown): boolean {
  return (
    (error instanceof OAuthError && error.redirectable) ||
    error instanceof OtherStageError ||
    error instanceof ForgedFormError ||
    error instanceof JourneyEndedError ||
    error instanceof RequestAnsweredError ||
    error instanceof SessionUnknownError
  );
}

function toOAuthError(error: unknown): OAuthError {
  if (error instanceof OAuthError) return error;
  const isAway = error instanceof BankUnavailableError || error instanceof SigningUnavailableError;
  return isAway
    ? new TemporarilyUnavailableError({ detail: error.message, cause: error })
    : new ServerError({ cause: error });
}

/** @returns the report to the bank about a decline with a reason; only for customers who have signed in */
function noticeOf(
  { psuId, consentId, request }: AuthorizationSession,
  reason: DeclineReason | undefined,
): Parameters<AuthorizationSessionService['endSession']>[0]['notice'] {
  if (reason === undefined || psuId === undefined) return undefined;
  return { psuId, reason, ...(consentId !== undefined && { fileId: consentId }), requestedBy: request.clientName };
}
