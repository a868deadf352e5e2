import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { stringify } from 'lossless-json';
import { Repository } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { Clock, Config, type StatementTime } from '#libs/config';
import { consentRecords } from '#libs/events';
import { IdempotencyStore, type IdempotentRequest, inTurn } from '#libs/idempotency';
import { type Conditions, consentStep, consentTransitions, isUuid, sqlList, statesBefore } from '#libs/obie-rules';
import { Batch, consecutiveIds, Database, lockedRowByKey, statement } from '#libs/persistence';
import { ConsentError, ConsentStatusError } from './consent.errors.js';
import { type ConsentTerms, termsFor } from './consent-terms.js';
import type { ConsentKind } from './consent-kind.js';
import { PaymentConsentEntity, type RejectionReason } from './payment-consent.entity.js';
import { type PaymentConsent, toPaymentConsent } from './payment-consent.js';
import type { FileTerms } from './file-terms.js';
import type { Initiation } from './initiation.js';
import { stageConsents, stagedValues, type StagedList, type Staging } from './stage-consents-sql.js';

/** A consent to stage: what was sent, for the answers, and what it states about its payments. */
export interface NewPaymentConsent<Sent extends object = Initiation> {
  /** of the API in which it is made */
  readonly apiVersion: string;
  readonly initiation: Sent;
  readonly terms: Pick<FileTerms, 'numberOfPayments' | 'controlSum' | 'localInstrument' | 'requestedDay'>;
  /** its payments, if no file follows: the customer can decide at once */
  readonly list?: StagedList;
  readonly conditions?: Conditions;
  readonly risk?: object;
}

/** When a staged consent began and ends, by the database's clock. */
interface StagedTimes extends Record<string, unknown> {
  readonly consent_id: string;
  readonly created_at: Date;
  readonly expires_at: Date;
}

/** The payments have arrived. */
const arrival = consentStep('AwaitingUpload', 'AwaitingAuthorisation');
const refusal = consentStep('AwaitingUpload', 'Rejected');

/** What the records of a change contain about a consent, besides its former state. */
const changed =
  'consent.consent_id, consent.client_id, consent.kind, consent.api_version, consent.status, consent.psu_id';

const rejectAwaitingUpload = statement<{
  consentId: string;
  now: StatementTime;
  interactionId: string;
  reason: RejectionReason;
  actor: string;
}>('reject-awaiting-upload', ['consentId'])`
  WITH waiting AS MATERIALIZED (
    SELECT consent_id FROM ${lockedRowByKey('payment_consents', 'consent_id = :consentId')} AS consent
      WHERE status = '${refusal.from}'),
  rejected AS (
    UPDATE payment_consents AS consent SET status = '${refusal.to}', status_updated_at = :now::timestamptz,
      status_reason = :reason
    FROM waiting WHERE consent.consent_id = waiting.consent_id RETURNING ${changed}, '${refusal.from}' AS former),
  ${consentRecords('rejected', {
    actor: ':actor::text',
    interactionId: ':interactionId::text',
    at: ':now::timestamptz',
  })}
  SELECT FROM rejected`;

/**
 * Ends all of them with one statement and one commit. A row that a request has locked is ended in the next round. A
 * consent that ends at its cut-off came too late for it.
 */
const rejectExpired = statement<{ now: StatementTime; limit: number; actor: string }>('reject-expired-consents', [
  'now',
])`
  WITH due AS MATERIALIZED (
    SELECT consent_id, status FROM payment_consents
     WHERE status IN (${sqlList(statesBefore(consentTransitions, 'Rejected'))}) AND expires_at <= :now::timestamptz
     ORDER BY expires_at LIMIT :limit FOR UPDATE SKIP LOCKED),
  rejected AS (
    UPDATE payment_consents AS consent SET status = 'Rejected', status_updated_at = :now::timestamptz,
           status_reason = CASE WHEN consent.expires_at = consent.cut_off_at THEN 'CutOff' ELSE 'Expired' END
      FROM due WHERE consent.consent_id = due.consent_id AND consent.consent_id = ANY (ARRAY(SELECT consent_id
        FROM due))
    RETURNING ${changed}, due.status AS former),
  ${consentRecords('rejected', {
    actor: ':actor::text',
    interactionId: 'NULL',
    at: ':now::timestamptz',
    ids: consecutiveIds,
  })}
  SELECT FROM rejected`;

