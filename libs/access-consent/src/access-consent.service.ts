import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { Clock, Config, type StatementTime } from '#libs/config';
import { isUuid, parseDateTime } from '#libs/obie-rules';
import { Database, type StatementRunner } from '#libs/persistence';
import { type AccessConsent, type AccessConsentRow, type AccessTerms, toAccessConsent } from './access-consent.js';
import {
  countAccessToEndSql,
  endAccessOfClientSql,
  expireAccessConsentsSql,
  findAccessConsentSql,
  findAccessEndSql,
  finishAccessEndSql,
  noteAccessEndSql,
  stageAccessConsentSql,
} from './access-consent-sql.js';
import type { AccessKind } from './access-kind.js';

/** A client that was removed: when, by which request and by whom. */
export interface ClientEnd {
  readonly clientId: string;
  readonly now: Date;
  readonly interactionId: string | null;
  readonly actor: string;
}

interface AccessEndRow {
  client_id: string;
  ended_at: Date;
  interaction_id: string | null;
  actor: string;
}

/**
 * Creates and reads access consents, and ends expired ones and those of removed clients. The customer's decision is in
 * libs/customer-session, an end that the client or the customer asks for in libs/token-store.
 */
@Injectable()
export class AccessConsentService {
  constructor(
    private readonly database: Database,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /** Stages a consent. Not idempotent, as in the standard: each request creates one. */
  async create(staging: {
    kind: AccessKind;
    clientId: string;
    apiVersion: string;
    terms: AccessTerms;
  }): Promise<AccessConsent> {
    const { kind, clientId, apiVersion, terms } = staging;
    const consentId = uuidv7();
    const { rows } = await this.database.query<{ created_at: Date }>('stage-access-consent', stageAccessConsentSql, [
      consentId,
      clientId,
      kind.name,
      apiVersion,
      this.clock.ofDatabase(),
      this.config.consent.expirySeconds,
      JSON.stringify(terms),
      parseDateTime(terms.expirationDateTime ?? '') ?? null,
    ]);
    const status = 'AwaitingAuthorisation';
    const [{ created_at: createdAt } = { created_at: this.clock.now() }] = rows;
    const times = { createdAt, statusUpdatedAt: createdAt };
    return { consentId, clientId, kind: kind.name, apiVersion, status, ...times, terms, accounts: [] };
  }

  /**
   * @param consentId as in the path, of any form
   * @returns the consent, also of another client; undefined for another kind
   */
  async find(kind: AccessKind, consentId: string): Promise<AccessConsent | undefined> {
    if (!isUuid(consentId.toLowerCase())) return undefined;
    const { rows } = await this.database.query<AccessConsentRow>('find-access-consent', findAccessConsentSql, [
      consentId,
      kind.name,
    ]);
    return rows[0] && toAccessConsent(rows[0], this.clock.now());
  }

  /**
   * Ends expired consents, authorised or not.
   * @param limit at most so many at once
   * @returns how many were ended
   */
  async expire(limit: number): Promise<number> {
    const parameters = [this.clock.ofDatabase(), limit, this.database.applicationName];
    const { rowCount } = await this.database.query('expire-access-consents', expireAccessConsentsSql, parameters);
    return rowCount ?? 0;
  }

  /**
   * Ends consents of the client that was removed first. If a step is lost, the next one repeats it.
   * @param limit at most so many at once
   * @param endRest ends a batch of the client's other things and returns how many it ended; consents end once it
   * returns 0
   * @returns how many were ended, and whether something is left
   */
  async endOfRemoved(
    limit: number,
    endRest: (end: ClientEnd) => Promise<number> = async () => 0,
  ): Promise<{ ended: number; isMore: boolean }> {
    const { rows } = await this.database.query<AccessEndRow>('find-access-end', findAccessEndSql, []);
    const [row] = rows;
    if (row === undefined) return { ended: 0, isMore: false };
    const { client_id: clientId, ended_at: endedAt, interaction_id: interactionId, actor } = row;
    const rest = await endRest({ clientId, now: endedAt, interactionId, actor });
    if (rest > 0) return { ended: rest, isMore: true };
    const parameters = [clientId, endedAt, interactionId, actor, limit];
    const { rowCount } = await this.database.query('end-access-of-client', endAccessOfClientSql, parameters);
    const ended = rowCount ?? 0;
    // Another worker may do the same, so only the database can say that nothing is open.
    if (ended < limit) await this.database.query('finish-access-end', finishAccessEndSql, [clientId]);
    return { ended, isMore: true };
  }
}

/**
 * A client is removed or deletes itself: its consents are no longer valid, and the worker ends them.
 * @param runner the transaction in which that happens
 */
export async function endAccessOfClient(
  runner: StatementRunner,
  { clientId, now, interactionId }: { clientId: string; now: StatementTime; interactionId?: string },
): Promise<void> {
  const parameters = [clientId, now, interactionId ?? null, runner.applicationName];
  await runner.query('note-access-end', noteAccessEndSql, parameters);
}

/** @returns how many consents of a removed client the worker must still end; undefined if it is done */
export async function countAccessToEnd(runner: StatementRunner, clientId: string): Promise<number | undefined> {
  const { rows } = await runner.query<{ count: number }>('count-access-to-end', countAccessToEndSql, [clientId]);
  return rows[0]?.count;
}
