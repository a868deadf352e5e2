import { Injectable } from '@nestjs/common';
import { AuthorizationSessionService, type Approval } from '#libs/authorization-session';
import type { PaymentAccount } from '#libs/bank';
import { Clock, Config } from '#libs/config';
import {
  createAuthorizationResponse,
  createIdToken,
  createRandomToken,
  getIdTokenSigningKey,
  hashToken,
  InvalidRequestError,
} from '#libs/oauth';
import type { Answer } from '../pages/answer.js';
import type { OpenSession } from '../psu-session/open-session.js';
import { SessionUnknownError } from '../psu-session/page-errors.js';
import { subjectOf } from '../psu-session/subject-of.js';

/** Long enough for a TPP whose clock is a little late; the token endpoint issues another one. */
const idTokenSeconds = 300;

/** The PSU agreed: code, ID token, and the way back to the TPP. */
@Injectable()
export class AuthorizationCompletion {
  readonly #sessions: AuthorizationSessionService;
  readonly #config: Config;
  readonly #clock: Clock;

  constructor(sessions: AuthorizationSessionService, config: Config, clock: Clock) {
    this.#sessions = sessions;
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
    const code = createRandomToken();
    const subject = subjectOf(open.session, this.#config);
    // Signed first: a key that cannot be used must not cost the PSU a consent that is already authorised.
    const idToken = await this.#createIdToken({ open, code, subject, now });
    const approval = await this.#sessions.approve({
      key,
      code: { codeHash: hashToken(code), expiresAt: this.#codeExpiry(now), subject },
      now,
      ...open.call,
      ...(payment !== undefined && { payment }),
    });
    assertApproved(approval, open);
    const { issuer } = this.#config;
    const location = createAuthorizationResponse({
      target: session.request,
      issuer,
      code,
      ...(idToken !== undefined && { idToken }),
    });
    return { kind: 'redirect', status: 303, location };
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

function assertApproved(approval: Approval, { session }: OpenSession): void {
  if (approval === 'Approved') return;
  // The redirect URI or the client has been withdrawn since the page was opened: there is nowhere to send the PSU.
  if (approval === 'ClientChanged') throw new SessionUnknownError('The client has changed.');
  const error =
    approval === 'ConsentChanged'
      ? new InvalidRequestError('the consent is not awaiting authorisation')
      : new InvalidRequestError('the authorization request has already been answered');
  error.redirect = session.request;
  throw error;
}
