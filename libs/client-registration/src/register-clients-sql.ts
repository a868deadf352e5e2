import { auditEventsOf } from '#libs/audit';
import { statement } from '#libs/persistence';
import type { ClientMetadata } from './client-metadata.js';
import { changedRegistrationsOf } from './client-records-sql.js';
import type { RegisteringSoftware } from './registering-software.js';
import type { IssuedClientSecret } from './secrets/client-secrets.service.js';

/** A client to store: a new one, or the replacement of an existing one. */
export interface NewClient {
  clientId: string;
  metadata: ClientMetadata;
  software: RegisteringSoftware;
  /** undefined: the method needs no secret, or a replaced client keeps its secret */
  secret: IssuedClientSecret | undefined;
  now: Date;
  /** of the request, for the audit event */
  interactionId: string;
}

/** Columns of clients that are written as requested: lists, and texts. */
const listColumns = ['redirect_uris', 'grant_types', 'response_types'] as const;
const textColumns = [
  'org_name',
  'client_name',
  'organisation_identifier',
  'on_behalf_of_org',
  'scope',
  'token_endpoint_auth_method',
  'token_endpoint_auth_signing_alg',
  'id_token_signed_response_alg',
  'request_object_signing_alg',
  'tls_client_auth_subject_dn',
  'authorization_signed_response_alg',
  'jwks_uri',
  'jwks_revoked_uri',
  'directory_issuer',
] as const;
/** The other values of a registration. */
const others = {
  client_id: 'uuid',
  software_id: 'text',
  org_id: 'text',
  jti: 'text',
  jti_expires_at: 'timestamptz',
  now: 'timestamptz',
  interaction_id: 'text',
  metadata: 'text',
  fapi_profile: 'text',
  require_pushed_authorization_requests: 'boolean',
  secret_hash: 'bytea',
  secret_encrypted: 'text',
} as const;

type Column = keyof typeof others | (typeof listColumns | typeof textColumns)[number];

function valuesOf({ clientId, metadata, software, secret, now, interactionId }: NewClient): Record<Column, unknown> {
  return {
    client_id: clientId,
    software_id: software.softwareId,
    jti: metadata.request.jti,
    jti_expires_at: new Date(metadata.request.exp * 1_000),
    now,
    interaction_id: interactionId,
    org_id: software.orgId,
    org_name: software.orgName,
    client_name: software.clientName,
    organisation_identifier: software.organisationIdentifier,
    on_behalf_of_org: software.onBehalfOfOrg,
    redirect_uris: metadata.redirectUris,
    grant_types: metadata.grantTypes,
    response_types: metadata.responseTypes,
    scope: metadata.scope,
    token_endpoint_auth_method: metadata.tokenEndpointAuthMethod,
    token_endpoint_auth_signing_alg: metadata.tokenEndpointAuthSigningAlg,
    id_token_signed_response_alg: metadata.idTokenSignedResponseAlg,
    request_object_signing_alg: metadata.requestObjectSigningAlg,
    tls_client_auth_subject_dn: metadata.tlsClientAuthSubjectDn,
    authorization_signed_response_alg: metadata.authorizationSignedResponseAlg,
    fapi_profile: metadata.fapiProfile,
    require_pushed_authorization_requests: metadata.requirePushedAuthorizationRequests,
    jwks_uri: software.jwksUri,
    jwks_revoked_uri: software.jwksRevokedUri,
    directory_issuer: software.directoryIssuer,
    metadata: JSON.stringify(metadata.request),
    secret_hash: secret?.secretHash,
    secret_encrypted: secret?.secretEncrypted,
  };
}

/** Lists come as JSON, because PostgreSQL's arrays of arrays must be rectangular. */
const types: readonly (readonly [column: Column, type: string])[] = [
  ...Object.entries(others).map(([column, type]) => [column as Column, type] as const),
  ...[...listColumns, ...textColumns].map((column) => [column, 'text'] as const),
];
const copied = [...textColumns, 'software_id', 'org_id', 'secret_encrypted', 'require_pushed_authorization_requests'];

/**
 * Registers several clients, one for each row. A client is stored only if its jti is new: of two simultaneous uses of
 * one request exactly one registers, because the index waits for the other transaction before it decides. An expired
 * jti whose row is not deleted yet does not count, unless the request itself has expired since it was verified. All
 * batches order their rows alike, so that two never deadlock. One jti must not occur twice: PostgreSQL would refuse the
 * whole statement.
 */
