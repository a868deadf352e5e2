import { Injectable } from '@nestjs/common';
import { membersOf, type RowOf } from '#libs/persistence';
import { toAccessToDecide, type AccessToDecide, type AccessToDecideRow } from './access-to-decide.js';
import type { SessionSteps } from './challenge-sql.js';
import { changesOne } from './changes-one.js';
import type { AuthorizationSession } from './authorization-session.js';
import type { SessionKey } from './customer-session.js';
import { CustomerSessions, type StepOf } from './customer-sessions.js';
import { toConsentToDecide, type ConsentToDecide, type ConsentToDecideRow } from './consent-to-decide.js';
import { approve, approveAccess, endSession } from './decision-sql.js';
import * as sql from './session-sql.js';
import type { SessionChallenge } from './session-challenge.js';
import {
  approvalValues,
  kindOf,
  toApproval,
  type Approval,
  type ApprovalRow,
  type ChallengeStep,
  type Decision,
  type OfSession,
  type SessionBeginning,
  type SessionEnd,
  type SignedIn,
} from './session-parameters.js';

/**
 * Whether a request reached the PSU. 'UnknownConsent': also for another client's consent. 'RequestUriExpired': the
 * reference has expired meanwhile. 'RequestAnswered': the request gets only one answer, and has it or a PSU has signed
 * in for it.
 */
export type SessionStart =
  'Started' | 'UnknownConsent' | 'ConsentNotAwaitingAuthorisation' | 'RequestAnswered' | 'RequestUriExpired';

interface SessionStartRow {
  referred: boolean;
  consent_found: boolean;
  claimed: boolean;
  started: boolean;
}

/** Optional values of an end. */
const unsaid = { reason: undefined, notice: undefined, interactionId: undefined };

/** Expired sessions are kept for an hour, so that a PSU who comes back late is still sent to the TPP. */
const keptMilliseconds = 3_600_000;

/**
 * The authorization requests that PSUs are working on. The steps of the sign-in also give the session a new value, so
 * that one learned before it is worthless.
 */
@Injectable()
export class AuthorizationSessionService extends CustomerSessions {
  protected steps(): SessionSteps {
    return sql.steps;
  }

  /** Opens a session for a verified request, if its consent belongs to the client and waits for the PSU. */
  async startSession({ key, ...start }: OfSession<Omit<SessionBeginning, 'kind'>>): Promise<SessionStart> {
    const values = {
      consentId: undefined,
      requestUriHash: undefined,
      ...key,
      ...start,
      kind: kindOf(start.request.scope),
    };
    const { rows } = await this.database.query<SessionStartRow>(...sql.startSession.with(values));
    if (rows[0]?.started) return 'Started';
    if (!rows[0]?.referred) return 'RequestUriExpired';
    if (!rows[0].claimed) return 'RequestAnswered';
    return rows[0].consent_found ? 'ConsentNotAwaitingAuthorisation' : 'UnknownConsent';
  }

  /** @returns the session in any stage, even ended or expired; undefined for a wrong or outdated value */
  async findSession(key: SessionKey): Promise<AuthorizationSession | undefined> {
    const { rows } = await this.database.query<RowOf<AuthorizationSession>>(...sql.findSession.with(key));
    return rows[0] && membersOf<AuthorizationSession>(rows[0]);
  }

  /**
   * Finds the open session in which this browser is already working on the same request: after a reload or the back
   * button the PSU continues there.
   * @param keys every session that the browser holds a value for
   */
  async findSessionOfRequest({
    keys,
    ...search
  }: {
    keys: readonly SessionKey[];
    clientId: string;
    requestHash: string;
    now: Date;
  }): Promise<AuthorizationSession | undefined> {
    if (keys.length === 0) return undefined;
    const sessionIds = keys.map(({ sessionId }) => sessionId);
    const sessionHashes = keys.map(({ sessionHash }) => sessionHash);
    const { rows } = await this.database.query<RowOf<AuthorizationSession>>(
      ...sql.findSessionOfRequest.with({ ...search, sessionIds, sessionHashes }),
    );
    return rows[0] && membersOf<AuthorizationSession>(rows[0]);
  }

