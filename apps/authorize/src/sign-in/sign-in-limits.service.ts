import { createHmac, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AuditNotes } from '#libs/audit';
import { AuthorizationSessionService } from '#libs/authorization-session';
import { Config } from '#libs/config';
import type { OpenSession } from '../psu-session/open-session.js';
import { PsuSessions } from '../psu-session/psu-sessions.service.js';
import { noteLimitReached, SignInLimit } from './sign-in-limit.js';

/**
 * How many passwords are taken to the bank. The bank locks one customer after a few wrong ones; these stop one password being tried on many
 * customers, and many networks being used on one.
 */
@Injectable()
export class SignInLimits {
  readonly #sessions: AuthorizationSessionService;
  readonly #psuSessions: PsuSessions;
  readonly #mostInSession: number;
  readonly #ofNames: SignInLimit;
  readonly #ofVisits: SignInLimit;
  readonly #notes: AuditNotes;
  /** Of this process alone: what it counts is of no use to anybody who reads its memory later. */
  readonly #key = randomBytes(32);

  constructor(sessions: AuthorizationSessionService, psuSessions: PsuSessions, config: Config, notes: AuditNotes) {
    const { signInsPerUserName, signInsPerSession } = config.rateLimit;
    this.#sessions = sessions;
    this.#psuSessions = psuSessions;
    this.#mostInSession = signInsPerSession;
    this.#ofNames = new SignInLimit({ points: signInsPerUserName, name: 'UserName' }, notes);
    this.#ofVisits = new SignInLimit({ points: signInsPerSession, name: 'Session' }, notes);
    this.#notes = notes;
  }

  /**
   * A password comes in a journey.
   * @throws JourneyEndedError for one too many in it, which leaves the consent as it is; BodilessError (429) for one too many of a user name
   */
  async countInJourney(open: OpenSession, username: string): Promise<void> {
    await this.#countName(username);
    const { sessionId } = open.session;
    if (await this.#sessions.countSignIn({ sessionId, most: this.#mostInSession })) return;
    noteLimitReached(this.#notes, 'Session');
    await this.#psuSessions.leaveByPage(open, { ending: 'TooManySignIns', rejectConsent: false });
  }

  /**
   * A password comes from somebody who has come by themselves; nothing of them is stored yet, so each process counts what it sees.
   * @param value of the cookie
   * @throws BodilessError: 429
   */
  async countVisit(value: string, username: string): Promise<void> {
    await this.#countName(username);
    await this.#ofVisits.add(this.#hash(value));
  }

  // However it is written, it may be the same customer at the bank.
  async #countName(username: string): Promise<void> {
    await this.#ofNames.add(this.#hash(username.normalize('NFKC').toLowerCase()));
  }

  #hash(text: string): string {
    // @cryptography HMAC-SHA-256 | drawn at each start, 32 octets | user names when counting sign-ins
    return createHmac('sha256', this.#key).update(text).digest('base64url');
  }
}