/** Creates, reads and ends consents of every kind that pays. */
@Injectable()
export class ConsentService {
  readonly #stagings = new Batch<Staging, StagedTimes | undefined>(
    (stagings) => inTurn(stagings, (distinct) => this.#stageTogether(distinct)),
    {
      maxSize: 50,
      keyOf: () => this.database.inBatchesOf(({ request }) => request.clientId),
    },
  );

  constructor(
    @InjectRepository(PaymentConsentEntity) private readonly consents: Repository<PaymentConsentEntity>,
    private readonly database: Database,
    private readonly idempotency: IdempotencyStore,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /**
   * Stages a consent once per idempotency key. One statement writes key and consent, and simultaneous requests share
   * it.
   * @returns the new consent, or for a repeated request the first one in its current state
   * @throws ConsentError IdempotencyKeyReused, IdempotencyKeyInUse, AfterCutOffDateTime
   */
  async create<Sent extends object>(
    kind: ConsentKind,
    request: IdempotentRequest,
    consent: NewPaymentConsent<Sent>,
  ): Promise<PaymentConsent<Sent>> {
    const now = this.clock.now();
    const { localInstrument, requestedDay } = consent.terms;
    const terms = termsFor({ localInstrument, requestedDay, config: this.config, now });
    if (terms.isTooLate) return this.#getReplay(kind, request, afterCutOff());
    const entity = this.#newEntity(kind, { clientId: request.clientId, consent, terms });
    const staged = await this.#stagings.add({ request, entity, list: consent.list, endsAt: terms.endsAt });
    if (staged !== undefined) {
      const { created_at: createdAt, expires_at: expiresAt } = staged;
      return toPaymentConsent(Object.assign(entity, { createdAt, statusUpdatedAt: createdAt, expiresAt }));
    }
    // The twin that held the key has rolled back, or its key has just expired: the caller may try again.
    return this.#getReplay(
      kind,
      request,
      new ConsentError('IdempotencyKeyInUse', 'The key is in use by another request.'),
    );
  }

  /**
   * @returns the consent that an earlier request with this key and body made, in its current state; undefined for a new
   * key
   * @throws ConsentError IdempotencyKeyReused if the earlier body differs
   */
  async findReplay<Sent extends object = Initiation>(
    kind: ConsentKind,
    request: IdempotentRequest,
  ): Promise<PaymentConsent<Sent> | undefined> {
    const record = await this.idempotency.find(request, this.clock.ofDatabase());
    if (record === undefined) return undefined;
    assertSameRequest(record.isSameRequest);
    return this.getOwned(kind, record.resourceId, request.clientId);
  }

  /**
   * @param kind asking for a consent of another kind finds nothing
   * @param consentId as in the path or body, of any form
   * @throws ConsentError ConsentNotFound, ConsentOfAnotherClient
   */
  async getOwned<Sent extends object = Initiation>(
    kind: ConsentKind,
    consentId: string,
    clientId: string,
  ): Promise<PaymentConsent<Sent>> {
    const entity = isUuid(consentId.toLowerCase())
      ? await this.consents.findOneBy({ consentId, kind: kind.name })
      : null;
    return toPaymentConsent(assertOwned(entity, clientId));
  }

  /**
   * AwaitingUpload -> Rejected. A consent in another state does not change.
   * @param interactionId of the request, for the audit event
   */
  async rejectAwaitingUpload(consentId: string, reason: RejectionReason, interactionId: string): Promise<void> {
    const { applicationName: actor } = this.database;
    const now = this.clock.ofDatabase();
    await this.database.query(...rejectAwaitingUpload.with({ consentId, now, interactionId, reason, actor }));
  }

  /**
   * Ends consents that have not progressed in time.
   * @param limit at most so many at once
   * @returns how many were ended
   */
  async rejectExpired(limit: number): Promise<number> {
    const { applicationName: actor } = this.database;
    const { rowCount } = await this.database.query(
      ...rejectExpired.with({ now: this.clock.ofDatabase(), limit, actor }),
    );
    return rowCount ?? 0;
  }

