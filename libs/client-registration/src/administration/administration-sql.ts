import { changedRegistrationsOf, changedStatusOf } from '../client-records-sql.js';
import { ruleColumns } from './client-rules.js';

const shownColumns = `client_id, status, client_name, org_id, org_name, software_id, token_endpoint_auth_method, scope,
  redirect_uris, grant_types, jwks_uri, directory_issuer, ${ruleColumns}, client_id_issued_at, updated_at,
  deleted_at`;

const byBank = (actor: string, now: string) => ({
  actor: `${actor}::text`,
  interactionId: 'NULL',
  at: `${now}::timestamptz`,
});

/** $1 status, $2 organisation, $3 software, each null for every one; the newest first */
export const listClientsSql = `
  SELECT ${shownColumns} FROM clients
  WHERE ($1::text IS NULL OR status = $1) AND ($2::text IS NULL OR org_id = $2) AND ($3::text IS NULL
    OR software_id = $3)
  ORDER BY client_id_issued_at DESC, client_id`;

/** $1 client id */
export const showClientSql = `SELECT ${shownColumns} FROM clients WHERE client_id = $1`;

/** $1 client id, $2 status it must have, $3 status it gets, $4 now, $5 actor */
export const changeStatusSql = `
  WITH changed AS (
    UPDATE clients SET status = $3::text, updated_at = $4::timestamptz
    WHERE client_id = $1 AND status = $2::text RETURNING client_id),
  changed_audit AS (${changedStatusOf('changed', { from: '$2::text', to: '$3::text', ...byBank('$5', '$4') })})
  SELECT FROM changed`;

/** $1 client id, $2 now, $3 actor. Active or Suspended: leaves a tombstone without a secret. */
export const removeClientSql = `
  WITH held AS MATERIALIZED (
    SELECT client_id, status FROM clients WHERE client_id = $1 AND status <> 'Deleted' FOR NO KEY UPDATE),
  removed AS (
    UPDATE clients AS client SET status = 'Deleted', deleted_at = $2::timestamptz, updated_at = $2::timestamptz,
      removed_by = 'Bank',
      secret_hash = '', secret_encrypted = NULL
    FROM held WHERE client.client_id = held.client_id RETURNING client.client_id, held.status AS former),
  removed_audit AS (${changedStatusOf('removed', { from: 'former', to: `'Deleted'`, ...byBank('$3', '$2') })})
  SELECT FROM removed`;

/** $1 client id. Locked: a registration that is replaced simultaneously could change the method. */
export const lockSecretSql = `
  SELECT token_endpoint_auth_method FROM clients WHERE client_id = $1 AND status <> 'Deleted' FOR UPDATE`;

/** $1 client id, $2 hash, $3 encrypted copy or null, $4 now, $5 actor */
export const changeSecretSql = `
  WITH changed AS (
    UPDATE clients SET secret_hash = $2, secret_encrypted = $3, updated_at = $4::timestamptz
    WHERE client_id = $1 RETURNING client_id),
  changed_audit AS (${changedRegistrationsOf('changed', { secret: 'true', metadata: 'false', ...byBank('$5', '$4') })})
  SELECT FROM changed`;

/** $1 id of the current pepper, which follows the 32 bytes of each hash */
export const countOldHashesSql = `
  SELECT count(*)::int AS count FROM clients WHERE secret_hash <> '' AND substr(secret_hash, 33) <> convert_to($1,
    'UTF8')`;

/** $1 prefix of values under the current key, $2 last client id of the previous batch, $3 maximum number */
export const findOldSecretsSql = `
  SELECT client_id, secret_encrypted FROM clients
  WHERE secret_encrypted IS NOT NULL AND NOT starts_with(secret_encrypted, $1) AND client_id > $2
  ORDER BY client_id LIMIT $3`;

/** $1 client id, $2 value as it was read, $3 value under the current key: a secret that changed meanwhile stays */
export const reencryptSecretSql = `
  UPDATE clients SET secret_encrypted = $3 WHERE client_id = $1 AND secret_encrypted = $2`;
