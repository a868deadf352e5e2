import { Injectable } from '@nestjs/common';
import { Database, secondsAfter, type Statement, statement } from '#libs/persistence';
import { changesOne } from './changes-one.js';
import { longestCheckSeconds, type SessionChallenge } from './session-challenge.js';

/** A customer who came by themselves to approve payments. Without `acr` the second factor is still to come. */
export interface ApprovalSession {
  readonly sessionId: string;
  readonly psuId: string;
  readonly psuName: string;
  readonly acr?: string;
  readonly authenticatedAt?: Date;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  /** what the customer is asked to authenticate at the moment: the sign-in, or one decision */
  readonly challenge?: SessionChallenge;
  readonly challengesStarted: number;
  /** since when the bank is being asked for one */
  readonly challengeRequestedAt?: Date;
}

interface ApprovalSessionRow {
  approval_session_id: string;
  psu_id: string;
  psu_name: string;
  acr: string | null;
  authenticated_at: Date | null;
  created_at: Date;
  expires_at: Date;
  challenge: SessionChallenge | null;
  challenges_started: number;
  challenge_requested_at: Date | null;
}

const columns = `
  approval_session_id, psu_id, psu_name, acr, authenticated_at, created_at, expires_at, challenge, challenges_started,
  challenge_requested_at`;

interface SessionHash {
  readonly sessionHash: Buffer;
}

/** A statement on one session. */
const ofSession = <Step extends object>(name: string) => statement<SessionHash & Step>(name, ['sessionHash']);

// Before the bank is asked for a challenge: of two clicks with one password one asks it.
const startSession = ofSession<{ sessionId: string; psuId: string; psuName: string; now: Date; expiresAt: Date }>(
  'start-approval-session',
)`
  INSERT INTO approval_sessions (approval_session_id, session_hash, psu_id, psu_name, created_at, expires_at,
    challenge_requested_at,
    challenges_started)
  VALUES (:sessionId, :sessionHash, :psuId, :psuName, :now, :expiresAt, :now, 1) ON CONFLICT (session_hash) DO NOTHING`;

const findSession = ofSession<{ now: Date }>('find-approval-session')`
  SELECT ${columns} FROM approval_sessions WHERE session_hash = :sessionHash AND expires_at > :now`;

/** Those with both factors, the latest first. */
const findSessionsOfPsu = statement<{ psuId: string; now: Date }>('find-approval-sessions-of-psu')`
  SELECT ${columns} FROM approval_sessions WHERE psu_id = :psuId AND expires_at > :now AND acr IS NOT NULL
  ORDER BY created_at DESC LIMIT 50`;

// A new value with the new right: who knew the old one has nothing.
const completeSignIn = ofSession<{
  newSessionHash: Buffer;
  challengeId: string;
  acr: string;
  authenticatedAt: Date;
  now: Date;
}>('complete-approval-sign-in')`
  UPDATE approval_sessions SET session_hash = :newSessionHash, acr = :acr, authenticated_at = :authenticatedAt,
    challenge = NULL,
    challenge_checked_at = NULL
  WHERE session_hash = :sessionHash AND expires_at > :now AND acr IS NULL
    AND challenge ->> 'challengeId' = :challengeId`;

const isUnchecked = `
  (challenge_checked_at IS NULL
    OR challenge_checked_at < :now::timestamptz - interval '${longestCheckSeconds} seconds')`;

const isUnrequested = `
  (challenge_requested_at IS NULL OR challenge_requested_at < :now::timestamptz - interval
    '${longestCheckSeconds} seconds')`;

/**
 * Before the bank is asked: of many clicks one asks it. `started` and `requestedAt` are as they were when the session
 * was read.
 */
const reserveChallenge = ofSession<{ started: number; requestedAt: Date | undefined; now: Date }>(
  'reserve-approval-challenge',
)`
  UPDATE approval_sessions SET challenges_started = challenges_started + 1, challenge_requested_at = :now::timestamptz
  WHERE session_hash = :sessionHash AND expires_at > :now AND challenges_started = :started AND ${isUnchecked}
    AND ${isUnrequested}
    AND challenge_requested_at IS NOT DISTINCT FROM :requestedAt::timestamptz`;

/** `started` is how many it makes, as reserved. It replaces the one before, unless that is being checked. */
const enterChallenge = ofSession<{ challenge: SessionChallenge; started: number; now: Date }>(
  'enter-approval-challenge',
)`
  UPDATE approval_sessions SET challenge = :challenge, challenge_checked_at = NULL, challenge_requested_at = NULL
  WHERE session_hash = :sessionHash AND expires_at > :now AND challenges_started = :started AND ${isUnchecked}`;

/** The bank has not asked. */
const giveChallengeBack = ofSession<{ started: number }>('give-approval-challenge-back')`
  UPDATE approval_sessions SET challenge_requested_at = NULL WHERE session_hash = :sessionHash
    AND challenges_started = :started`;

/** The bank has verified it, and the decision could not be stored. */
const keepVerification = ofSession<{ challengeId: string; verified: NonNullable<SessionChallenge['verified']> }>(
  'keep-approval-verification',
)`
  UPDATE approval_sessions SET challenge_checked_at = NULL, challenge = challenge || jsonb_build_object('verified',
    :verified::jsonb)
  WHERE session_hash = :sessionHash AND challenge ->> 'challengeId' = :challengeId`;

/** One of several calls with an answer to the challenge goes to the bank. */
const claimChallenge = ofSession<{ challengeId: string; now: Date }>('claim-approval-challenge')`
  UPDATE approval_sessions SET challenge_checked_at = :now::timestamptz
  WHERE session_hash = :sessionHash AND expires_at > :now AND challenge ->> 'challengeId' = :challengeId
    AND ${isUnchecked}`;

