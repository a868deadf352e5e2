import type { StatementTime } from '#libs/config';
import { claimIdempotencyKeys, type IdempotentRequest, keysOf } from '#libs/idempotency';
import { statement } from '#libs/persistence';
import { listPayments } from './list-payments-sql.js';
import { consentEndSql } from './consent-terms.js';
import type { PaymentConsentEntity } from './payment-consent.entity.js';

/** The payments of a consent, as they will be shown, approved and handed over. */
export interface StagedList {
  /** exact JSON text of the list */
  readonly instructions: string;
  /** SHA-256 of its UTF-8 bytes: what an approval is bound to */
  readonly approvalHash: Buffer;
  /** PostgreSQL's text of the array of all amounts */
  readonly amounts: string;
}

/** A consent to store under the key of its request. */
export interface Staging {
  readonly request: IdempotentRequest;
  readonly entity: PaymentConsentEntity;
  /** stored with it; undefined: a file follows */
  readonly list: StagedList | undefined;
  /** as in the terms of the consent */
  readonly endsAt: Date | null;
}

/**
 * Stages several consents, one for each row whose key is new. A simultaneous request with the same key delays the whole
 * statement, at most by the duration of one statement. All statements order their keys alike, so that two never
 * deadlock. No key may occur twice. A consent whose payments came with it has its list at once. Returns the consents
 * that were written.
 */
export const stageConsents = statement<ReturnType<typeof stagedValues>>('stage-consents', ['now', 'clientIds'])`
  WITH request AS MATERIALIZED (
    SELECT * FROM unnest(
      :clientIds::uuid[], :operations::text[], :idempotencyKeys::text[], :requestHashes::bytea[], :consentIds::uuid[],
      :endsAt::timestamptz[], :initiations::text[], :conditions::json[], :charges::text[],
      :localInstruments::text[], :numbersOfTransactions::integer[], :controlSums::numeric[], :cutOffsAt::timestamptz[],
      :kinds::text[], :apiVersions::text[], :statuses::text[], :approvalHashes::bytea[], :instructions::text[],
      :amounts::text[], :risks::text[])
    AS request (client_id, operation, idempotency_key, request_hash, resource_id, ends_at, initiation, conditions,
      charges, local_instrument, number_of_transactions, control_sum, cut_off_at, kind, api_version, status,
      approval_hash, instructions, amounts, risk)),
  claimed AS (${claimIdempotencyKeys('request', ':retentionSeconds', ':now')}),
  staged AS (
    INSERT INTO payment_consents
      (consent_id, client_id, status, created_at, status_updated_at, expires_at, initiation, conditions,
       charges, local_instrument, number_of_transactions, control_sum, cut_off_at, kind, api_version, approval_hash,
       risk)
    SELECT resource_id, client_id, status, :now, :now, ${consentEndSql(':now', ':expirySeconds', 'ends_at')},
      initiation, conditions, charges, local_instrument, number_of_transactions, control_sum, cut_off_at, kind,
      api_version, approval_hash, risk
      FROM request JOIN claimed USING (resource_id)
    RETURNING consent_id, created_at, expires_at),
  listed AS (${listPayments(
    'staged JOIN request ON request.resource_id = staged.consent_id AND request.instructions IS NOT NULL',
    { instructions: 'instructions', amounts: 'amounts::numeric[]' },
  )})
  SELECT consent_id, created_at, expires_at FROM staged`;

/**
 * @param times.retentionSeconds how long keys count
 * @param times.expirySeconds how long consents last
 */
export function stagedValues(
  stagings: readonly Staging[],
  times: { now: StatementTime; retentionSeconds: number; expirySeconds: number },
) {
  return {
    ...times,
    ...keysOf(stagings.map(({ request }) => request)),
    consentIds: stagings.map(({ entity }) => entity.consentId),
    endsAt: stagings.map(({ endsAt }) => endsAt),
    initiations: stagings.map(({ entity }) => entity.initiation),
    conditions: stagings.map(({ entity }) => JSON.stringify(entity.conditions)),
    charges: stagings.map(({ entity }) => entity.charges),
    localInstruments: stagings.map(({ entity }) => entity.localInstrument),
    numbersOfTransactions: stagings.map(({ entity }) => entity.numberOfTransactions),
    controlSums: stagings.map(({ entity }) => entity.controlSum),
    cutOffsAt: stagings.map(({ entity }) => entity.cutOffAt),
    kinds: stagings.map(({ entity }) => entity.kind),
    apiVersions: stagings.map(({ entity }) => entity.apiVersion),
    statuses: stagings.map(({ entity }) => entity.status),
    approvalHashes: stagings.map(({ entity }) => entity.approvalHash),
    instructions: stagings.map(({ list }) => list?.instructions ?? null),
    amounts: stagings.map(({ list }) => list?.amounts ?? null),
    risks: stagings.map(({ entity }) => entity.risk),
  };
}
