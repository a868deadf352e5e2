import { Injectable } from '@nestjs/common';
import type { AccessAccount } from '#libs/access-consent';
import { AuthorizationSessionService, type AuthorizationSession } from '#libs/customer-session';
import { Clock, Config } from '#libs/config';
import { hashToken, isDemanded } from '#libs/oauth';
import type { Answer } from '../pages/answer.js';
import { errorOfEnding } from '../psu-session/error-of-ending.js';
import { JourneyEnds } from '../psu-session/journey-ends.service.js';
import type { OpenSession } from '../psu-session/open-session.js';
import { JourneyEndedError, OtherStageError } from '../psu-session/page-errors.js';
import { subjectOf } from '../psu-session/subject-of.js';
import { digestAccount } from './digest-account.js';

/** What authenticated the decision: the challenge and the bank's answer. */
export interface AuthenticatedDecision {
  readonly challengeId: string;
  readonly acr: string;
  readonly authenticatedAt: Date;
  /** of access: what the customer agreed to */
  readonly accounts?: readonly AccessAccount[] | undefined;
}

/** After an approval: code, ID token and redirect to the TPP. */
@Injectable()
export class AuthorizationCompletion {
  constructor(
    private readonly sessions: AuthorizationSessionService,
    private readonly ends: JourneyEnds,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /**
   * Records the decision and issues the code (RFC 6749 s4.1.2, OIDC Core s3.3.2.5).
   * @throws JourneyEndedError, OtherStageError if somebody or something else was faster
   */
  async complete(open: OpenSession, authenticated: AuthenticatedDecision): Promise<Answer> {
    const { session, key, value } = open;
    const now = this.clock.now();
    const { challengeId, acr, authenticatedAt, accounts = [] } = authenticated;
    const held = { value, session: { ...session, acr, authenticatedAt } };
    // Signs first: an unusable key must not leave the PSU with an authorised consent without a code.
    const sessionCode = this.ends.codeOf(held);
    const location = await this.ends.createApprovedLocation(held, sessionCode, now);
    const codeHash = hashToken(sessionCode);
    const expiresAt = new Date(now.getTime() + this.#codeSeconds(session) * 1_000);
    const code = { codeHash, expiresAt, subject: subjectOf(session, this.config) };
    const decision = { key, challengeId, acr, authenticatedAt, client: session, code, now, ...open.call };
    const approval = await (open.access === undefined
      ? this.sessions.approve(decision)
      : this.sessions.approveAccess({ ...decision, accountDigests: this.#digests(session, accounts) }));
    if (approval === 'Approved') return { kind: 'redirect', status: 303, location };
    if (approval === 'NotOpen') return this.#followOther(open);
    // The redirect URI or the client has been removed since the page was opened, so the PSU cannot be redirected.
    const ending = approval === 'ClientChanged' ? 'NotPermitted' : approval;
    throw new JourneyEndedError(ending, session, { error: errorOfEnding(ending, session.request) });
  }

  /**
   * Another tab has decided while the bank was asked, or has started another challenge, or the time is over: the page
   * of the session says which.
   */
  async #followOther(open: OpenSession): Promise<Answer> {
    const { sessionId, stage } = open.session;
    const session = await this.sessions.findSession(open.key);
    if (session?.stage === 'Completed') return this.repeat({ ...open, session });
    throw new OtherStageError(sessionId, stage);
  }

  /** For the audit trail, because the next authorisation replaces the accounts of the consent. */
  #digests(
    { consentId = '' }: AuthorizationSession,
    accounts: readonly AccessAccount[],
  ): readonly string[] | undefined {
    const [key] = this.config.secrets.auditDigestKeys;
    return (
      key &&
      accounts.map(({ SchemeName, Identification }) =>
        digestAccount(key, { consentId, schemeName: SchemeName, identification: Identification }),
      )
    );
  }

  /** FAPI 2.0 Security Profile s5.3.2.2: a code is valid for at most 60 seconds. */
  #codeSeconds(client: Pick<AuthorizationSession, 'fapiProfile'>): number {
    const { authorizationCodeSeconds } = this.config.token;
    const isShort = isDemanded('code-of-60-seconds', client, this.config.profile);
    return isShort ? Math.min(60, authorizationCodeSeconds) : authorizationCodeSeconds;
  }

  /**
   * Answers a further click on the button of an answered session. A browser follows only the answer to the last click,
   * so each gets the same answer until the code is redeemed.
   * @throws JourneyEndedError if there is no such code: the page says what was decided
   */
  async repeat(open: OpenSession): Promise<Answer> {
    const location = await this.ends.findApprovedLocation(open);
    if (location === undefined) throw await this.ends.describe(open);
    return { kind: 'redirect', status: 303, location };
  }
}
