import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import {
  AuthorizationSessionService,
  PushedAuthorizationRequestService,
  type PendingAuthorizationRequest,
} from '#libs/customer-session';
import { ClientRegistrationService } from '#libs/client-registration';
import { Clock, Config } from '#libs/config';
import { KeySets } from '#libs/directory';
import { isUuid } from '#libs/obie-rules';
import {
  createRandomToken,
  hashToken,
  InvalidRequestError,
  InvalidRequestUriError,
  isRefreshable,
  OAuthError,
  parseAuthorizationRequest,
  parsePushedRequest,
  TemporarilyUnavailableError,
  verifyAuthorizationRequest,
  type AuthorizationQuery,
  type AuthorizationRequest,
  type OAuthClient,
} from '#libs/oauth';
import type { Answer } from '../pages/answer.js';
import { pageAddress, type OpenSession } from '../psu-session/open-session.js';
import { PsuSessions } from '../psu-session/psu-sessions.service.js';
import { dropOldSessionCookies, parseSessionCookies, type HeldSession } from '../psu-session/session-cookie.js';
import { SignInPages } from '../sign-in/sign-in-pages.service.js';
import { assertSessionStarted } from './assert-session-started.js';
import { oneAnswer, type Reference } from './one-answer.js';
import { findRequestObjectId } from './request-object-id.js';

/** A request to the authorization endpoint. */
export interface AuthorizeCall {
  /** the parameters as sent: the query without the question mark, or the form */
  readonly query: string;
  readonly cookieHeader?: string | undefined;
  readonly interactionId: string;
  /** the parameters came as a form; reloading its answer would send it again */
  readonly isForm?: boolean;
  /** HEAD starts no session, so it does not detect an answered request, or a consent that does not wait */
  readonly isHead?: boolean;
}

/**
 * GET and POST /oauth2/authorize (RFC 6749 s4.1.1, OIDC Core s3.1.2, s6, RFC 9126 s4, FAPI 1.0 Advanced s5.2.2), step
 * by step.
 */
@Injectable()
export class AuthorizationEndpoint {
  constructor(
    private readonly clients: ClientRegistrationService,
    private readonly keySets: KeySets,
    private readonly pushedRequests: PushedAuthorizationRequestService,
    private readonly sessions: AuthorizationSessionService,
    private readonly psuSessions: PsuSessions,
    private readonly pages: SignInPages,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /**
   * @returns the sign-in page, or for a form a redirect to it; if this browser already has a session for the same
   * request, a redirect to its current page
   * @throws OAuthError, sent to the TPP if redirectable, otherwise shown as a page
   */
  async answer(call: AuthorizeCall): Promise<Answer> {
    const sent = parseAuthorizationRequest(call.query);
    const client = await this.#getClient(sent.clientId);
    const held = parseSessionCookies(call.cookieHeader);
    const resumed = await this.#findResumedSession(held, sent, call.interactionId);
    if (resumed !== undefined) return this.#resume(resumed, call);
    const found = await this.#withPushedRequest(sent);
    const pending = await this.#usingUpIfAnswered({ ...found, call }, () => this.#verify(found, client));
    return this.#start({ ...found, client, pending, held, call });
  }

  // Without a client there is no redirect URI: show a page (RFC 6749 s4.1.2.1).
  async #getClient(clientId: string): Promise<OAuthClient> {
    const client = await this.clients.findClient(clientId);
    if (client === undefined) throw new InvalidRequestError('client_id is unknown', { reason: 'client-unknown' });
    return client;
  }