export const registerClients = statement<Record<Column, readonly unknown[]> & { actor: string }>('register-clients', [
  'client_id',
])`
  WITH request AS MATERIALIZED (
    SELECT * FROM unnest(${types.map(([column, type]) => `:${column}::${type}[]`).join(', ')})
      AS request (${types.map(([column]) => column).join(', ')})),
  redeemed AS (
    INSERT INTO used_jwt_ids AS used (purpose, issuer, jti, expires_at)
    SELECT 'registration', directory_issuer || ' ' || software_id, jti, jti_expires_at FROM request
    ORDER BY directory_issuer || ' ' || software_id, jti
    ON CONFLICT (purpose, issuer, jti) DO UPDATE SET expires_at = EXCLUDED.expires_at
      WHERE used.expires_at <= (:now::timestamptz[])[1] AND EXCLUDED.expires_at > (:now::timestamptz[])[1]
    RETURNING issuer, jti),
  registered AS (
    INSERT INTO clients (client_id, status, client_id_issued_at, updated_at, metadata, secret_hash, fapi_profile,
      ${[...listColumns, ...copied].join(', ')})
    SELECT client_id, 'Active', now, now, metadata::jsonb, coalesce(secret_hash, ''),
      coalesce(fapi_profile, 'fapi1-advanced'),
      ${listColumns.map((column) => `ARRAY(SELECT jsonb_array_elements_text(${column}::jsonb))`).join(', ')},
      ${copied.map((column) => `request.${column}`).join(', ')}
    FROM request JOIN redeemed ON redeemed.issuer = request.directory_issuer || ' ' || request.software_id
      AND redeemed.jti = request.jti
    RETURNING client_id),
  registered_audit AS (${auditEventsOf('request JOIN registered USING (client_id)', {
    action: `'registration.create'`,
    details: `jsonb_build_object(
      'orgId', org_id, 'softwareId', software_id, 'tokenEndpointAuthMethod', token_endpoint_auth_method)`,
    actor: ':actor::text',
    interactionId: 'interaction_id',
    at: 'now',
  })})
  SELECT client_id FROM registered`;

const toText = (value: unknown): unknown => (Array.isArray(value) ? JSON.stringify(value) : value);

export function registrationsOf(
  clients: readonly NewClient[],
  actor: string,
): Record<Column, readonly unknown[]> & { actor: string } {
  const rows = clients.map(valuesOf);
  const arrays = types.map(([column]) => [column, rows.map((row) => toText(row[column]))]);
  return { ...(Object.fromEntries(arrays) as Record<Column, readonly unknown[]>), actor };
}

/**
 * Replaces a registration if the jti is new: returns a row only for its first use. The software id names the signer,
 * and is unique within one directory only. An expired row that is not deleted yet does not count, unless the request
 * itself has expired since it was verified. Directory (verified by the caller), organisation and software never change.
 * A null secret or profile keeps the old one, and so does a profile that the bank has changed since it was read
 * (`former_profile`). The metadata always change: the jti is new.
 */
export const replaceClient = statement<Record<Column, unknown> & { former_profile: string; actor: string }>(
  'replace-client',
  ['client_id'],
)`
  WITH redeemed AS (
    INSERT INTO used_jwt_ids AS used (purpose, issuer, jti, expires_at)
    VALUES ('registration', :directory_issuer::text || ' ' || :software_id::text, :jti::text,
      :jti_expires_at::timestamptz)
    ON CONFLICT (purpose, issuer, jti) DO UPDATE SET expires_at = EXCLUDED.expires_at
      WHERE used.expires_at <= :now::timestamptz AND EXCLUDED.expires_at > :now::timestamptz
    RETURNING jti),
  replaced AS (
    UPDATE clients SET updated_at = :now::timestamptz, metadata = :metadata::jsonb,
      ${textColumns.map((column) => `${column} = :${column}::text`).join(', ')},
      ${listColumns.map((column) => `${column} = :${column}::text[]`).join(', ')},
      fapi_profile = CASE WHEN fapi_profile = :former_profile::text THEN coalesce(:fapi_profile::text, fapi_profile)
        ELSE fapi_profile END,
      require_pushed_authorization_requests = :require_pushed_authorization_requests::boolean,
      secret_hash = coalesce(:secret_hash::bytea, secret_hash),
      secret_encrypted = CASE WHEN :token_endpoint_auth_method::text = 'client_secret_jwt'
        THEN coalesce(:secret_encrypted::text, secret_encrypted) END
    FROM redeemed
    WHERE client_id = :client_id::uuid AND software_id = :software_id::text AND org_id = :org_id::text
      AND status = 'Active'
    RETURNING client_id, client_id_issued_at, fapi_profile),
  replaced_audit AS (${changedRegistrationsOf('replaced', {
    secret: ':secret_hash::bytea IS NOT NULL',
    metadata: 'true',
    actor: ':actor::text',
    interactionId: ':interaction_id::text',
    at: ':now::timestamptz',
  })})
  SELECT EXISTS (SELECT FROM redeemed) AS is_redeemed, (SELECT client_id_issued_at
    FROM replaced) AS client_id_issued_at,
    (SELECT fapi_profile FROM replaced) AS fapi_profile`;

export function replacementOf(
  client: NewClient,
  formerProfile: string,
  actor: string,
): Record<Column, unknown> & { former_profile: string; actor: string } {
  return { ...valuesOf(client), former_profile: formerProfile, actor };
}
