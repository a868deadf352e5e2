import { Injectable } from '@nestjs/common';
import {
  ApprovalSessionService,
  AuthorizationSessionService,
  mostChallenges,
  type ApprovalSession,
  type SessionChallenge,
} from '#libs/authorization-session';
import {
  BankUnavailableError,
  PsuChallenges,
  type BankCall,
  type ChallengeBinding,
  type ChallengeStatus,
  type ChallengeVerification,
} from '#libs/bank';
import { Clock, Config } from '#libs/config';
import { ServerError } from '#libs/oauth';
import type { OpenSession } from '../psu-session/open-session.js';
import { PsuLockedError } from '../psu-session/page-errors.js';
import { PsuSessions } from '../psu-session/psu-sessions.service.js';
import { findBinding } from './create-binding.js';
import { SharedLooks } from './shared-looks.js';

/** A session of whichever kind, or none any more. */
type Requesting = { readonly challengeRequestedAt?: Date } | undefined;

/** Asks the bank to ask the customer, for whichever page. */
@Injectable()
export class ChallengeDesk {
  readonly #challenges: PsuChallenges;
  readonly #psuSessions: PsuSessions;
  readonly #sessions: AuthorizationSessionService;
  readonly #approvals: ApprovalSessionService;
  readonly #clock: Clock;
  readonly #journeys: SharedLooks<Requesting>;
  readonly #visits: SharedLooks<ApprovalSession | undefined>;

  constructor(
    challenges: PsuChallenges,
    psuSessions: PsuSessions,
    sessions: AuthorizationSessionService,
    approvals: ApprovalSessionService,
    config: Config,
    clock: Clock,
  ) {
    this.#challenges = challenges;
    this.#psuSessions = psuSessions;
    this.#sessions = sessions;
    this.#approvals = approvals;
    this.#clock = clock;
    this.#journeys = new SharedLooks(config.bank);
    this.#visits = new SharedLooks(config.bank);
  }

  /**
   * @returns the challenge as a session keeps it
   * @throws PsuLockedError, BankUnavailableError, BankAnswerError; ServerError if the bank has no challenges
   */
  async ask(binding: ChallengeBinding, call: BankCall): Promise<SessionChallenge> {
    const start = await this.#challenges.start({ binding, call });
    if (start.outcome === 'Locked') throw new PsuLockedError('The customer is locked.');
    if (start.outcome === 'NotOffered') {
      const cause = new Error('The bank has no challenges: see UNBOUND_ONE_TIME_CODES in deploy/configuration.md.');
      throw new ServerError({ cause });
    }
    const { expiresAt, ...challenge } = start.challenge;
    const { interactionId } = binding;
    return { ...challenge, expiresAt: expiresAt.toISOString(), interactionId, bound: { ...binding } };
  }

  /**
   * As {@link ask}, in a journey: the bank sends a message for each challenge, so one journey gets so many, and two clicks one.
   * @param enter what the session does with it; `started`: how many it makes
   * @throws JourneyEndedError for one too many
   */
  async askWithin(
    open: OpenSession,
    binding: ChallengeBinding,
    enter: (step: { challenge: SessionChallenge; started: number }) => Promise<unknown>,
  ): Promise<void> {
    const { challengesStarted: started, challengeRequestedAt: requestedAt } = open.session;
    if (started >= mostChallenges) {
      await this.#psuSessions.leaveByPage(open, { ending: 'TooMany', rejectConsent: false });
    }
    if (await this.#sessions.reserveChallenge({ key: open.key, started, requestedAt, now: this.#clock.now() })) {
      await enter({ challenge: await this.ask(binding, open.call), started: started + 1 });
    } else {
      // The page then shows what the other click has brought.
      await this.#journeys.until(open.key.sessionHash, () => this.#sessions.findSession(open.key), isAnswered);
    }
  }

  /**
   * As {@link askWithin}, for somebody who has come by themselves.
   * @throws PsuLockedError for one too many
   */
  async askVisitor(of: {
    session: ApprovalSession;
    sessionHash: Buffer;
    binding: ChallengeBinding;
    call: BankCall;
    /** of one session */
    most: number;
    /** what a success decides */
    decision?: Pick<SessionChallenge, 'filePaymentId' | 'approvalHash' | 'payees'>;
  }): Promise<void> {
    const { session, sessionHash, binding, call, most, decision } = of;
    const now = this.#clock.now();
    if (session.challengesStarted >= most) throw new PsuLockedError('Too many challenges in one session.');
    const { challengesStarted, challengeRequestedAt: requestedAt } = session;
    if (!(await this.#approvals.reserveChallenge({ sessionHash, started: challengesStarted, requestedAt, now }))) {
      await this.awaitVisitor(sessionHash);
      return;
    }
    const started = session.challengesStarted + 1;
    try {
      const challenge = { ...(await this.ask(binding, call)), ...decision };
      await this.#approvals.enterChallenge({ sessionHash, challenge, started, now: this.#clock.now() });
    } catch (error) {
      await this.#approvals.giveChallengeBack({ sessionHash, started });
      throw error;
    }
  }

  /** @returns the session of a visitor once another click has its answer from the bank; undefined if it has ended */
  awaitVisitor(sessionHash: Buffer): Promise<ApprovalSession | undefined> {
    return this.#visits.until(sessionHash, () => this.#approvals.find(sessionHash, this.#clock.now()), isAnswered);
  }

  /**
   * @returns what has become of a challenge; the bank is asked only where its app can have changed it. Where it cannot answer, the customer
   * goes on waiting: nothing has become of the challenge by that
   */
  async findStatus(challenge: SessionChallenge, call: BankCall): Promise<ChallengeStatus> {
    const { challengeId, method, expiresAt, verified } = challenge;
    // The bank has used it up; what it said is still good for the decision that could not be stored.
    if (verified !== undefined) return 'Approved';
    if (method !== 'Code') {
      return this.#challenges.findStatus({ challengeId, call }).catch((error: unknown) => {
        if (error instanceof BankUnavailableError) return 'Pending';
        throw error;
      });
    }
    return new Date(expiresAt) <= this.#clock.now() ? 'Expired' : 'Pending';
  }

  /**
   * Uses the challenge up. The bank hears the values that it has bound; where one of them is another now, it hears nothing.
   * @param answer `oneTimeCode` undefined: approved in the bank's app; `binding`: the values as they are now
   * @throws PsuLockedError, BankUnavailableError, BankAnswerError
   */
  async verify(answer: {
    challenge: SessionChallenge;
    oneTimeCode: string | undefined;
    binding: ChallengeBinding;
    call: BankCall;
  }): Promise<Exclude<ChallengeVerification, { outcome: 'Locked' }>> {
    const { challenge, oneTimeCode, call } = answer;
    const binding = findBinding(challenge, answer.binding);
    if (binding === undefined) return { outcome: 'Over' };
    const verification = await this.#challenges.verify({
      challengeId: challenge.challengeId,
      ...(oneTimeCode !== undefined && { oneTimeCode }),
      binding,
      call,
    });
    if (verification.outcome === 'Locked') throw new PsuLockedError('The customer is locked.');
    return verification;
  }
}

/** The bank has been asked, or could not be. */
const isAnswered = (session: Requesting): boolean => session?.challengeRequestedAt === undefined;
