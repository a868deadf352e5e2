import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import {
  ApprovalSessionService,
  AuthorizationSessionService,
  mostChallenges,
  type ApprovalSession,
  type AuthorizationSession,
  type CustomerSession,
  type CustomerSessions,
  type SessionChallenge,
  type SessionKey,
} from '#libs/customer-session';
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
import { isDatabaseUnavailable } from '#libs/persistence';
import type { OpenSession } from '../psu-session/open-session.js';
import { PsuLockedError, TooManyChallengesError } from '../psu-session/page-errors.js';
import { PsuSessions } from '../psu-session/psu-sessions.service.js';
import { SharedLooks } from './shared-looks.js';

/** What the bank said of a right answer. */
export type Verified = Omit<Extract<ChallengeVerification, { outcome: 'Verified' }>, 'outcome'>;

/** A challenge that this request alone may answer. */
interface ChallengeClaim {
  readonly key: SessionKey;
  readonly challengeId: string;
}

/** A session that needs a challenge. */
interface Asking {
  readonly sessions: CustomerSessions;
  readonly key: SessionKey;
  readonly session: CustomerSession;
  readonly binding: ChallengeBinding;
  readonly call: BankCall;
  /** stores the challenge in the session; `started`: how many there are with this one */
  readonly enter: (step: { challenge: SessionChallenge; started: number }) => Promise<boolean>;
  /** waits for that of another click */
  readonly other: () => Promise<CustomerSession | undefined>;
}

/** Starts and verifies challenges at the bank, for all pages. */
@Injectable()
export class ChallengeDesk {
  readonly #journeys: SharedLooks<AuthorizationSession | undefined>;
  readonly #visits: SharedLooks<ApprovalSession | undefined>;

  constructor(
    private readonly challenges: PsuChallenges,
    private readonly psuSessions: PsuSessions,
    private readonly sessions: AuthorizationSessionService,
    private readonly approvals: ApprovalSessionService,
    config: Config,
    private readonly clock: Clock,
  ) {
    this.#journeys = new SharedLooks(config.bank);
    this.#visits = new SharedLooks(config.bank);
  }

  /**
   * @returns the challenge as stored in the session
   * @throws PsuLockedError, BankUnavailableError, BankAnswerError; ServerError if the bank has no challenges
   */
  async ask(binding: ChallengeBinding, call: BankCall): Promise<SessionChallenge> {
    const start = await this.challenges.start({ binding, call });
    if (start.outcome === 'Locked') throw new PsuLockedError('The customer is locked.');
    if (start.outcome === 'NotOffered') {
      const cause = new Error('The bank offers no challenges. See UNBOUND_ONE_TIME_CODES in deploy/configuration.md.');
      throw new ServerError({ cause });
    }
    const { expiresAt, ...challenge } = start.challenge;
    const { interactionId } = binding;
    return { ...challenge, expiresAt: expiresAt.toISOString(), interactionId, bound: { ...binding } };
  }

  /**
   * As {@link ask}, in a journey. The bank sends a message for each challenge, so a journey has a limit, and two clicks
   * start one challenge.
   * @returns whether the session has a new challenge, this one or that of another click
   * @throws JourneyEndedError above the limit
   */
  async askWithin(open: OpenSession, binding: ChallengeBinding, enter: Asking['enter']): Promise<boolean> {
    const { key, session, call } = open;
    if (session.challengesStarted >= mostChallenges) {
      await this.psuSessions.leaveByPage(open, { ending: 'TooMany', rejectConsent: false });
    }
    const other = (): Promise<CustomerSession | undefined> => this.#findOnce(key, isAnswered);
    return this.#askOnce({ sessions: this.sessions, key, session, binding, call, enter, other });
  }

  /**
   * Waits for the result of another click, which counts for both, whichever answer the browser keeps.
   * @returns the session once no answer to its challenge is being checked; undefined if it has another value since, or
   *   if the check takes too long
   */
  awaitCheck(key: SessionKey): Promise<AuthorizationSession | undefined> {
    return this.#findOnce(key, isChecked);
  }

