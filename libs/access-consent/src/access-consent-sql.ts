import { accessConsentStep } from '#libs/obie-rules';
import { interactionIdForTriggers, lockedRowByKey, rowByKey } from '#libs/persistence';

const refusal = accessConsentStep('AwaitingAuthorisation', 'Rejected');
const withdrawal = accessConsentStep('Authorised', 'Revoked');
const expiry = accessConsentStep('Authorised', 'Expired');

/** $1 consent, $2 client, $3 kind, $4 version, $5 now, $6 until when it has to be authorised, $7 terms */
export const stageAccessConsentSql = `
  INSERT INTO access_consents (consent_id, client_id, kind, api_version, status, created_at, status_updated_at, expires_at, terms)
  VALUES ($1, $2, $3, $4, '${refusal.from}', $5, $5, $6, $7)`;

const columns = `
  consent.consent_id, consent.client_id, consent.kind, consent.api_version, consent.status, consent.status_reason, consent.created_at,
  consent.status_updated_at, consent.expires_at, consent.terms, consent.accounts`;

/** $1 consent, $2 kind */
export const findAccessConsentSql = `
  SELECT ${columns} FROM ${rowByKey('access_consents', 'consent_id = $1')} AS consent WHERE consent.kind = $2`;

const ending = (alias: string) => `
  SET status = CASE ${alias}.status WHEN '${withdrawal.from}' THEN '${withdrawal.to}' ELSE '${refusal.to}' END`;
const isOpen = `status IN ('${refusal.from}', '${withdrawal.from}')`;

/**
 * The end by whoever may end it. $1 consent, $2 client or null, $3 PSU or null, $4 now, $5 why, $6 interaction id. What was not authorised is
 * Rejected, what was is Revoked; what has ended stays as it is. The tokens rest on the consent: none is good from then on.
 */
export const endAccessConsentSql = `
  WITH held AS MATERIALIZED (
    SELECT consent.consent_id FROM ${lockedRowByKey('access_consents', 'consent_id = $1::uuid')} AS consent
    WHERE ($2::uuid IS NULL OR consent.client_id = $2::uuid) AND ($3::text IS NULL OR consent.psu_id = $3::text) AND consent.${isOpen}),
  ended AS (
    UPDATE access_consents AS consent ${ending('consent')}, status_updated_at = $4::timestamptz, status_reason = $5::text
    FROM held WHERE consent.consent_id = held.consent_id RETURNING consent.consent_id)
  SELECT EXISTS (SELECT FROM ended) AS ended, ${interactionIdForTriggers('$6')}`;

/** $1 client, $2 now, $3 why: all that is open of a client that is removed */
export const endAccessOfClientSql = `
  UPDATE access_consents AS consent ${ending('consent')}, status_updated_at = $2, status_reason = $3
  WHERE consent_id = ANY (ARRAY(
    SELECT consent_id FROM (SELECT * FROM access_consents WHERE client_id = $1 OFFSET 0 FOR NO KEY UPDATE) AS held WHERE ${isOpen}))`;

/** $1 now, $2 how many. One that a request holds has its turn in the next round. */
export const expireAccessConsentsSql = `
  UPDATE access_consents SET status_updated_at = $1, status_reason = 'Expired',
    status = CASE status WHEN '${expiry.from}' THEN '${expiry.to}' ELSE '${refusal.to}' END
   WHERE consent_id = ANY (ARRAY(
    SELECT consent_id FROM access_consents WHERE ${isOpen} AND expires_at <= $1
     ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED))`;
