import { Injectable } from '@nestjs/common';
import { Database, membersOf, type RowOf, type Statement, statement } from '#libs/persistence';
import { type ChallengeValues, onChallenge } from './challenge-sql.js';
import { changesOne } from './changes-one.js';
import type { SessionChallenge } from './session-challenge.js';

/** A customer who came by themselves to approve payments. Without `acr`, the second factor is missing. */
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
  /** an answer to it is being checked */
  readonly isChallengeChecked: boolean;
  /** since when the bank is being asked for one */
  readonly challengeRequestedAt?: Date;
}

const columns = `
  approval_session_id AS session_id, psu_id, psu_name, acr, authenticated_at, created_at, expires_at, challenge,
  challenges_started, challenge_checked_at IS NOT NULL AS is_challenge_checked, challenge_requested_at`;

interface SessionHash {
  readonly sessionHash: Buffer;
}

/** A statement on one session. */
const ofSession = <Step extends object>(name: string) => statement<SessionHash & Step>(name, ['sessionHash']);

// Runs before the bank is asked for a challenge. Of two clicks with one password, one asks it.
const startSession = ofSession<{ sessionId: string; psuId: string; psuName: string; now: Date; expiresAt: Date }>(
  'start-approval-session',
)`
  INSERT INTO approval_sessions (approval_session_id, session_hash, psu_id, psu_name, created_at, expires_at,
    challenge_requested_at,
    challenges_started)
  VALUES (:sessionId, :sessionHash, :psuId, :psuName, :now, :expiresAt, :now, 1) ON CONFLICT (session_hash) DO NOTHING`;

const findSession = ofSession<{ now: Date }>('find-approval-session')`
  SELECT ${columns} FROM approval_sessions WHERE session_hash = :sessionHash AND expires_at > :now`;

/** Sessions with both factors, the latest first. */
const findSessionsOfPsu = statement<{ psuId: string; now: Date }>('find-approval-sessions-of-psu')`
  SELECT ${columns} FROM approval_sessions WHERE psu_id = :psuId AND expires_at > :now AND acr IS NOT NULL
  ORDER BY created_at DESC LIMIT 50`;

// The new value comes with the new right, so the old value is worthless.
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
    AND ${onChallenge.release.where}`;

const change = 'UPDATE approval_sessions SET';
const itself = 'WHERE session_hash = :sessionHash';
const isOpen = 'expires_at > :now';

const reserveChallenge = ofSession<ChallengeValues['reserve']>('reserve-approval-challenge')`
  ${change} ${onChallenge.reserve.set} ${itself} AND ${isOpen} AND ${onChallenge.reserve.where}`;

const enterChallenge = ofSession<ChallengeValues['enter']>('enter-approval-challenge')`
  ${change} ${onChallenge.enter.set} ${itself} AND ${isOpen} AND ${onChallenge.enter.where}`;

const giveChallengeBack = ofSession<ChallengeValues['giveBack']>('give-approval-challenge-back')`
  ${change} ${onChallenge.giveBack.set} ${itself} AND ${onChallenge.giveBack.where}`;

const keepVerification = ofSession<ChallengeValues['keep']>('keep-approval-verification')`
  ${change} ${onChallenge.keep.set} ${itself} AND ${onChallenge.keep.where}`;

const claimChallenge = ofSession<ChallengeValues['claim']>('claim-approval-challenge')`
  ${change} ${onChallenge.claim.set} ${itself} AND ${isOpen} AND ${onChallenge.claim.where}`;

const releaseChallenge = ofSession<ChallengeValues['release']>('release-approval-challenge')`
  ${change} ${onChallenge.release.set} ${itself} AND ${onChallenge.release.where}`;

const renewSession = ofSession<ChallengeValues['renew']>('renew-approval-session')`
  ${change} ${onChallenge.renew.set} ${itself} AND ${isOpen} RETURNING expires_at`;

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

/** Customers' visits to `/approvals`. The cookie holds a session's value, the table its hash. */
@Injectable()
export class ApprovalSessionService {
  constructor(private readonly database: Database) {}

  /**
   * Starts a session after a right password. The caller then asks the bank for a challenge.
   * @returns false if another click was faster
   */
  start(session: ValuesOf<typeof startSession>): Promise<boolean> {
    return this.#change(startSession.with(session));
  }

  /** @returns undefined for a wrong value, and for an expired session */
  async find(sessionHash: Buffer, now: Date): Promise<ApprovalSession | undefined> {
    const { rows } = await this.database.query<RowOf<ApprovalSession>>(...findSession.with({ sessionHash, now }));
    return rows[0] && membersOf<ApprovalSession>(rows[0]);
  }

  /** @returns the customer's sessions with both factors, the latest first */
  async findOfPsu(psuId: string, now: Date): Promise<ApprovalSession[]> {
    const { rows } = await this.database.query<RowOf<ApprovalSession>>(...findSessionsOfPsu.with({ psuId, now }));
    return rows.map((row) => membersOf<ApprovalSession>(row));
  }

  /**
   * The challenge of the sign-in has succeeded: the customer is strongly authenticated.
   * @returns false if the session does not wait for it (any more)
   */
  completeSignIn(step: ValuesOf<typeof completeSignIn>): Promise<boolean> {
    return this.#change(completeSignIn.with(step));
  }

  /**
   * Reserves one more challenge, before the bank is asked for it.
   * @param step `started`: how many the session had when it was read
   * @returns false if another click was faster, or if a challenge is being checked now: then do not ask the bank
   */
  reserveChallenge(step: ValuesOf<typeof reserveChallenge>): Promise<boolean> {
    return this.#change(reserveChallenge.with(step));
  }

  /** The bank could not be asked, or the challenge not stored, so the next click may ask at once. */
  async giveChallengeBack(step: ValuesOf<typeof giveChallengeBack>): Promise<void> {
    await this.#change(giveChallengeBack.with(step));
  }

  /** The bank accepted the code but the decision could not be stored. The next attempt reuses the bank's answer. */
  async keepVerification(step: ValuesOf<typeof keepVerification>): Promise<void> {
    await this.#change(keepVerification.with(step));
  }

  /**
   * @param step `started`: how many challenges there are with this one, as reserved
   * @returns false if the session has ended, or if the challenge before is being checked now
   */
  enterChallenge(step: ValuesOf<typeof enterChallenge>): Promise<boolean> {
    return this.#change(enterChallenge.with(step));
  }

  /** @returns false if another request is taking the challenge to the bank, or if it is over */
  claimChallenge(step: ValuesOf<typeof claimChallenge>): Promise<boolean> {
    return this.#change(claimChallenge.with(step));
  }

  /** The answer was wrong; another may be tried. */
  async releaseChallenge(step: ValuesOf<typeof releaseChallenge>): Promise<void> {
    await this.#change(releaseChallenge.with(step));
  }

  /** @returns when the session ends, now that it was used; undefined if it has ended */
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