  #findOnce(
    key: SessionKey,
    isOver: (found: AuthorizationSession | undefined) => boolean,
  ): Promise<AuthorizationSession | undefined> {
    return this.#journeys.until(key.sessionHash, () => this.sessions.findSession(key), isOver);
  }

  /**
   * As {@link askWithin}, for a visitor without a TPP.
   * @returns whether the session has a new challenge
   * @throws TooManyChallengesError above the limit, which ends the session
   */
  async askVisitor(of: {
    key: SessionKey;
    session: ApprovalSession;
    binding: ChallengeBinding;
    call: BankCall;
    /** of one session */
    most: number;
    /** what a success decides */
    decision?: Pick<SessionChallenge, 'filePaymentId' | 'approvalHash' | 'payees'>;
  }): Promise<boolean> {
    const { key, session, most, decision } = of;
    if (session.challengesStarted >= most) {
      await this.approvals.end(key.sessionHash);
      throw new TooManyChallengesError();
    }
    return this.#askOnce({
      ...of,
      sessions: this.approvals,
      enter: ({ challenge, started }) => {
        const step = { key, challenge: { ...challenge, ...decision }, started, now: this.clock.now() };
        return this.approvals.enterChallenge(step);
      },
      other: () => this.awaitVisitor(key.sessionHash),
    });
  }

  async #askOnce({ sessions, key, session, binding, call, enter, other }: Asking): Promise<boolean> {
    const { challengesStarted, challengeRequestedAt: requestedAt } = session;
    if (!(await sessions.reserveChallenge({ key, started: challengesStarted, requestedAt, now: this.clock.now() }))) {
      // The page then shows the result of the other click. A check that has not ended also lets nobody ask.
      return isNew(await other(), session);
    }
    const started = challengesStarted + 1;
    let isEntered = false;
    try {
      isEntered = await enter({ challenge: await this.ask(binding, call), started });
      return isEntered;
    } finally {
      // Without a challenge to store, or if the one before is being checked, the next click may ask at once.
      if (!isEntered) await sessions.giveChallengeBack({ key, started });
    }
  }

  /** @returns the session of a visitor once another click has its answer from the bank; undefined if it has ended */
  awaitVisitor(sessionHash: Buffer): Promise<ApprovalSession | undefined> {
    return this.#findVisitorOnce(sessionHash, isAnswered);
  }

  /** As {@link awaitCheck}, for a visitor without a TPP. */
  awaitCheckOfVisitor(sessionHash: Buffer): Promise<ApprovalSession | undefined> {
    return this.#findVisitorOnce(sessionHash, isChecked);
  }

  #findVisitorOnce(
    sessionHash: Buffer,
    isOver: (found: ApprovalSession | undefined) => boolean,
  ): Promise<ApprovalSession | undefined> {
    return this.#visits.until(sessionHash, () => this.approvals.find(sessionHash, this.clock.now()), isOver);
  }

  /**
   * @returns the status of a challenge; asks the bank only if its app can have changed it. If the bank cannot answer,
   * the customer keeps waiting, because that does not change the challenge
   */
  async findStatus(challenge: SessionChallenge, call: BankCall): Promise<ChallengeStatus> {
    const { challengeId, method, expiresAt, verified } = challenge;
    // The bank has used it up; its answer is still valid for the decision that could not be stored.
    if (verified !== undefined) return 'Approved';
    if (method !== 'Code') {
      return this.challenges.findStatus({ challengeId, call }).catch((error: unknown) => {
        if (error instanceof BankUnavailableError) return 'Pending';
        throw error;
      });
    }
    return new Date(expiresAt) <= this.clock.now() ? 'Expired' : 'Pending';
  }

  /**
   * Uses up the challenge. Sends the bank the values that it bound, or nothing if one of them has changed or the bank
   * has accepted the answer before.
   * @param answer `oneTimeCode` undefined: approved in the bank's app; `binding`: the values as they are now
   * @throws PsuLockedError, BankUnavailableError, BankAnswerError
   */
  async verify(answer: {
    challenge: SessionChallenge;
    oneTimeCode: string | undefined;
    binding: ChallengeBinding;
    call: BankCall;
  }): Promise<Exclude<ChallengeVerification, { outcome: 'Locked' }>> {
    const { challenge, oneTimeCode, binding, call } = answer;
    if (!isDeepStrictEqual(challenge.bound, binding)) return { outcome: 'Over' };
    const { verified } = challenge;
    if (verified !== undefined) {
      return { outcome: 'Verified', acr: verified.acr, authenticatedAt: new Date(verified.authenticatedAt) };
    }
    const verification = await this.challenges.verify({
      challengeId: challenge.challengeId,
      ...(oneTimeCode !== undefined && { oneTimeCode }),
      binding,
      call,
    });
    if (verification.outcome === 'Locked') throw new PsuLockedError('The customer is locked.');
    return verification;
  }

  /**
   * Stores what a verified answer was for. The bank does not accept it again, so if the database is unavailable, the
   * session keeps what the bank said for the next attempt. Any other failure would come again, and ends a journey.
   */
  store<Result>(verified: Verified, claim: ChallengeClaim, step: () => Promise<Result>): Promise<Result> {
    return storeOrKeep(this.sessions, verified, claim, step);
  }

  /** As {@link store}, in a visit, which any other failure does not end: the customer may ask for a new challenge. */
  storeForVisitor<Result>(verified: Verified, claim: ChallengeClaim, step: () => Promise<Result>): Promise<Result> {
    return storeOrKeep(this.approvals, verified, claim, step, () => this.approvals.releaseChallenge(claim));
  }

  /** As {@link verify}, in a visit: after a failure or a wrong answer, the customer may answer again. */
  async verifyForVisitor(
    claim: ChallengeClaim,
    answer: Parameters<ChallengeDesk['verify']>[0],
  ): ReturnType<ChallengeDesk['verify']> {
    let isRight = false;
    try {
      const verification = await this.verify(answer);
      isRight = verification.outcome === 'Verified';
      return verification;
    } finally {
      if (!isRight) await this.approvals.releaseChallenge(claim);
    }
  }
}

async function storeOrKeep<Result>(
  sessions: CustomerSessions,
  { acr, authenticatedAt }: Verified,
  claim: ChallengeClaim,
  step: () => Promise<Result>,
  otherwise?: () => Promise<void>,
): Promise<Result> {
  try {
    return await step();
  } catch (error) {
    const verified = { acr, authenticatedAt: authenticatedAt.toISOString() };
    if (isDatabaseUnavailable(error)) await sessions.keepVerification({ ...claim, verified });
    else await otherwise?.();
    throw error;
  }
}

/** The bank has been asked, or is unavailable. */
const isAnswered = (session: CustomerSession | undefined): boolean => session?.challengeRequestedAt === undefined;

/** No answer to the challenge is with the bank, or the session has ended. */
const isChecked = (found: { isChallengeChecked: boolean; stage?: string } | undefined): boolean =>
  found?.isChallengeChecked !== true || found.stage === 'Completed';

const isNew = (found: CustomerSession | undefined, before: CustomerSession): boolean =>
  found?.challenge !== undefined && found.challenge.challengeId !== before.challenge?.challengeId;
