import { Injectable } from '@nestjs/common';
import type { AuthorizationSession } from '#libs/customer-session';
import { Clock, Config } from '#libs/config';
import {
  createAuthorizationResponse,
  createIdToken,
  currentKey,
  getIdTokenSigningKey,
  hashToken,
  isResponsePermitted,
} from '#libs/oauth';
import { AuthorizationCodeStore, type AuthorizationCode } from '#libs/token-store';
import { createSessionCode } from '../consent/create-session-code.js';
import { endingOf } from '../pages/end-page-content.js';
import { errorOfEnding } from './error-of-ending.js';
import { JourneyEndedError } from './page-errors.js';
import { subjectOf } from './subject-of.js';

/** Long enough for a TPP whose clock is slightly slow; the token endpoint issues another one. */
const idTokenSeconds = 300;

/** A session with the value of its browser's cookie. */
interface HeldSession {
  readonly session: AuthorizationSession;
  readonly value: string;
}

/** The answer of an answered session. */
@Injectable()
export class JourneyEnds {
  constructor(
    private readonly codes: AuthorizationCodeStore,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /** @returns the code of an approved session; the same for each of several clicks */
  codeOf({ value }: Pick<HeldSession, 'value'>): string {
    return createSessionCode({ secret: currentKey(this.config.secrets.sessionKeys).key, value });
  }

  /**
   * @param code of the session
   * @returns the redirect that reports the approval to the TPP (RFC 6749 s4.1.2, OIDC Core s3.3.2.5)
   */
  async createApprovedLocation(held: HeldSession, code: string, now: Date): Promise<string> {
    const idToken = await this.#createIdToken({ session: held.session, code, now });
    return createAuthorizationResponse({
      target: held.session.request,
      issuer: this.config.issuer,
      keys: this.config.signing.keys,
      now,
      code,
      ...(idToken !== undefined && { idToken }),
    });
  }

  /**
   * @returns the redirect that reports an approval, until its code has been redeemed; undefined afterwards, and where
   * the client's registration or profile no longer allows it
   */
  async findApprovedLocation(held: HeldSession): Promise<string | undefined> {
    const now = this.clock.now();
    if (!isResponsePermitted(held.session.request, held.session, this.config.profile)) return undefined;
    const issued = await this.#findIssued(held);
    const isGood = issued !== undefined && issued.redeemedAt === undefined && issued.expiresAt > now;
    return isGood ? this.createApprovedLocation(held, issued.code, now) : undefined;
  }

  /** During a key rotation, another process may have issued it with another key. */
  async #findIssued({
    value,
  }: Pick<HeldSession, 'value'>): Promise<(AuthorizationCode & { code: string }) | undefined> {
    for (const { key } of this.config.secrets.sessionKeys) {
      const code = createSessionCode({ secret: key, value });
      const issued = await this.codes.findAuthorizationCode(hashToken(code));
      if (issued !== undefined) return { ...issued, code };
    }
    return undefined;
  }

  /**
   * @returns the page for a PSU who returns to an answered session: it shows the decision, and the TPP gets no second
   * answer
   */
  async describe(held: HeldSession): Promise<JourneyEndedError> {
    const { session } = held;
    const ending = endingOf(session.ending);
    const error = errorOfEnding(ending, session.request);
    if (error !== undefined) return new JourneyEndedError(ending, session, { error });
    const location = ending === 'Approved' ? await this.findApprovedLocation(held) : undefined;
    return new JourneyEndedError(ending, session, location === undefined ? {} : { location });
  }

  // Only the hybrid flow has an ID token in the front channel (OIDC Core s3.3).
  async #createIdToken(options: {
    session: AuthorizationSession;
    code: string;
    now: Date;
  }): Promise<string | undefined> {
    const { session, code, now } = options;
    const { request, clientId, consentId, authenticatedAt = now, acr = '' } = session;
    if (request.responseType !== 'code id_token') return undefined;
    const { nonce, state } = request;
    return createIdToken({
      subject: {
        issuer: this.config.issuer,
        clientId,
        subject: subjectOf(session, this.config),
        authenticatedAt,
        acr,
        ...(nonce !== undefined && { nonce }),
        ...(consentId !== undefined && { intentId: consentId }),
      },
      companion: { channel: 'authorization_response', code, ...(state !== undefined && { state }) },
      key: getIdTokenSigningKey({ keys: this.config.signing.keys, algorithm: request.idTokenSignedResponseAlg }),
      expiresInSeconds: idTokenSeconds,
      now,
    });
  }
}
