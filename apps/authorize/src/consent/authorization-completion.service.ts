import { Injectable } from '@nestjs/common';
import { AuthorizationSessionService } from '#libs/authorization-session';
import type { PaymentAccount } from '#libs/bank';
import { Clock, Config } from '#libs/config';
import {
  createAuthorizationResponse,
  createIdToken,
  getIdTokenSigningKey,
  hashToken,
  InvalidRequestError,
} from '#libs/oauth';
import { AuthorizationCodeStore } from '#libs/token-store';
import type { Answer } from '../pages/answer.js';
import type { OpenSession } from '../psu-session/open-session.js';
import { createAnsweredError, SessionUnknownError } from '../psu-session/page-errors.js';
import { subjectOf } from '../psu-session/subject-of.js';
import { createSessionCode } from './create-session-code.js';

/** Long enough for a TPP whose clock is a little late; the token endpoint issues another one. */
const idTokenSeconds = 300;

/** The PSU agreed: code, ID token, and the way back to the TPP. */
@Injectable()
export class AuthorizationCompletion {
  readonly #sessions: AuthorizationSessionService;
  readonly #codes: AuthorizationCodeStore;
  readonly #config: Config;
  readonly #clock: Clock;

  constructor(sessions: AuthorizationSessionService, codes: AuthorizationCodeStore, config: Config, clock: Clock) {
    this.#sessions = sessions;
    this.#codes = codes;
    this.#config = config;
    this.#clock = clock;
  }

  /**
   * Records the decision and issues the code (RFC 6749 s4.1.2, OIDC Core s3.3.2.5).
   * @param payment what the PSU approved and chose; undefined without intent
   * @throws OAuthError that goes to the TPP if somebody or something else was faster
   */
  async complete(open: OpenSession, payment?: { fileHash: Buffer; account: PaymentAccount }): Promise<Answer> {
    const { session, key } = open;
    const now = this.#clock.now();
    const code = this.#codeOf(open);
    // Signed first: a key that cannot be used must not cost the PSU a consent that is already authorised.
    const answer = await this.#createAnswer({ open, code, now });
    const subject = subjectOf(session, this.#config);
    const approval = await this.#sessions.approve({
      key,
      code: { codeHash: hashToken(code), expiresAt: this.#codeExpiry(now), subject },
      now,
      ...open.call,
      ...(payment !== undefined && { payment }),
    });
    if (approval === 'Approved') return answer;
    if (approval === 'NotOpen') return this.repeat(open);
    // The redirect URI or the client has been withdrawn since the page was opened: there is nowhere to send the PSU.
    if (approval === 'ClientChanged') throw new SessionUnknownError('The client has changed.');
    const error = new InvalidRequestError('the consent is not awaiting authorisation');
    error.redirect = session.request;
    throw error;
  }

  /**
   * Answers a click on the button of a session that has been answered. The browser drops the answer to the first of several clicks and
   * follows the last, which is therefore the same, for as long as the code has not been redeemed.
   * @throws OAuthError that goes to the TPP if there is no such code
   */
  async repeat(open: OpenSession): Promise<Answer> {
    const now = this.#clock.now();
    const code = this.#codeOf(open);
    const issued = await this.#codes.findAuthorizationCode(hashToken(code));
    const isGood = issued !== undefined && issued.redeemedAt === undefined && issued.expiresAt > now;
    if (!isGood) throw createAnsweredError(open.session);
    return this.#createAnswer({ open, code, now });
  }

  async #createAnswer({ open, code, now }: { open: OpenSession; code: string; now: Date }): Promise<Answer> {
    const { issuer } = this.#config;
    const subject = subjectOf(open.session, this.#config);
    const idToken = await this.#createIdToken({ open, code, subject, now });
    const location = createAuthorizationResponse({
      target: open.session.request,
      issuer,
      code,
      ...(idToken !== undefined && { idToken }),
    });
    return { kind: 'redirect', status: 303, location };
  }

  #codeOf({ value }: OpenSession): string {
    return createSessionCode({ secret: this.#config.secrets.pairwiseSubjectKey, value });
  }

  #codeExpiry(now: Date): Date {
    return new Date(now.getTime() + this.#config.token.authorizationCodeSeconds * 1_000);
  }

  // Only the hybrid flow has one in the front channel (OIDC Core s3.3).
  async #createIdToken(token: {
    open: OpenSession;
    code: string;
    subject: string;
    now: Date;
  }): Promise<string | undefined> {
    const { open, code, subject, now } = token;
    const { request, clientId, consentId, authenticatedAt = now, acr = '' } = open.session;
    if (request.responseType !== 'code id_token') return undefined;
    const { nonce, state } = request;
    return createIdToken({
      subject: {
        issuer: this.#config.issuer,
        clientId,
        subject,
        authenticatedAt,
        acr,
        ...(nonce !== undefined && { nonce }),
        ...(consentId !== undefined && { intentId: consentId }),
      },
      companion: { channel: 'authorization_response', code, ...(state !== undefined && { state }) },
      key: getIdTokenSigningKey({ keys: this.#config.signing.keys, algorithm: request.idTokenSignedResponseAlg }),
      expiresInSeconds: idTokenSeconds,
      now,
    });
  }
}