const releaseChallenge = ofSession<{ challengeId: string }>('release-approval-challenge')`
  UPDATE approval_sessions SET challenge_checked_at = NULL
  WHERE session_hash = :sessionHash AND challenge ->> 'challengeId' = :challengeId`;

const renewSession = ofSession<{ now: Date; idleSeconds: number; sessionSeconds: number }>('renew-approval-session')`
  UPDATE approval_sessions SET expires_at =
    least(${secondsAfter(':now::timestamptz', ':idleSeconds::integer')},
      ${secondsAfter('created_at', ':sessionSeconds::integer')})
  WHERE session_hash = :sessionHash AND expires_at > :now
  RETURNING expires_at`;

const endSession = ofSession<object>(
  'end-approval-session',
)`DELETE FROM approval_sessions WHERE session_hash = :sessionHash`;

/** One session, or all but one. */
const endSessionsOfPsu = statement<{ psuId: string; sessionId: string | undefined; except: string | undefined }>(
  'end-approval-sessions-of-psu',
)`
  DELETE FROM approval_sessions
  WHERE psu_id = :psuId AND (:sessionId::uuid IS NULL OR approval_session_id = :sessionId)
    AND (:except::uuid IS NULL OR approval_session_id <> :except)`;

type ValuesOf<Of> = Of extends Statement<infer Values> ? Values : never;

/** Sessions of customers at the page for further approvals. The cookie holds the value, the table its SHA-256. */
@Injectable()
export class ApprovalSessionService {
  constructor(private readonly database: Database) {}

  /**
   * The password was right: a session for which the bank is going to be asked for a challenge.
   * @returns false if another click has been faster
   */
  start(session: ValuesOf<typeof startSession>): Promise<boolean> {
    return this.#change(startSession.with(session));
  }

  /** @returns undefined for a wrong value and for a session that has run out */
  async find(sessionHash: Buffer, now: Date): Promise<ApprovalSession | undefined> {
    const { rows } = await this.database.query<ApprovalSessionRow>(...findSession.with({ sessionHash, now }));
    return rows[0] && toApprovalSession(rows[0]);
  }

  /** @returns where the customer is signed in with both factors, the latest first */
  async findOfPsu(psuId: string, now: Date): Promise<ApprovalSession[]> {
    const { rows } = await this.database.query<ApprovalSessionRow>(...findSessionsOfPsu.with({ psuId, now }));
    return rows.map(toApprovalSession);
  }

  /**
   * The challenge of the sign-in has succeeded: the customer is strongly authenticated.
   * @returns false if the session was not waiting for it (any more)
   */
  completeSignIn(step: ValuesOf<typeof completeSignIn>): Promise<boolean> {
    return this.#change(completeSignIn.with(step));
  }

  /**
   * The bank is going to be asked for one more challenge.
   * @param step `started`: how many the session had when it was read
   * @returns false if another click has been faster, or a challenge is being checked at this moment: then do not ask
   * for one
   */
  reserveChallenge(step: ValuesOf<typeof reserveChallenge>): Promise<boolean> {
    return this.#change(reserveChallenge.with(step));
  }

  /** The bank could not be asked: the next click may ask it at once. */
  async giveChallengeBack(step: ValuesOf<typeof giveChallengeBack>): Promise<void> {
    await this.#change(giveChallengeBack.with(step));
  }

  /** The bank accepted the code but the decision could not be stored. The next attempt reuses the bank's answer. */
  async keepVerification(step: ValuesOf<typeof keepVerification>): Promise<void> {
    await this.#change(keepVerification.with(step));
  }

  /**
   * @param step `started`: how many it makes, as reserved
   * @returns false if the session has ended, or the one before is being checked at this moment
   */
  enterChallenge(step: ValuesOf<typeof enterChallenge>): Promise<boolean> {
    return this.#change(enterChallenge.with(step));
  }

  /** @returns false if somebody else takes the challenge to the bank at this moment, or it is over */
  claimChallenge(step: ValuesOf<typeof claimChallenge>): Promise<boolean> {
    return this.#change(claimChallenge.with(step));
  }

  /** The answer was wrong: the next one may be tried. */
  async releaseChallenge(step: ValuesOf<typeof releaseChallenge>): Promise<void> {
    await this.#change(releaseChallenge.with(step));
  }

  /** @returns when the session ends now that somebody has done something; undefined if it has ended */
  async renew(session: ValuesOf<typeof renewSession>): Promise<Date | undefined> {
    const { rows } = await this.database.query<{ expires_at: Date }>(...renewSession.with(session));
    return rows[0]?.expires_at;
  }

  /**
   * The customer ends sessions elsewhere.
   * @param which one session, or all but one
   */
  async endOfPsu(psuId: string, which: { sessionId: string } | { except: string }): Promise<void> {
    await this.#change(endSessionsOfPsu.with({ sessionId: undefined, except: undefined, ...which, psuId }));
  }

  /** The customer signs out. */
  async end(sessionHash: Buffer): Promise<void> {
    await this.#change(endSession.with({ sessionHash }));
  }

  async #change(change: ReturnType<Statement<object>['with']>): Promise<boolean> {
    return changesOne(await this.database.query(...change));
  }
}

function toApprovalSession(row: ApprovalSessionRow): ApprovalSession {
  return {
    sessionId: row.approval_session_id,
    psuId: row.psu_id,
    psuName: row.psu_name,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    challengesStarted: row.challenges_started,
    ...(row.challenge_requested_at !== null && { challengeRequestedAt: row.challenge_requested_at }),
    ...(row.challenge !== null && { challenge: row.challenge }),
    ...(row.acr !== null && { acr: row.acr }),
    ...(row.authenticated_at !== null && { authenticatedAt: row.authenticated_at }),
  };
}