  /** @throws the given refusal if the key is a new one */
  async #getReplay<Sent extends object>(
    kind: ConsentKind,
    request: IdempotentRequest,
    refusal: ConsentError,
  ): Promise<PaymentConsent<Sent>> {
    const replay = await this.findReplay<Sent>(kind, request);
    if (replay === undefined) throw refusal;
    return replay;
  }

  /** @returns the times of each staging that was written; undefined if its key was taken */
  async #stageTogether(stagings: readonly Staging[]): Promise<(StagedTimes | undefined)[]> {
    const values = stagedValues(stagings, {
      now: this.clock.ofDatabase(),
      retentionSeconds: this.idempotency.retentionSeconds,
      expirySeconds: this.config.consent.expirySeconds,
    });
    const { rows } = await this.database.query<StagedTimes>(...stageConsents.with(values));
    const staged = new Map(rows.map((row) => [row.consent_id, row]));
    return stagings.map(({ entity }) => staged.get(entity.consentId));
  }

  #newEntity(
    kind: ConsentKind,
    staged: { clientId: string; consent: NewPaymentConsent<object>; terms: ConsentTerms },
  ): PaymentConsentEntity {
    const { clientId, consent, terms } = staged;
    const { initiation, conditions = {}, risk, terms: stated, list } = consent;
    return Object.assign(new PaymentConsentEntity(), {
      consentId: uuidv7(),
      clientId,
      kind: kind.name,
      apiVersion: consent.apiVersion,
      status: list === undefined ? arrival.from : arrival.to,
      statusReason: null,
      cutOffAt: terms.cutOffAt,
      initiation: toText(initiation),
      conditions,
      risk: risk === undefined ? null : toText(risk),
      charges: toText(terms.charges),
      localInstrument: stated.localInstrument ?? null,
      numberOfTransactions: stated.numberOfPayments === undefined ? null : Number(stated.numberOfPayments),
      controlSum: stated.controlSum ?? null,
      psuId: null,
      debtorAccount: null,
      approvalsRequired: null,
      approvalHash: list?.approvalHash ?? null,
      authorisedAt: null,
      erasedAt: null,
    });
  }
}

/** @returns the refusal of what comes after the cut-off */
export function afterCutOff(): ConsentError {
  return new ConsentError('AfterCutOffDateTime', 'The cut-off time for payments of this type has passed.');
}

/**
 * @param expiresAt of a consent that a statement refused although it has the right status
 * @returns why: the consent has expired, or its client has been removed or suspended meanwhile. A consent that expires
 * at this very moment may get the second reason
 */
export function consentUnusable(expiresAt: Date, now: Date): ConsentError {
  return expiresAt > now
    ? new ConsentError('ClientNotActive', 'The client has been removed or suspended.')
    : new ConsentStatusError('InvalidConsentStatus', () => 'The consent has expired.');
}

/** @throws ConsentError IdempotencyKeyReused */
export function assertSameRequest(isSameRequest: boolean): void {
  if (isSameRequest) return;
  throw new ConsentError('IdempotencyKeyReused', 'The idempotency key was used with another body.');
}

/**
 * A consent stays in the version of the API that staged it.
 * @throws ConsentError ConsentOfAnotherVersion
 */
export function assertVersion({ apiVersion }: { readonly apiVersion: string }, expected: string): void {
  if (apiVersion === expected) return;
  throw new ConsentError(
    'ConsentOfAnotherVersion',
    `The consent belongs to version ${apiVersion} of the API. Use that version.`,
  );
}

/**
 * As {@link assertVersion}, where a newer version continues what was made in an older one (Account and Transaction API
 * Profile, Confirmation of Funds API Profile, Release Management). The consent is then read, ended and used in the
 * newer version's words; never the other way round.
 */
export function assertNotNewer(consent: { readonly apiVersion: string }, version: string): void {
  if (Number(consent.apiVersion) > Number(version)) assertVersion(consent, version);
}

/** Ownership: a consent is seen only by the client that made it. */
export function assertOwned<Owned extends { clientId: string }>(
  found: Owned | null | undefined,
  clientId: string,
): Owned {
  if (found === null || found === undefined) throw new ConsentError('ConsentNotFound', 'There is no such consent.');
  if (found.clientId !== clientId) {
    throw new ConsentError('ConsentOfAnotherClient', 'The consent belongs to another client.');
  }
  return found;
}

function toText(value: object): string {
  const text = stringify(value);
  if (text === undefined) throw new TypeError('The value cannot be written as JSON.');
  return text;
}
