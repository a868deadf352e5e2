import { rowByKey } from '#libs/persistence';
import { changedRegistrationsOf, changedStatusOf } from './client-records-sql.js';

/** The columns of a client that the protocol needs. */
const clientColumns = `client_id, org_id, org_name, software_id, client_name, organisation_identifier, on_behalf_of_org,
  redirect_uris, grant_types, response_types, scope, token_endpoint_auth_method, token_endpoint_auth_signing_alg,
    id_token_signed_response_alg,
  request_object_signing_alg, tls_client_auth_subject_dn, jwks_uri, jwks_revoked_uri, directory_issuer, secret_hash,
  secret_encrypted, require_issuer_audience, authorization_signed_response_alg, fapi_profile,
    require_pushed_authorization_requests`;

/** $1 client ids. Only clients that may act. */
export const findClientsSql = `
  SELECT ${clientColumns.replaceAll(/\w+/g, 'client.$&')} FROM unnest($1::uuid[]) AS asked (client_id)
  CROSS JOIN ${rowByKey('clients', 'client_id = asked.client_id')} AS client WHERE client.status = 'Active'`;

/** $1 client id */
export const findRegistrationSql = `
  SELECT client_id, client_id_issued_at, org_id, software_id, organisation_identifier, jwks_uri, metadata,
    redirect_uris, grant_types, response_types, scope, token_endpoint_auth_method, token_endpoint_auth_signing_alg,
    id_token_signed_response_alg, request_object_signing_alg, tls_client_auth_subject_dn,
    authorization_signed_response_alg, fapi_profile, require_pushed_authorization_requests
  FROM clients WHERE client_id = $1 AND status = 'Active'`;

/**
 * $1 software, $2 jti, $3 its expiry, $4 now, $23 its directory. Returns a row only for the first use of a jti. The
 * software id names the signer, and is unique within one directory only. An expired row that is not deleted yet does
 * not count.
 */
const redeemJwtId = `
  WITH redeemed AS (
    INSERT INTO used_jwt_ids AS used (purpose, issuer, jti, expires_at)
    VALUES ('registration', $23::text || ' ' || $1::text, $2::text, $3::timestamptz)
    ON CONFLICT (purpose, issuer, jti) DO UPDATE SET expires_at = EXCLUDED.expires_at
      WHERE used.expires_at <= $4::timestamptz
    RETURNING jti)`;

/** $1 software, $2 its directory. Held until the end of the transaction. */
export const lockSoftwareSql = `SELECT pg_advisory_xact_lock(hashtextextended($2::text || ' ' || $1::text, 0))`;

/**
 * $1 software, $2 its directory, $3 whether that is the first directory, to which clients without a directory belong
 */
export const countClientsSql = `
  SELECT count(*)::int AS count FROM clients
  WHERE software_id = $1 AND status <> 'Deleted' AND (directory_issuer = $2 OR (directory_issuer IS NULL
    AND $3::boolean))`;

/**
 * Replaces a registration if the jti is new. Directory (verified by the caller), organisation and software never
 * change. A null secret ($21, $22) or profile ($27) keeps the old one, and so does a profile that the bank has changed
 * since it was read ($30). $25 interaction id, $31 actor. The metadata always change: the jti is new.
 */
export const replaceClientSql = `${redeemJwtId},
  replaced AS (
    UPDATE clients SET updated_at = $4::timestamptz, org_name = $7::text, client_name = $8::text,
      organisation_identifier = $9::text, on_behalf_of_org = $29::text, redirect_uris = $10::text[],
        grant_types = $11::text[], response_types = $12::text[],
      scope = $13::text, token_endpoint_auth_method = $14::text, token_endpoint_auth_signing_alg = $15::text,
      id_token_signed_response_alg = $16::text, request_object_signing_alg = $17::text,
        tls_client_auth_subject_dn = $18::text,
      jwks_uri = $19::text, directory_issuer = $23::text, jwks_revoked_uri = $24::text, metadata = $20::jsonb,
      authorization_signed_response_alg = $26::text, 
      fapi_profile = CASE WHEN fapi_profile = $30::text THEN coalesce($27::text, fapi_profile) ELSE fapi_profile END,
      require_pushed_authorization_requests = $28::boolean,
      secret_hash = coalesce($21::bytea, secret_hash),
      secret_encrypted = CASE WHEN $14::text = 'client_secret_jwt' THEN coalesce($22::text, secret_encrypted) END
    FROM redeemed
    WHERE client_id = $5::uuid AND software_id = $1::text AND org_id = $6::text AND status = 'Active'
    RETURNING client_id, client_id_issued_at, fapi_profile),
  replaced_audit AS (${changedRegistrationsOf('replaced', {
    secret: '$21::bytea IS NOT NULL',
    metadata: 'true',
    actor: '$31::text',
    interactionId: '$25::text',
    at: '$4::timestamptz',
  })})
  SELECT EXISTS (SELECT FROM redeemed) AS is_redeemed, (SELECT client_id_issued_at
    FROM replaced) AS client_id_issued_at,
    (SELECT fapi_profile FROM replaced) AS fapi_profile`;

/** $1 client id, $2 hash as it was read, $3 hash of the same secret under the current pepper, $4 now, $5 actor */
export const renewSecretHashSql = `
  WITH renewed AS (
    UPDATE clients SET secret_hash = $3 WHERE client_id = $1 AND secret_hash = $2 RETURNING client_id),
  renewed_audit AS (${changedRegistrationsOf('renewed', {
    secret: 'true',
    metadata: 'false',
    actor: '$5::text',
    interactionId: 'NULL',
    at: '$4::timestamptz',
  })})
  SELECT FROM renewed`;

/** $1 client id, $2 now, $3 interaction id, $4 actor. Deletes the copy of the secret with the client. */
export const deleteClientSql = `
  WITH deleted AS (
    UPDATE clients SET status = 'Deleted', deleted_at = $2::timestamptz, updated_at = $2::timestamptz,
      removed_by = 'Client',
      secret_hash = '', secret_encrypted = NULL
    WHERE client_id = $1 AND status = 'Active' RETURNING client_id),
  deleted_audit AS (${changedStatusOf('deleted', {
    from: `'Active'`,
    to: `'Deleted'`,
    actor: '$4::text',
    interactionId: '$3::text',
    at: '$2::timestamptz',
  })})
  SELECT FROM deleted`;
