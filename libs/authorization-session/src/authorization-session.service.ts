import { Injectable } from '@nestjs/common';
import { Database } from '#libs/persistence';
import {
  toAuthorizationSession,
  type AuthorizationSession,
  type AuthorizationSessionRow,
  type PendingAuthorizationRequest,
  type SessionKey,
} from './authorization-session.js';
import { toConsentToDecide, type ConsentToDecide, type ConsentToDecideRow } from './consent-to-decide.js';
import {
  approveSql,
  deleteExpiredApprovalSessionsSql,
  deleteExpiredPushedRequestsSql,
  deleteExpiredSessionsSql,
  endSessionSql,
  enterConsentSql,
  enterSecondFactorSql,
  findSessionOfRequestSql,
  findSessionSql,
  findSessionWithConsentSql,
  startSessionSql,
} from './session-sql.js';

/**
 * Whether a request reached the PSU. 'UnknownConsent' is also the answer for another client's consent, 'RequestUriUsed' the one for a
 * reference that somebody else has used or that has expired meanwhile.
 */
export type SessionStart =
  'Started' | 'UnknownConsent' | 'ConsentNotAwaitingAuthorisation' | 'RequestObjectReplayed' | 'RequestUriUsed';

/**
 * What became of a yes. 'ConsentChanged': the consent or its file is no longer what it was; 'ClientChanged': the client or its
 * redirect URI has been withdrawn, so nothing may be sent there. In both cases the session has ended without a code.
 * 'NotOpen': the session had ended or run out before, nothing changed.
 */
export type Approval = 'Approved' | 'ConsentChanged' | 'ClientChanged' | 'NotOpen';

interface SessionStartRow {
  referred: boolean;
  consent_found: boolean;
  permitted: boolean;
  started: boolean;
}

/** The account that the PSU chose, and how many people have to approve payments from it. */
export interface ChosenAccount {
  readonly schemeName: string;
  readonly identification: string;
  readonly name: string;
  readonly approvalsRequired: number;
}

/** Sessions are kept a little longer than they last, so that a PSU who comes back late is still sent to the TPP. */
const keptMilliseconds = 3_600_000;

/**
 * The authorization requests that PSUs are working on. Every step is one conditional UPDATE: of two tabs, two instances or
 * two clicks exactly one wins. A step also gives the session a new value, so that one learned before sign-in is worthless.
 */
