import type { StatementTime } from '#libs/config';
import { claimIdempotencyKeys, type IdempotentRequest } from '#libs/idempotency';
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
 * Stages several consents, one for each row, if its key is new ($1 now, $7 seconds for which keys count, $8 seconds for
 * which consents last). A simultaneous request with the same key
 * delays the whole statement, at most by the duration of one statement. All statements order their keys alike, so that
 * two never deadlock. One key must not occur twice. A consent whose payments came with it has its list at once. Returns
 * the consents that were written.
 */
export const stageConsentsSql = `
  WITH request AS MATERIALIZED (
    SELECT * FROM unnest($2::uuid[], $3::text[], $4::text[], $5::bytea[], $6::uuid[], $9::timestamptz[],
      $10::text[], $11::text[], $12::text[], $13::text[], $14::text[], $15::integer[], $16::numeric[],
      $17::timestamptz[], $18::text[], $19::text[], $20::text[], $21::bytea[], $22::text[], $23::text[], $24::text[], $25::text[])
    AS request (client_id, operation, idempotency_key, request_hash, resource_id, ends_at, initiation, authorisation, sca_support_data, charges,
      local_instrument, number_of_transactions, control_sum, cut_off_at, kind, api_version, status, approval_hash, instructions, amounts,
      risk, read_refund_account)),
  claimed AS (${claimIdempotencyKeys('request', '$7', '$1')}),
  staged AS (
    INSERT INTO payment_consents
      (consent_id, client_id, status, created_at, status_updated_at, expires_at, initiation, authorisation, sca_support_data, charges,
       local_instrument, number_of_transactions, control_sum, cut_off_at, kind, api_version, approval_hash, risk, read_refund_account)
    SELECT resource_id, client_id, status, $1, $1, ${consentEndSql('$1', '$8', 'ends_at')}, initiation, authorisation, sca_support_data, charges,
           local_instrument, number_of_transactions, control_sum, cut_off_at, kind, api_version, approval_hash,
           risk, read_refund_account
      FROM request JOIN claimed USING (resource_id)
    RETURNING consent_id, created_at, expires_at),
  listed AS (${listPayments(
    'staged JOIN request ON request.resource_id = staged.consent_id AND request.instructions IS NOT NULL',
    { instructions: 'instructions', amounts: 'amounts::numeric[]' },
  )})
  SELECT consent_id, created_at, expires_at FROM staged`;

/** @returns the values of $1 to $25 */
export function stageConsentsParameters(
  stagings: readonly Staging[],
  { now, retentionSeconds, expirySeconds }: { now: StatementTime; retentionSeconds: number; expirySeconds: number },
): unknown[] {
  return [
    now,
    stagings.map(({ request }) => request.clientId),
    stagings.map(({ request }) => request.operation),
    stagings.map(({ request }) => request.idempotencyKey),
    stagings.map(({ request }) => request.requestHash),
    stagings.map(({ entity }) => entity.consentId),
    retentionSeconds,
    expirySeconds,
    stagings.map(({ endsAt }) => endsAt),
    stagings.map(({ entity }) => entity.initiation),
    stagings.map(({ entity }) => entity.authorisation),
    stagings.map(({ entity }) => entity.scaSupportData),
    stagings.map(({ entity }) => entity.charges),
    stagings.map(({ entity }) => entity.localInstrument),
    stagings.map(({ entity }) => entity.numberOfTransactions),
    stagings.map(({ entity }) => entity.controlSum),
    stagings.map(({ entity }) => entity.cutOffAt),
    stagings.map(({ entity }) => entity.kind),
    stagings.map(({ entity }) => entity.apiVersion),
    stagings.map(({ entity }) => entity.status),
    stagings.map(({ entity }) => entity.approvalHash),
    stagings.map(({ list }) => list?.instructions ?? null),
    stagings.map(({ list }) => list?.amounts ?? null),
    stagings.map(({ entity }) => entity.risk),
    stagings.map(({ entity }) => entity.readRefundAccount),
  ];
}

/** @returns the stagings without those that repeat the key of an earlier one */
export function withoutTwins(stagings: readonly Staging[]): Staging[] {
  const seen = new Set<string>();
  return stagings.filter(({ request: { clientId, operation, idempotencyKey } }) => {
    const key = JSON.stringify([clientId, operation, idempotencyKey]);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
