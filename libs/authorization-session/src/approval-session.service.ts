import { Injectable } from '@nestjs/common';
import { Database, secondsAfter } from '#libs/persistence';
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

// Before the bank is asked for a challenge: of two clicks with one password one asks it.
const startSql = `
  INSERT INTO approval_sessions (approval_session_id, session_hash, psu_id, psu_name, created_at, expires_at, challenge_requested_at,
    challenges_started)
  VALUES ($1, $2, $3, $4, $5, $6, $5, 1) ON CONFLICT (session_hash) DO NOTHING`;

const findSql = `SELECT ${columns} FROM approval_sessions WHERE session_hash = $1 AND expires_at > $2`;

/** $1 PSU, $2 now. Those with both factors, the latest first. */
const findOfPsuSql = `
  SELECT ${columns} FROM approval_sessions WHERE psu_id = $1 AND expires_at > $2 AND acr IS NOT NULL
  ORDER BY created_at DESC LIMIT 50`;

// A new value with the new right: who knew the old one has nothing.
const completeSignInSql = `
  UPDATE approval_sessions SET session_hash = $3, acr = $4, authenticated_at = $5, challenge = NULL, challenge_checked_at = NULL
  WHERE session_hash = $1 AND expires_at > $2 AND acr IS NULL AND challenge ->> 'challengeId' = $6`;

const isUnchecked = `(challenge_checked_at IS NULL OR challenge_checked_at < $2::timestamptz - interval '${longestCheckSeconds} seconds')`;

const isUnrequested = `
  (challenge_requested_at IS NULL OR challenge_requested_at < $2::timestamptz - interval '${longestCheckSeconds} seconds')`;

/** $1 hash, $2 now, $3 how many it had and $4 since when it was asked for when it was read. Before the bank is asked: of many clicks one asks it. */
const reserveSql = `
  UPDATE approval_sessions SET challenges_started = challenges_started + 1, challenge_requested_at = $2::timestamptz
  WHERE session_hash = $1 AND expires_at > $2 AND challenges_started = $3 AND ${isUnchecked} AND ${isUnrequested}
    AND challenge_requested_at IS NOT DISTINCT FROM $4::timestamptz`;

/** $1 hash, $2 now, $3 challenge, $4 how many it makes, as reserved. It replaces the one before, unless that is being checked. */
const enterChallengeSql = `
  UPDATE approval_sessions SET challenge = $3, challenge_checked_at = NULL, challenge_requested_at = NULL
  WHERE session_hash = $1 AND expires_at > $2 AND challenges_started = $4 AND ${isUnchecked}`;

/** $1 hash, $2 how many it made: the bank has not asked */
const giveBackSql = `
  UPDATE approval_sessions SET challenge_requested_at = NULL WHERE session_hash = $1 AND challenges_started = $2`;

/** $1 hash, $2 id of the challenge, $3 what the bank has verified: the decision could not be stored with it */
const keepVerificationSql = `
  UPDATE approval_sessions SET challenge_checked_at = NULL, challenge = challenge || jsonb_build_object('verified', $3::jsonb)
  WHERE session_hash = $1 AND challenge ->> 'challengeId' = $2`;

/** $1 hash, $2 now, $3 id of the challenge: of many calls with an answer to it one goes to the bank */
const claimSql = `
  UPDATE approval_sessions SET challenge_checked_at = $2::timestamptz
  WHERE session_hash = $1 AND expires_at > $2 AND challenge ->> 'challengeId' = $3 AND ${isUnchecked}`;

const releaseSql = `
  UPDATE approval_sessions SET challenge_checked_at = NULL WHERE session_hash = $1 AND challenge ->> 'challengeId' = $2`;

/** $1 hash, $2 now, $3 idle seconds, $4 seconds in all */
const renewSql = `
  UPDATE approval_sessions SET expires_at =
    least(${secondsAfter('$2::timestamptz', '$3::integer')}, ${secondsAfter('created_at', '$4::integer')})
  WHERE session_hash = $1 AND expires_at > $2
  RETURNING expires_at`;

/** $1 PSU, $2 session or null for all, $3 session that stays or null */
const endOfPsuSql = `
  DELETE FROM approval_sessions
  WHERE psu_id = $1 AND ($2::uuid IS NULL OR approval_session_id = $2) AND ($3::uuid IS NULL OR approval_session_id <> $3)`;

/** Sessions of customers at the page for further approvals. The cookie holds the value, the table its SHA-256. */
@Injectable()
export class ApprovalSessionService {
  constructor(private readonly database: Database) {}

  /**
   * The password was right: a session for which the bank is going to be asked for a challenge.
   * @returns false if another click has been faster
   */
  async start(session: {
    sessionId: string;
    sessionHash: Buffer;
    psuId: string;
    psuName: string;
    now: Date;
    expiresAt: Date;
  }): Promise<boolean> {
    const { sessionId, sessionHash, psuId, psuName, now, expiresAt } = session;
    const parameters = [sessionId, sessionHash, psuId, psuName, now, expiresAt];
    return changesOne(await this.database.query('start-approval-session', startSql, parameters));
  }