@Injectable()
export class AuthorizationSessionService {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Opens a session for a verified request, if its consent belongs to the client and waits for the PSU.
   * @param start `requestObjectId` is the request object's `jti` with its expiry, where it has one: it counts once;
   *   `requestUriHash` is SHA-256 of the reference of a pushed request: it is used up
   */
  async startSession(start: {
    key: SessionKey;
    clientId: string;
    consentId?: string;
    request: PendingAuthorizationRequest;
    requestObjectId?: { jti: string; expiresAt: Date };
    requestUriHash?: Buffer;
    now: Date;
    expiresAt: Date;
  }): Promise<SessionStart> {
    const { rows } = await this.#database.query<SessionStartRow>('start-authorization-session', startSessionSql, [
      start.key.sessionId,
      start.key.sessionHash,
      start.clientId,
      start.consentId ?? null,
      JSON.stringify(start.request),
      start.now,
      start.expiresAt,
      start.requestObjectId?.jti ?? null,
      start.requestObjectId?.expiresAt ?? null,
      start.requestUriHash ?? null,
    ]);
    if (rows[0]?.started) return 'Started';
    if (!rows[0]?.referred) return 'RequestUriUsed';
    if (rows[0]?.permitted) return 'RequestObjectReplayed';
    return rows[0]?.consent_found ? 'ConsentNotAwaitingAuthorisation' : 'UnknownConsent';
  }

  /** @returns the session in whatever stage, ended and expired ones too; undefined for a wrong or outdated value */
  async findSession(key: SessionKey): Promise<AuthorizationSession | undefined> {
    const { rows } = await this.#database.query<AuthorizationSessionRow>(
      'find-authorization-session',
      findSessionSql,
      keyParameters(key),
    );
    return rows[0] && toAuthorizationSession(rows[0]);
  }

  /**
   * Finds the open session in which this browser is already working on the same request: after a reload or the back button
   * the PSU goes on there, and a request object with a `jti` is not taken for a replay.
   * @param keys every session that the browser holds a value for
   */
  async findSessionOfRequest(search: {
    keys: readonly SessionKey[];
    clientId: string;
    requestHash: string;
    now: Date;
  }): Promise<AuthorizationSession | undefined> {
    if (search.keys.length === 0) return undefined;
    const { rows } = await this.#database.query<AuthorizationSessionRow>(
      'find-authorization-session-of-request',
      findSessionOfRequestSql,
      [
        search.keys.map(({ sessionId }) => sessionId),
        search.keys.map(({ sessionHash }) => sessionHash),
        search.clientId,
        search.requestHash,
        search.now,
      ],
    );
    return rows[0] && toAuthorizationSession(rows[0]);
  }

  /** As {@link findSession}, with what the PSU has to decide on; the file only in the stage Consent. */
  async findSessionWithConsent(
    key: SessionKey,
  ): Promise<{ session: AuthorizationSession; consent?: ConsentToDecide } | undefined> {
    const { rows } = await this.#database.query<AuthorizationSessionRow & ConsentToDecideRow>(
      'find-authorization-session-with-consent',
      findSessionWithConsentSql,
      keyParameters(key),
    );
    if (rows[0] === undefined) return undefined;
    const consent = toConsentToDecide(rows[0]);
    return { session: toAuthorizationSession(rows[0]), ...(consent !== undefined && { consent }) };
  }

  /**
   * The password was right.
   * @returns false if the session was not waiting for it (any more)
   */
  async enterSecondFactor(step: {
    key: SessionKey;
    newSessionHash: Buffer;
    psuId: string;
    psuName: string;
    now: Date;
  }): Promise<boolean> {
    const parameters = [...keyParameters(step.key), step.now, step.newSessionHash, step.psuId, step.psuName];
    const { rowCount } = await this.#database.query('enter-second-factor', enterSecondFactorSql, parameters);
    return rowCount === 1;
  }

  /**
   * The one-time code was right: the PSU is strongly authenticated.
   * @returns false if the session was not waiting for it (any more)
   */
  async enterConsent(step: {
    key: SessionKey;
    newSessionHash: Buffer;
    acr: string;
    authenticatedAt: Date;
    now: Date;
  }): Promise<boolean> {
    const parameters = [...keyParameters(step.key), step.now, step.newSessionHash, step.acr, step.authenticatedAt];
    const { rowCount } = await this.#database.query('enter-consent', enterConsentSql, parameters);
    return rowCount === 1;
  }

  /**
   * The PSU agreed. In one statement the consent becomes Authorised, the code is stored and the session ends.
   * @param decision `payment` is what the page showed and the PSU chose; undefined for a session without intent
   */
  async approve(decision: {
    key: SessionKey;
    payment?: { fileHash: Buffer; account: ChosenAccount };
    code: { codeHash: Buffer; expiresAt: Date; subject: string };
    now: Date;
    /** of the request, for the audit event */
    interactionId?: string;
  }): Promise<Approval> {
    const { payment, code } = decision;
    const { rows } = await this.#database.query<{ completed: boolean; client_found: boolean; approved: boolean }>(
      'approve-authorization',
      approveSql,
      [
        ...keyParameters(decision.key),
        decision.now,
        payment?.fileHash ?? null,
        payment === undefined ? null : toDebtorAccount(payment.account),
        payment?.account.approvalsRequired ?? null,
        code.codeHash,
        code.expiresAt,
        code.subject,
        decision.interactionId ?? null,
      ],
    );
    if (rows[0]?.approved) return 'Approved';
    if (!rows[0]?.completed) return 'NotOpen';
    return rows[0].client_found ? 'ConsentChanged' : 'ClientChanged';
  }

  /**
   * Ends the session without a code.
   * @param end `rejectConsent`: the PSU declined or cannot authorise, so the consent becomes Rejected if it still waits
   * @returns false if the session had ended before
   */
  async endSession(end: {
    key: SessionKey;
    rejectConsent: boolean;
    now: Date;
    /** of the request, for the audit event */
    interactionId?: string;
  }): Promise<boolean> {
    const { rows } = await this.#database.query<{ ended: boolean }>('end-authorization-session', endSessionSql, [
      ...keyParameters(end.key),
      end.now,
      end.rejectConsent,
      end.interactionId ?? null,
    ]);
    return rows[0]?.ended === true;
  }

  /**
   * Housekeeping: deletes one batch of sessions that ran out more than an hour ago, one of further approvers' sessions, and one of pushed
   * requests that nobody brought.
   * @returns how many rows went; a batch that was full may have successors
   */
  async deleteExpired({ now, batchSize }: { now: Date; batchSize: number }): Promise<{
    sessions: number;
    approvalSessions: number;
    pushedRequests: number;
  }> {
    const before = new Date(now.getTime() - keptMilliseconds);
    const parameters = [before, batchSize];
    const database = this.#database;
    const sessions = await database.query('delete-expired-sessions', deleteExpiredSessionsSql, parameters);
    const approvals = await database.query(
      'delete-expired-approval-sessions',
      deleteExpiredApprovalSessionsSql,
      parameters,
    );
    const pushed = await database.query('delete-expired-pushed-requests', deleteExpiredPushedRequestsSql, [
      now,
      batchSize,
    ]);
    return {
      sessions: sessions.rowCount ?? 0,
      approvalSessions: approvals.rowCount ?? 0,
      pushedRequests: pushed.rowCount ?? 0,
    };
  }
}

function keyParameters({ sessionId, sessionHash }: SessionKey): [string, Buffer] {
  return [sessionId, sessionHash];
}

// The names of OBCashAccount, in which the feature consent keeps it.
function toDebtorAccount({ schemeName, identification, name }: ChosenAccount): string {
  return JSON.stringify({ SchemeName: schemeName, Identification: identification, Name: name });
}
