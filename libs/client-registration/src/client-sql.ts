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

/** $1 software, $2 its directory. Held until the end of the transaction. */
export const lockSoftwareSql = `SELECT pg_advisory_xact_lock(hashtextextended($2::text || ' ' || $1::text, 0))`;

/** $1 software, $2 its directory */
export const countClientsSql = `
  SELECT count(*)::int AS count FROM clients
  WHERE software_id = $1 AND status <> 'Deleted' AND directory_issuer = $2`;

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