  // RFC 9126 s4: only the client that pushed the request may use the reference; the request is verified like any other.
  async #withPushedRequest(query: AuthorizationQuery): Promise<SentRequest> {
    const { clientId, requestUri } = query;
    if (requestUri === undefined) return { query };
    const requestUriHash = hashToken(requestUri);
    const found = await this.pushedRequests.find({ requestUriHash, clientId, now: this.clock.now() });
    // A page: a browser with this reference may be under way, and its answer is the only one.
    if (found === undefined) throw new InvalidRequestUriError();
    const { request, expiresAt } = found;
    return { query: { ...query, pushed: parsePushedRequest(request) }, reference: { requestUriHash, expiresAt } };
  }

  /**
   * RFC 9126 s4, FAPI 2.0 Security Profile s5.3.2.2: a pushed request is used up when its client is answered, also by a
   * refusal; otherwise the client could get two answers to one request. A page tells the client nothing, and after a
   * failure of the bank the customer may try again.
   */
  async #usingUpIfAnswered<T>(
    { query, reference, call }: SentRequest & { call: AuthorizeCall },
    verify: () => Promise<T>,
  ): Promise<T> {
    try {
      return await verify();
    } catch (error) {
      const isAnswer = error instanceof OAuthError && error.redirectable && error.status < 500;
      if (isAnswer && reference !== undefined && call.isHead !== true) {
        const once = oneAnswer({ reference, ...this.config.authorization });
        const isFirst = once && (await this.pushedRequests.useUp({ clientId: query.clientId, ...once }));
        if (isFirst !== true) throw new InvalidRequestUriError();
      }
      throw error;
    }
  }

  async #verify(sent: SentRequest, client: OAuthClient): Promise<PendingAuthorizationRequest> {
    const { query, reference } = sent;
    const { pushed } = query;
    const request = await this.#verifyRequest(query, client);
    const pending = toPendingRequest({ request, client, query });
    // No consent has such an id; the query would fail.
    if (request.intentId !== undefined && !isUuid(request.intentId))
      assertSessionStarted('UnknownConsent', pending, query);
    const requestObjectId = findRequestObjectId(pushed?.kind === 'object' ? pushed.request : query.request);
    const once = oneAnswer({ reference, requestObjectId, ...this.config.authorization });
    return { ...pending, ...(once && { once }) };
  }

  #verifyRequest(query: AuthorizationQuery, client: OAuthClient): Promise<AuthorizationRequest> {
    return verifyAuthorizationRequest({
      query,
      client,
      issuer: this.config.issuer,
      findKeys: (of, keyQuery) => this.keySets.findClientKeys(of, keyQuery),
      isIntentOptional: this.config.authorization.allowWithoutIntent,
      signingKeys: this.config.signing.keys,
      profile: this.config.profile,
      now: this.clock.now(),
    });
  }

  // A reload or the back button: the request was verified before; its object or reference may have expired or been used
  // since.
  async #findResumedSession(
    held: readonly HeldSession[],
    query: AuthorizationQuery,
    interactionId: string,
  ): Promise<OpenSession | undefined> {
    if (held.length === 0 || query.fault !== undefined) return undefined;
    const { clientId } = query;
    const requestHash = requestHashOf(query);
    const keys = held.map(({ sessionId, value }) => ({ sessionId, sessionHash: hashToken(value) }));
    const now = this.clock.now();
    const session = await this.sessions.findSessionOfRequest({ keys, clientId, requestHash, now });
    const key = keys.find(({ sessionId }) => sessionId === session?.sessionId);
    const value = held.find(({ sessionId }) => sessionId === session?.sessionId)?.value;
    if (!session?.isRedirectUriRegistered || key === undefined || value === undefined) return undefined;
    return { session, key, value, call: { interactionId } };
  }

  #resume(open: OpenSession, { isForm = false }: AuthorizeCall): Answer {
    if (open.session.stage === 'SignIn' && !isForm) return this.pages.createSignInPage(open);
    return { kind: 'redirect', status: isForm ? 303 : 302, location: pageAddress(open.session) };
  }

  async #start(
    start: SentRequest & {
      pending: PendingAuthorizationRequest;
      client: OAuthClient;
      held: readonly HeldSession[];
      call: AuthorizeCall;
    },
  ): Promise<Answer> {
    const { query, reference, client, pending, held, call } = start;
    const now = this.clock.now();
    const { idleSeconds, sessionSeconds } = this.config.authorization;
    const expiresAt = new Date(now.getTime() + Math.min(idleSeconds, sessionSeconds) * 1_000);
    const sessionId = uuidv7();
    const value = createRandomToken();
    const key = { sessionId, sessionHash: hashToken(value) };
    const { clientId, intentId } = pending;
    // RFC 9110 s9.2.1: HEAD is safe.
    if (call.isHead !== true) {
      const started = await this.#startSession({ key, pending, reference, now, expiresAt });
      assertSessionStarted(started, pending, query);
    }
    const session = {
      sessionId,
      clientId,
      request: pending,
      stage: 'SignIn',
      expiresAt,
      challengesStarted: 0,
      isChallengeChecked: false,
      fapiProfile: client.fapiProfile ?? 'fapi1-advanced',
      responseTypes: client.responseTypes,
      ...(client.authorizationSignedResponseAlg !== undefined && {
        authorizationSignedResponseAlg: client.authorizationSignedResponseAlg,
      }),
    } as const;
    const consent = intentId === undefined ? {} : { consentId: intentId };
    const cookies = [...dropOldSessionCookies(held), this.psuSessions.createCookie(sessionId, value)];
    if (call.isForm === true) return { kind: 'redirect', status: 303, location: pageAddress(session), cookies };
    const page = this.pages.createSignInPage({
      key,
      value,
      session: { ...session, ...consent, isRedirectUriRegistered: true },
      call,
    });
    return call.isHead === true ? page : { ...page, cookies };
  }

  async #startSession(start: {
    key: { sessionId: string; sessionHash: Buffer };
    pending: PendingAuthorizationRequest;
    reference: Reference | undefined;
    now: Date;
    expiresAt: Date;
  }): Promise<ReturnType<AuthorizationSessionService['startSession']>> {
    const { key, pending, reference, now, expiresAt } = start;
    const { clientId, intentId } = pending;
    try {
      return await this.sessions.startSession({
        key,
        clientId,
        request: pending,
        now,
        expiresAt,
        ...(intentId !== undefined && { consentId: intentId }),
        ...(reference !== undefined && { requestUriHash: reference.requestUriHash }),
      });
    } catch (cause) {
      // The request is verified, so the error may go to the TPP.
      const error = new TemporarilyUnavailableError({ detail: 'the session could not be stored', cause });
      error.redirect = pending;
      throw error;
    }
  }
}

/** A request, and the reference by which it was sent, if it was pushed. */
interface SentRequest {
  readonly query: AuthorizationQuery;
  readonly reference?: Reference;
}

function toPendingRequest(options: {
  request: AuthorizationRequest;
  client: OAuthClient;
  query: AuthorizationQuery;
}): PendingAuthorizationRequest {
  const { request, client, query } = options;
  return {
    ...request,
    clientName: client.clientName,
    orgId: client.orgId,
    orgName: client.orgName,
    ...(client.organisationIdentifier !== undefined && { registerNumber: client.organisationIdentifier }),
    ...(client.onBehalfOfOrg !== undefined && { onBehalfOfOrg: client.onBehalfOfOrg }),
    idTokenSignedResponseAlg: client.idTokenSignedResponseAlg,
    isLasting: isRefreshable({ client, scope: request.scope }),
    requestHash: requestHashOf(query),
  };
}

/** Identifies the session of a browser that returns with the same request. */
function requestHashOf({ requestUri, request = '' }: AuthorizationQuery): string {
  return hashToken(requestUri ?? request).toString('base64url');
}
