import { Injectable } from '@nestjs/common';
import { Database } from '#libs/persistence';
import { toAccessToDecide, type AccessToDecide, type AccessToDecideRow } from './access-to-decide.js';
import { changesOne } from './changes-one.js';
import {
  toAuthorizationSession,
  type AuthorizationSession,
  type AuthorizationSessionRow,
  type PendingAuthorizationRequest,
  type SessionKey,
} from './authorization-session.js';
import { toConsentToDecide, type ConsentToDecide, type ConsentToDecideRow } from './consent-to-decide.js';
import {
  approveAccessSql,
  approveSql,
  claimChallengeSql,
  countSignInSql,
  deleteExpiredApprovalSessionsSql,
  deleteExpiredPushedRequestsSql,
  deleteExpiredSessionsSql,
  endChallengeSql,
  endSessionSql,
  enterChallengeSql,
  enterConsentAtOnceSql,
  enterConsentSql,
  enterSecondFactorSql,
  findSessionOfRequestSql,
  findSessionSql,
  findSessionWithConsentSql,
  keepVerificationSql,
  releaseChallengeSql,
  renewSessionSql,
  replaceSecondFactorSql,
  reserveChallengeSql,
  startSessionSql,
} from './session-sql.js';
import type { DeclineNotice } from './decline-notice-queue.js';
import type { DeclineReason } from './decline-reason.js';
import type { SessionChallenge } from './session-challenge.js';
import {
  approvalParameters,
  challengeParameters,
  keyParameters,
  kindOf,
  signedInParameters,
  toApproval,
  type Approval,
  type ApprovalRow,
  type ChallengeStep,
  type Decision,
  type SignedIn,
} from './session-parameters.js';

/**
 * Whether a request reached the PSU. 'UnknownConsent' is also the answer for another client's consent, 'RequestUriExpired' the one for a
 * reference that has expired meanwhile. 'RequestAnswered': the request gets one answer and has it, or a PSU has signed in for it.
 */
export type SessionStart =
  'Started' | 'UnknownConsent' | 'ConsentNotAwaitingAuthorisation' | 'RequestAnswered' | 'RequestUriExpired';

interface SessionStartRow {
  referred: boolean;
  consent_found: boolean;
  claimed: boolean;
  started: boolean;
}

/** Sessions are kept a little longer than they last, so that a PSU who comes back late is still sent to the TPP. */
const keptMilliseconds = 3_600_000;

/**
 * The authorization requests that PSUs are working on. Every step is one conditional UPDATE: of two tabs, two instances or
 * two clicks exactly one wins. A step also gives the session a new value, so that one learned before sign-in is worthless.
 */
@Injectable()
export class AuthorizationSessionService {
  constructor(private readonly database: Database) {}

  /**
   * Opens a session for a verified request, if its consent belongs to the client and waits for the PSU.
   * @param start `requestUriHash` is SHA-256 of the reference of a pushed request
   */
  async startSession(start: {
    key: SessionKey;
    clientId: string;
    consentId?: string;
    request: PendingAuthorizationRequest;
    requestUriHash?: Buffer;
    now: Date;
    expiresAt: Date;
  }): Promise<SessionStart> {
    const { rows } = await this.database.query<SessionStartRow>('start-authorization-session', startSessionSql, [
      start.key.sessionId,
      start.key.sessionHash,
      start.clientId,
      start.consentId ?? null,
      JSON.stringify(start.request),
      start.now,
      start.expiresAt,
      start.requestUriHash ?? null,
      kindOf(start.request.scope),
    ]);
    if (rows[0]?.started) return 'Started';
    if (!rows[0]?.referred) return 'RequestUriExpired';
    if (!rows[0].claimed) return 'RequestAnswered';
    return rows[0].consent_found ? 'ConsentNotAwaitingAuthorisation' : 'UnknownConsent';
  }

  /** @returns the session in whatever stage, ended and expired ones too; undefined for a wrong or outdated value */
  async findSession(key: SessionKey): Promise<AuthorizationSession | undefined> {
    const { rows } = await this.database.query<AuthorizationSessionRow>(
      'find-authorization-session',
      findSessionSql,
      keyParameters(key),
    );
    return rows[0] && toAuthorizationSession(rows[0]);
  }