  /** As {@link findSession}, with what the PSU has to decide on; the list of payments only in the stage Consent. */
  async findSessionWithConsent(
    key: SessionKey,
  ): Promise<{ session: AuthorizationSession; consent?: ConsentToDecide; access?: AccessToDecide } | undefined> {
    const { rows } = await this.database.query<RowOf<AuthorizationSession> & ConsentToDecideRow & AccessToDecideRow>(
      ...sql.findSessionWithConsent.with(key),
    );
    if (rows[0] === undefined) return undefined;
    const consent = toConsentToDecide(rows[0]);
    const access = toAccessToDecide(rows[0]);
    return {
      session: membersOf<AuthorizationSession>(rows[0]),
      ...(consent !== undefined && { consent }),
      ...(access !== undefined && { access }),
    };
  }

  /**
   * Counts a password sent in this session.
   * @param most 0 for any number
   * @returns false if it is one too many
   */
  async countSignIn(count: { sessionId: string; most: number }): Promise<boolean> {
    return count.most === 0 || changesOne(await this.database.query(...sql.countSignIn.with(count)));
  }

  /**
   * The password was right. The second factor comes next.
   * @returns false if the session does not wait for it (any more)
   */
  enterSecondFactor(step: OfSession<SignedIn & { challenge: SessionChallenge }>): Promise<boolean> {
    return this.enter(sql.enterSecondFactor, step);
  }

  /**
   * The password was right. The PSU may read what the request is about, and authenticates the decision later.
   * @returns false if the session does not wait for it (any more)
   */
  enterConsentAtOnce(step: OfSession<SignedIn>): Promise<boolean> {
    return this.enter(sql.enterConsentAtOnce, step);
  }

  /** As {@link enterChallenge}, for the sign-in. */
  replaceSecondFactor(step: OfSession<ChallengeStep>): Promise<boolean> {
    return this.enter(sql.replaceSecondFactor, step);
  }

  /** The bank accepts no answer to it any more, so the PSU must ask for a new one. */
  async endChallenge(step: StepOf<typeof sql.endChallenge>): Promise<void> {
    await this.enter(sql.endChallenge, step);
  }

  /**
   * The PSU agreed and has authenticated that. One statement redeems the challenge, authorises the consent, stores the
   * code and ends the session. File and account are those of the challenge.
   */
  async approve(decision: Decision): Promise<Approval> {
    const values = approvalValues(decision, this.database.applicationName);
    return toApproval(await this.database.query<ApprovalRow>(...approve.with(values)));
  }

  /**
   * As {@link approve}, for access that lasts: the accounts are those of the challenge.
   * @param decision.accountDigests digests of the accounts for the audit event; undefined if it gets none
   */
  async approveAccess({
    accountDigests,
    ...decision
  }: Decision & { accountDigests?: readonly string[] | undefined }): Promise<Approval> {
    const values = approvalValues(decision, this.database.applicationName);
    const digests = accountDigests && JSON.stringify(accountDigests);
    return toApproval(
      await this.database.query<ApprovalRow>(...approveAccess.with({ ...values, accountDigests: digests })),
    );
  }

  /**
   * Ends the session without a code.
   * @returns false if it had ended before
   */
  async endSession({ key, ...end }: OfSession<Omit<SessionEnd, 'actor'>>): Promise<boolean> {
    const { rows } = await this.database.query<{ ended: boolean }>(
      ...endSession.with({ ...unsaid, ...key, ...end, actor: this.database.applicationName }),
    );
    return rows[0]?.ended === true;
  }

  /**
   * Housekeeping: deletes one batch of sessions that expired more than an hour ago, one of visits, and one of unused
   * pushed requests.
   * @returns how many rows were deleted; after a full batch there may be more
   */
  async deleteExpired({ now, batchSize }: { now: Date; batchSize: number }): Promise<{
    sessions: number;
    approvalSessions: number;
    pushedRequests: number;
  }> {
    const before = new Date(now.getTime() - keptMilliseconds);
    const old = { before, limit: batchSize };
    const sessions = await this.database.query(...sql.deleteExpiredSessions.with(old));
    const approvals = await this.database.query(...sql.deleteExpiredApprovalSessions.with(old));
    const pushed = await this.database.query(
      ...sql.deleteExpiredPushedRequests.with({ before: now, limit: batchSize }),
    );
    return {
      sessions: sessions.rowCount ?? 0,
      approvalSessions: approvals.rowCount ?? 0,
      pushedRequests: pushed.rowCount ?? 0,
    };
  }
}
