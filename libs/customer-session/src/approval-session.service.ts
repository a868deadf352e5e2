import { Injectable } from '@nestjs/common';
import { membersOf, type RowOf, statement } from '#libs/persistence';
import { ofSession, type SessionSteps, sqlOfSteps } from './challenge-sql.js';
import { changesOne } from './changes-one.js';
import { CustomerSessions } from './customer-sessions.js';
import type { CustomerSession, SessionKey } from './customer-session.js';

/** A customer who came by themselves to approve payments. Without `acr`, the second factor is missing. */
export interface ApprovalSession extends CustomerSession {
  readonly psuId: string;
  readonly psuName: string;
  readonly createdAt: Date;
}

const columns = `
  approval_session_id AS session_id, psu_id, psu_name, acr, authenticated_at, created_at, expires_at, challenge,
  challenges_started, challenge_checked_at IS NOT NULL AS is_challenge_checked, challenge_requested_at`;

// Runs before the bank is asked for a challenge. Of two clicks with one password, one asks it.
const startSession = statement<SessionKey & { psuId: string; psuName: string; now: Date; expiresAt: Date }>(
  'start-approval-session',
)`
  INSERT INTO approval_sessions (approval_session_id, session_hash, psu_id, psu_name, created_at, expires_at,
    challenge_requested_at, challenges_started)
  VALUES (:sessionId, :sessionHash, :psuId, :psuName, :now, :expiresAt, :now, 1) ON CONFLICT (session_hash) DO NOTHING`;

const findSession = statement<{ sessionHash: Buffer; now: Date }>('find-approval-session')`
  SELECT ${columns} FROM approval_sessions WHERE session_hash = :sessionHash AND expires_at > :now`;

/** Sessions with both factors, the latest first. */
const findSessionsOfPsu = statement<{ psuId: string; now: Date }>('find-approval-sessions-of-psu')`
  SELECT ${columns} FROM approval_sessions WHERE psu_id = :psuId AND expires_at > :now AND acr IS NOT NULL
  ORDER BY created_at DESC LIMIT 50`;

const isOpen = 'expires_at > :now';

const sqlOf = sqlOfSteps({
  table: 'approval_sessions',
  id: 'approval_session_id',
  isOpen,
  isSigningIn: `acr IS NULL AND ${isOpen}`,
  mayAsk: isOpen,
  mayEnter: isOpen,
  mayAnswer: isOpen,
  asked: '',
  signedIn: '',
});

const steps: SessionSteps = {
  reserve: ofSession('reserve-approval-challenge')`${sqlOf.reserve}`,
  giveBack: ofSession('give-approval-challenge-back')`${sqlOf.giveBack}`,
  enter: ofSession('enter-approval-challenge')`${sqlOf.enter}`,
  claim: ofSession('claim-approval-challenge')`${sqlOf.claim}`,
  release: ofSession('release-approval-challenge')`${sqlOf.release}`,
  keep: ofSession('keep-approval-verification')`${sqlOf.keep}`,
  completeSignIn: ofSession('complete-approval-sign-in')`${sqlOf.completeSignIn}`,
  renew: ofSession('renew-approval-session')`${sqlOf.renew}`,
};

const endSession = statement<{ sessionHash: Buffer }>(
  'end-approval-session',
)`DELETE FROM approval_sessions WHERE session_hash = :sessionHash`;

/** One session, or all but one. */
const endSessionsOfPsu = statement<{ psuId: string; sessionId: string | undefined; except: string | undefined }>(
  'end-approval-sessions-of-psu',
)`
  DELETE FROM approval_sessions
  WHERE psu_id = :psuId AND (:sessionId::uuid IS NULL OR approval_session_id = :sessionId)
    AND (:except::uuid IS NULL OR approval_session_id <> :except)`;

/** Customers' visits to `/approvals`. The cookie holds a session's value, the table its hash. */
@Injectable()
export class ApprovalSessionService extends CustomerSessions {
  protected steps(): SessionSteps {
    return steps;
  }

  /**
   * Starts a session after a right password. The caller then asks the bank for a challenge.
   * @returns false if another click was faster
   */
  async start(session: Parameters<(typeof startSession)['with']>[0]): Promise<boolean> {
    return changesOne(await this.database.query(...startSession.with(session)));
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
   * The customer ends sessions elsewhere.
   * @param which one session, or all but one
   */
  async endOfPsu(psuId: string, which: { sessionId: string } | { except: string }): Promise<void> {
    const ended = { sessionId: undefined, except: undefined, ...which, psuId };
    await this.database.query(...endSessionsOfPsu.with(ended));
  }

  /** The customer signs out. */
  async end(sessionHash: Buffer): Promise<void> {
    await this.database.query(...endSession.with({ sessionHash }));
  }
}
