import type { StatementTime } from '#libs/config';
import { consentEndSql, filePaymentKind, listPayments } from '#libs/consent';
import { claimIdempotencyKey, type ClaimedKey, keyValues, rowOfIdempotencyKey } from '#libs/idempotency';
import { consentStep, type ConsentStatus } from '#libs/obie-rules';
import { lockConsents } from '#libs/payment-order';
import { rowByKey, statement } from '#libs/persistence';

/** The file arrives. */
export const arrival = consentStep('AwaitingUpload', 'AwaitingAuthorisation');

/** A consent, with the outcome of an earlier request under the same key. */
export interface ConsentForUpload extends Record<string, unknown> {
  /** position of the request, from 1 */
  number: string;
  client_id: string;
  status: ConsentStatus;
  api_version: string;
  initiation: string;
  cut_off_at: Date | null;
  expires_at: Date;
  replayed_hash: Buffer | null;
}

/** For each request, by `number`: its consent, unless that has another kind, and the earlier use of its key. */
export const findConsentsForUpload = statement<{
  consentIds: readonly string[];
  clientIds: readonly string[];
  operations: readonly string[];
  idempotencyKeys: readonly string[];
  now: StatementTime;
}>('find-consents-for-upload')`
  SELECT asked.number, consent.client_id, consent.status, consent.api_version, consent.initiation, consent.cut_off_at,
    consent.expires_at,
         taken.request_hash AS replayed_hash
    FROM unnest(:consentIds::uuid[], :clientIds::uuid[], :operations::text[], :idempotencyKeys::text[]) WITH ORDINALITY
      AS asked (consent_id, client_id, operation, idempotency_key, number)
   CROSS JOIN ${rowByKey('payment_consents', 'consent_id = asked.consent_id')} AS consent
    LEFT JOIN ${rowOfIdempotencyKey('asked')} AS taken ON taken.expires_at > :now
   WHERE consent.kind = '${filePaymentKind.name}'`;

/**
 * Locks the consent, which must still be AwaitingUpload, claims the key, changes the consent's state, and stores list
 * and file; or does nothing and returns no row. The file is the last parameter, because the driver would copy it again
 * for every parameter after it.
 */
export const storePaymentFile = statement<
  ClaimedKey & {
    /** seconds from now until the consent expires */
    expirySeconds: number;
    /** the latest time at which it expires */
    endsAt: Date | null;
    numberOfPayments: number;
    sum: string;
    localInstrument: string;
    /** JSON */
    charges: string;
    cutOffAt: Date | null;
    approvalHash: Buffer;
    amounts: string;
    instructions: string;
    content: Buffer;
  }
>('store-payment-file', keyValues)`
  WITH asked AS (
    SELECT :resourceId::uuid AS consent_id, :clientId::uuid AS client_id, '${filePaymentKind.name}' AS kind),
  ${lockConsents('asked', arrival.from)},
  claimed AS (${claimIdempotencyKey('consent')}),
  moved AS (
    UPDATE payment_consents AS changed
       SET status = '${arrival.to}', status_updated_at = :now,
         expires_at = ${consentEndSql(':now', ':expirySeconds', ':endsAt::timestamptz')},
           number_of_transactions = :numberOfPayments, control_sum = :sum, local_instrument = :localInstrument,
             charges = :charges, cut_off_at = :cutOffAt,
           approval_hash = :approvalHash
      FROM claimed WHERE changed.consent_id = claimed.resource_id RETURNING changed.consent_id),
  listed AS (${listPayments('moved', { instructions: ':instructions', amounts: ':amounts::numeric[]' })})
  INSERT INTO payment_files (consent_id, content, uploaded_at)
  SELECT consent_id, :content, :now FROM moved`;
