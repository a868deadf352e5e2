import { consentEndSql, filePaymentKind, listPayments } from '#libs/consent';
import { claimIdempotencyKey, rowOfIdempotencyKey } from '#libs/idempotency';
import { consentStep, type ConsentStatus } from '#libs/obie-rules';
import { lockConsent } from '#libs/payment-order';
import { rowByKey } from '#libs/persistence';

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

/**
 * For each of $1 consents with $2 client, $3 operation, $4 idempotency key, by `number`: both of them, if the consent
 * exists and waits for a file at all. $5 now
 */
export const findConsentsForUploadSql = `
  SELECT asked.number, consent.client_id, consent.status, consent.api_version, consent.initiation, consent.cut_off_at, consent.expires_at,
         taken.request_hash AS replayed_hash
    FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[]) WITH ORDINALITY
      AS asked (consent_id, client_id, operation, idempotency_key, number)
   CROSS JOIN ${rowByKey('payment_consents', 'consent_id = asked.consent_id')} AS consent
    LEFT JOIN ${rowOfIdempotencyKey('asked')} AS taken ON taken.expires_at > $5
   WHERE consent.kind = '${filePaymentKind.name}'`;

/**
 * $1 client to $7 now as of claimIdempotencyKey, with $5 the consent; $8 how many seconds it lasts from now, $9 when it
 * ends at the latest, $10 payments, $11 their sum, $12 their type, $13 charges, $14 cut-off, $15 hash, $16 amounts and
 * $17 text of the instruction list, $18 the file, last because the driver would copy it again for every parameter behind
 * it. Locks the consent, which must still be AwaitingUpload, claims the key, changes the consent's state, and stores list
 * and file; or does nothing and returns no row.
 */
export const storePaymentFileSql = `
  WITH ${lockConsent('$5', `'${filePaymentKind.name}'`, arrival.from)},
  claimed AS (${claimIdempotencyKey('consent')}),
  moved AS (
    UPDATE payment_consents AS changed
       SET status = '${arrival.to}', status_updated_at = $7, expires_at = ${consentEndSql('$7', '$8', '$9::timestamptz')},
           number_of_transactions = $10, control_sum = $11, local_instrument = $12, charges = $13, cut_off_at = $14,
           approval_hash = $15
      FROM claimed WHERE changed.consent_id = claimed.resource_id RETURNING changed.consent_id),
  listed AS (${listPayments('moved', { instructions: '$17', amounts: '$16::numeric[]' })})
  INSERT INTO payment_files (consent_id, content, uploaded_at)
  SELECT consent_id, $18, $7 FROM moved`;