  /**
   * Finds the open session in which this browser is already working on the same request: after a reload or the back button
   * the PSU goes on there.
   * @param keys every session that the browser holds a value for
   */
  async findSessionOfRequest(search: {
    keys: readonly SessionKey[];
    clientId: string;
    requestHash: string;
    now: Date;
  }): Promise<AuthorizationSession | undefined> {
    if (search.keys.length === 0) return undefined;
    const { rows } = await this.database.query<AuthorizationSessionRow>(
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

  /** As {@link findSession}, with what the PSU has to decide on; the list of payments only in the stage Consent. */
  async findSessionWithConsent(
    key: SessionKey,
  ): Promise<{ session: AuthorizationSession; consent?: ConsentToDecide; access?: AccessToDecide } | undefined> {
    const { rows } = await this.database.query<AuthorizationSessionRow & ConsentToDecideRow & AccessToDecideRow>(
      'find-authorization-session-with-consent',
      findSessionWithConsentSql,
      keyParameters(key),
    );
    if (rows[0] === undefined) return undefined;
    const consent = toConsentToDecide(rows[0]);
    const access = toAccessToDecide(rows[0]);
    return {
      session: toAuthorizationSession(rows[0]),
      ...(consent !== undefined && { consent }),
      ...(access !== undefined && { access }),
    };
  }

  /**
   * Counts a password sent in this session.
   * @param most 0 for any number
   * @returns false if it is one too many
   */
  async countSignIn({ sessionId, most }: { sessionId: string; most: number }): Promise<boolean> {
    return most === 0 || changesOne(await this.database.query('count-sign-in', countSignInSql, [sessionId, most]));
  }

  /**
   * The password was right, and the second factor comes first.
   * @returns false if the session was not waiting for it (any more)
   */
  async enterSecondFactor(step: SignedIn & { challenge: SessionChallenge }): Promise<boolean> {
    const parameters = [...signedInParameters(step), JSON.stringify(step.challenge)];
    return changesOne(await this.database.query('enter-second-factor', enterSecondFactorSql, parameters));
  }

  /**
   * The password was right, and the PSU may read what it is about; the decision will be authenticated.
   * @returns false if the session was not waiting for it (any more)
   */
  async enterConsentAtOnce(step: SignedIn): Promise<boolean> {
    return changesOne(
      await this.database.query('enter-consent-at-once', enterConsentAtOnceSql, signedInParameters(step)),
    );
  }

  /**
   * The PSU is strongly authenticated, and has decided nothing yet.
   * @returns false if the session was not waiting for this challenge (any more)
   */
  async enterConsent(step: {
    key: SessionKey;
    newSessionHash: Buffer;
    challengeId: string;
    acr: string;
    authenticatedAt: Date;
    now: Date;
  }): Promise<boolean> {
    const { newSessionHash, acr, authenticatedAt, challengeId } = step;
    const parameters = [...keyParameters(step.key), step.now, newSessionHash, acr, authenticatedAt, challengeId];
    return changesOne(await this.database.query('enter-consent', enterConsentSql, parameters));
  }

  /**
   * The bank is going to be asked for one more challenge.
   * @param step `started`: how many the session had when it was read
   * @returns false if another click has been faster, or a challenge is being checked at this moment: then do not ask
   * for one
   */
  async reserveChallenge(step: {
    key: SessionKey;
    started: number;
    requestedAt: Date | undefined;
    now: Date;
  }): Promise<boolean> {
    const parameters = [...keyParameters(step.key), step.now, step.started, step.requestedAt ?? null];
    return changesOne(await this.database.query('reserve-challenge', reserveChallengeSql, parameters));
  }

  /**
   * The PSU has pressed the button, and the bank asks for this one decision. An open challenge is replaced.
   * @param step `started`: how many it makes, as reserved
   * @returns false if the session is elsewhere, or the one before is being checked at this moment
   */
  async enterChallenge(step: ChallengeStep): Promise<boolean> {
    return changesOne(await this.database.query('enter-challenge', enterChallengeSql, challengeParameters(step)));
  }

  /** As {@link enterChallenge}, for the sign-in. */
  async replaceSecondFactor(step: ChallengeStep): Promise<boolean> {
    return changesOne(
      await this.database.query('replace-second-factor', replaceSecondFactorSql, challengeParameters(step)),
    );
  }

  /**
   * Takes the challenge for one question to the bank: a second click would count as a second attempt there.
   * @returns false if somebody else has it, or it is over
   */
  async claimChallenge(step: { key: SessionKey; challengeId: string; now: Date }): Promise<boolean> {
    const parameters = [...keyParameters(step.key), step.now, step.challengeId];
    return changesOne(await this.database.query('claim-challenge', claimChallengeSql, parameters));
  }

  /** The answer was wrong: the next one may be tried. */
  async releaseChallenge({ key, challengeId }: { key: SessionKey; challengeId: string }): Promise<void> {
    await this.database.query('release-challenge', releaseChallengeSql, [...keyParameters(key), challengeId]);
  }

  /** The bank will accept no answer to it: the PSU has to ask for a new one. */
  async endChallenge({ key, challengeId }: { key: SessionKey; challengeId: string }): Promise<void> {
    await this.database.query('end-challenge', endChallengeSql, [...keyParameters(key), challengeId]);
  }

  /** The bank has used the challenge up, and the decision could not be stored: what the bank said is valid for the next attempt. */
  async keepVerification(step: {
    key: SessionKey;
    challengeId: string;
    verified: NonNullable<SessionChallenge['verified']>;
  }): Promise<void> {
    const parameters = [...keyParameters(step.key), step.challengeId, JSON.stringify(step.verified)];
    await this.database.query('keep-verification', keepVerificationSql, parameters);
  }

  /**
   * Renews the session after activity: it lasts for the idle time, up to its total time.
   * @returns when it ends now; undefined if it has ended
   */
  async renew(session: {
    key: SessionKey;
    now: Date;
    idleSeconds: number;
    sessionSeconds: number;
  }): Promise<Date | undefined> {
    const { key, now, idleSeconds, sessionSeconds } = session;
    const { rows } = await this.database.query<{ expires_at: Date }>('renew-session', renewSessionSql, [
      ...keyParameters(key),
      now,
      idleSeconds,
      sessionSeconds,
    ]);
    return rows[0]?.expires_at;
  }

  /**
   * The PSU agreed and has authenticated it. In one statement the challenge is redeemed, the consent becomes Authorised, the code is stored and
   * the session ends. File and account are those of the challenge.
   */
  async approve(decision: Decision): Promise<Approval> {
    const parameters = approvalParameters(decision, this.database.applicationName);
    return toApproval(await this.database.query<ApprovalRow>('approve-authorization', approveSql, parameters));
  }

  /**
   * As {@link approve}, for access that lasts: the accounts are those of the challenge.
   * @param decision.accountDigests of them, for the audit event; undefined: it has none
   */
  async approveAccess(decision: Decision & { accountDigests?: readonly string[] | undefined }): Promise<Approval> {
    const { accountDigests } = decision;
    const parameters = [
      ...approvalParameters(decision, this.database.applicationName),
      accountDigests === undefined ? null : JSON.stringify(accountDigests),
    ];
    return toApproval(await this.database.query<ApprovalRow>('approve-access', approveAccessSql, parameters));
  }

  /**
   * Ends the session without a code.
   * @param end `rejectConsent`: the PSU declined or cannot authorise, so the consent becomes Rejected if it still waits; not before the PSU has
   *   signed in; `ending`: how it ended, for the page that the PSU comes back to
   * @returns false if the session had ended before
   */
  async endSession(end: {
    key: SessionKey;
    rejectConsent: boolean;
    ending: string;
    /** why, if the PSU says so */
    reason?: DeclineReason | undefined;
    /** what the bank is to be told of it, once the PSU has signed in; it is kept with the end */
    notice?: DeclineNotice | undefined;
    now: Date;
    /** of the request, for the audit event */
    interactionId?: string;
  }): Promise<boolean> {
    const { rows } = await this.database.query<{ ended: boolean }>('end-authorization-session', endSessionSql, [
      ...keyParameters(end.key),
      end.now,
      end.rejectConsent,
      end.interactionId ?? null,
      end.ending,
      end.reason ?? null,
      this.database.applicationName,
      end.notice === undefined ? null : JSON.stringify(end.notice),
    ]);
    return rows[0]?.ended === true;
  }

  /**
   * Housekeeping: deletes one batch of sessions that ran out more than an hour ago, one of further approvers' sessions,
   * and one of unused pushed requests.
   * @returns how many rows went; a batch that was full may have successors
   */
  async deleteExpired({ now, batchSize }: { now: Date; batchSize: number }): Promise<{
    sessions: number;
    approvalSessions: number;
    pushedRequests: number;
  }> {
    const before = new Date(now.getTime() - keptMilliseconds);
    const parameters = [before, batchSize];
    const database = this.database;
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
