import { createHmac, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AuditNotes } from '#libs/audit';
import { AuthorizationSessionService } from '#libs/customer-session';
import { Config } from '#libs/config';
import type { OpenSession } from '../psu-session/open-session.js';
import { PsuSessions } from '../psu-session/psu-sessions.service.js';
import { noteLimitReached, SignInLimit } from './sign-in-limit.js';

/**
 * Limits on the passwords that are sent to the bank. The bank locks a customer after a few wrong ones; these limits
 * stop attempts with one password on many customers, and from many networks on one customer.
 */
@Injectable()
export class SignInLimits {
  readonly #mostInSession: number;
  readonly #ofNames: SignInLimit;
  readonly #ofVisits: SignInLimit;
  /** Known to this process alone, so that the counted names are useless to anybody who reads its memory later. */
  readonly #key = randomBytes(32);

  constructor(
    private readonly sessions: AuthorizationSessionService,
    private readonly psuSessions: PsuSessions,
    config: Config,
    private readonly notes: AuditNotes,
  ) {
    const { signInsPerUserName, signInsPerSession } = config.rateLimit;
    this.#mostInSession = signInsPerSession;
    this.#ofNames = new SignInLimit({ points: signInsPerUserName, name: 'UserName' }, notes);
    this.#ofVisits = new SignInLimit({ points: signInsPerSession, name: 'Session' }, notes);
  }

  /**
   * Counts a password of a journey.
   * @throws JourneyEndedError if the journey has too many, which leaves the consent unchanged; BodilessError (429) if a
   * user name has too many
   */
  async countInJourney(open: OpenSession, username: string): Promise<void> {
    await this.#countName(username);
    const { sessionId } = open.session;
    if (await this.sessions.countSignIn({ sessionId, most: this.#mostInSession })) return;
    noteLimitReached(this.notes, 'Session');
    await this.psuSessions.leaveByPage(open, { ending: 'TooManySignIns', rejectConsent: false });
  }

  /**
   * Counts a password outside a journey. Nothing is stored about the visitor yet, so each process counts for itself.
   * @param value of the cookie
   * @throws BodilessError: 429
   */
  async countVisit(value: string, username: string): Promise<void> {
    await this.#countName(username);
    await this.#ofVisits.add(this.#hash(value));
  }

  // The bank may accept several spellings of the same user name.
  async #countName(username: string): Promise<void> {
    await this.#ofNames.add(this.#hash(username.normalize('NFKC').toLowerCase()));
  }

  #hash(text: string): string {
    // @cryptography HMAC-SHA-256 | drawn at each start, 32 bytes | user names when counting sign-ins
    return createHmac('sha256', this.#key).update(text).digest('base64url');
  }
}