  /** @returns undefined for a wrong value and for a session that has run out */
  async find(sessionHash: Buffer, now: Date): Promise<ApprovalSession | undefined> {
    const { rows } = await this.database.query<ApprovalSessionRow>('find-approval-session', findSql, [
      sessionHash,
      now,
    ]);
    return rows[0] && toApprovalSession(rows[0]);
  }

  /** @returns where the customer is signed in with both factors, the latest first */
  async findOfPsu(psuId: string, now: Date): Promise<ApprovalSession[]> {
    const { rows } = await this.database.query<ApprovalSessionRow>('find-approval-sessions-of-psu', findOfPsuSql, [
      psuId,
      now,
    ]);
    return rows.map(toApprovalSession);
  }

  /**
   * The challenge of the sign-in has succeeded: the customer is strongly authenticated.
   * @returns false if the session was not waiting for it (any more)
   */
  async completeSignIn(step: {
    sessionHash: Buffer;
    newSessionHash: Buffer;
    challengeId: string;
    acr: string;
    authenticatedAt: Date;
    now: Date;
  }): Promise<boolean> {
    const { sessionHash, newSessionHash, challengeId, acr, authenticatedAt, now } = step;
    const parameters = [sessionHash, now, newSessionHash, acr, authenticatedAt, challengeId];
    return changesOne(await this.database.query('complete-approval-sign-in', completeSignInSql, parameters));
  }

  /**
   * The bank is going to be asked for one more challenge.
   * @param step `started`: how many the session had when it was read
   * @returns false if another click has been faster, or a challenge is being checked at this moment: then do not ask
   * for one
   */
  async reserveChallenge(step: {
    sessionHash: Buffer;
    started: number;
    requestedAt: Date | undefined;
    now: Date;
  }): Promise<boolean> {
    const parameters = [step.sessionHash, step.now, step.started, step.requestedAt ?? null];
    return changesOne(await this.database.query('reserve-approval-challenge', reserveSql, parameters));
  }

  /** The bank could not be asked: the next click may ask it at once. */
  async giveChallengeBack({ sessionHash, started }: { sessionHash: Buffer; started: number }): Promise<void> {
    await this.database.query('give-approval-challenge-back', giveBackSql, [sessionHash, started]);
  }

  /** The bank has used the challenge up, and the decision could not be stored: what the bank said is valid for the next attempt. */
  async keepVerification(step: {
    sessionHash: Buffer;
    challengeId: string;
    verified: NonNullable<SessionChallenge['verified']>;
  }): Promise<void> {
    const parameters = [step.sessionHash, step.challengeId, JSON.stringify(step.verified)];
    await this.database.query('keep-approval-verification', keepVerificationSql, parameters);
  }

  /**
   * @param step `started`: how many it makes, as reserved
   * @returns false if the session has ended, or the one before is being checked at this moment
   */
  async enterChallenge(step: {
    sessionHash: Buffer;
    challenge: SessionChallenge;
    started: number;
    now: Date;
  }): Promise<boolean> {
    const { sessionHash, challenge, started, now } = step;
    const parameters = [sessionHash, now, JSON.stringify(challenge), started];
    return changesOne(await this.database.query('enter-approval-challenge', enterChallengeSql, parameters));
  }

  /** @returns false if somebody else takes the challenge to the bank at this moment, or it is over */
  async claimChallenge(step: { sessionHash: Buffer; challengeId: string; now: Date }): Promise<boolean> {
    return changesOne(
      await this.database.query('claim-approval-challenge', claimSql, [step.sessionHash, step.now, step.challengeId]),
    );
  }

  /** The answer was wrong: the next one may be tried. */
  async releaseChallenge({ sessionHash, challengeId }: { sessionHash: Buffer; challengeId: string }): Promise<void> {
    await this.database.query('release-approval-challenge', releaseSql, [sessionHash, challengeId]);
  }

  /** @returns when the session ends now that somebody has done something; undefined if it has ended */
  async renew(session: {
    sessionHash: Buffer;
    now: Date;
    idleSeconds: number;
    sessionSeconds: number;
  }): Promise<Date | undefined> {
    const { sessionHash, now, idleSeconds, sessionSeconds } = session;
    const { rows } = await this.database.query<{ expires_at: Date }>('renew-approval-session', renewSql, [
      sessionHash,
      now,
      idleSeconds,
      sessionSeconds,
    ]);
    return rows[0]?.expires_at;
  }

  /**
   * The customer ends sessions elsewhere.
   * @param which one session, or all but one
   */
  async endOfPsu(psuId: string, which: { sessionId: string } | { except: string }): Promise<void> {
    const parameters = 'except' in which ? [psuId, null, which.except] : [psuId, which.sessionId, null];
    await this.database.query('end-approval-sessions-of-psu', endOfPsuSql, parameters);
  }

  /** The customer signs out. */
  async end(sessionHash: Buffer): Promise<void> {
    await this.database.query('end-approval-session', 'DELETE FROM approval_sessions WHERE session_hash = $1', [
      sessionHash,
    ]);
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
