import { Injectable } from '@nestjs/common';
import { Database } from '#libs/persistence';

/** A customer who came by themselves to approve payments. Without `acr` the second factor is still to come. */
export interface ApprovalSession {
  readonly sessionId: string;
  readonly psuId: string;
  readonly psuName: string;
  readonly acr?: string;
  readonly authenticatedAt?: Date;
  readonly expiresAt: Date;
}

interface ApprovalSessionRow {
  approval_session_id: string;
  psu_id: string;
  psu_name: string;
  acr: string | null;
  authenticated_at: Date | null;
  expires_at: Date;
}

const startSql = `
  INSERT INTO approval_sessions (approval_session_id, session_hash, psu_id, psu_name, created_at, expires_at)
  VALUES ($1, $2, $3, $4, $5, $6)`;

const findSql = `
  SELECT approval_session_id, psu_id, psu_name, acr, authenticated_at, expires_at
  FROM approval_sessions WHERE session_hash = $1 AND expires_at > $2`;

// A new value with the new right: who knew the old one has nothing.
const completeSignInSql = `
  UPDATE approval_sessions SET session_hash = $3, acr = $4, authenticated_at = $5
  WHERE session_hash = $1 AND expires_at > $2 AND acr IS NULL`;

/** Sessions of customers at the page for further approvals. The cookie holds the value, the table its SHA-256. */
@Injectable()
export class ApprovalSessionService {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The password was right: a session that waits for the second factor. */
  async start(session: {
    sessionId: string;
    sessionHash: Buffer;
    psuId: string;
    psuName: string;
    now: Date;
    expiresAt: Date;
  }): Promise<void> {
    const { sessionId, sessionHash, psuId, psuName, now, expiresAt } = session;
    await this.#database.query('start-approval-session', startSql, [
      sessionId,
      sessionHash,
      psuId,
      psuName,
      now,
      expiresAt,
    ]);
  }

  /** @returns undefined for a wrong value and for a session that has run out */
  async find(sessionHash: Buffer, now: Date): Promise<ApprovalSession | undefined> {
    const { rows } = await this.#database.query<ApprovalSessionRow>('find-approval-session', findSql, [
      sessionHash,
      now,
    ]);
    return rows[0] && toApprovalSession(rows[0]);
  }

  /**
   * The one-time code was right: the customer is strongly authenticated.
   * @returns false if the session was not waiting for it (any more)
   */
  async completeSignIn(step: {
    sessionHash: Buffer;
    newSessionHash: Buffer;
    acr: string;
    authenticatedAt: Date;
    now: Date;
  }): Promise<boolean> {
    const { sessionHash, newSessionHash, acr, authenticatedAt, now } = step;
    const parameters = [sessionHash, now, newSessionHash, acr, authenticatedAt];
    const { rowCount } = await this.#database.query('complete-approval-sign-in', completeSignInSql, parameters);
    return rowCount === 1;
  }

  /** The customer signs out. */
  async end(sessionHash: Buffer): Promise<void> {
    await this.#database.query('end-approval-session', 'DELETE FROM approval_sessions WHERE session_hash = $1', [
      sessionHash,
    ]);
  }
}

function toApprovalSession(row: ApprovalSessionRow): ApprovalSession {
  return {
    sessionId: row.approval_session_id,
    psuId: row.psu_id,
    psuName: row.psu_name,
    expiresAt: row.expires_at,
    ...(row.acr !== null && { acr: row.acr }),
    ...(row.authenticated_at !== null && { authenticatedAt: row.authenticated_at }),
  };
}
