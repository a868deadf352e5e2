import { auditEventsOf } from '#libs/audit';
import type { ClientMetadata } from './client-metadata.js';
import type { RegisteringSoftware } from './registering-software.js';
import type { IssuedClientSecret } from './secrets/client-secret.js';

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

/**
 * Registers several clients, one for each row. A client is stored only if its jti is new: of two simultaneous uses of
 * one request exactly one registers, because the index waits for the other transaction before it decides. An expired
 * row of a jti that is not deleted yet does not count. All batches order their rows alike, so that two never deadlock.
 * One jti must not occur twice: PostgreSQL would refuse the whole statement. $1 to $30: see {@link
 * registerClientsParameters}.
 */
export const registerClientsSql = `
  WITH request AS MATERIALIZED (
    SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::timestamptz[], $5::timestamptz[], $6::text[],
      $7::text[], $8::text[],
      $9::text[], $10::text[], $11::text[], $12::text[], $13::text[], $14::text[], $15::text[], $16::text[],
        $17::text[], $18::text[],
      $19::text[], $20::text[], $21::bytea[], $22::text[], $23::text[], $24::text[], $26::text[], $27::text[],
      $28::boolean[], $29::text[], $25::text[]) AS request (client_id, software_id, jti, jti_expires_at, now, org_id,
        org_name, client_name, organisation_identifier, redirect_uris, grant_types, response_types, scope,
          token_endpoint_auth_method,
      token_endpoint_auth_signing_alg, id_token_signed_response_alg, request_object_signing_alg,
        tls_client_auth_subject_dn, jwks_uri,
      metadata, secret_hash, secret_encrypted, directory_issuer, jwks_revoked_uri, authorization_signed_response_alg,
      fapi_profile, require_pushed_authorization_requests, on_behalf_of_org, interaction_id)),
  redeemed AS (
    INSERT INTO used_jwt_ids AS used (purpose, issuer, jti, expires_at)
    SELECT 'registration', directory_issuer || ' ' || software_id, jti, jti_expires_at FROM request
    ORDER BY directory_issuer || ' ' || software_id, jti
    ON CONFLICT (purpose, issuer, jti) DO UPDATE SET expires_at = EXCLUDED.expires_at
      WHERE used.expires_at <= ($5::timestamptz[])[1]
    RETURNING issuer, jti),
  registered AS (
  INSERT INTO clients (software_id, client_id_issued_at, updated_at, client_id, status, org_id, org_name, client_name,
    organisation_identifier, redirect_uris, grant_types, response_types, scope, token_endpoint_auth_method,
    token_endpoint_auth_signing_alg, id_token_signed_response_alg, request_object_signing_alg,
      tls_client_auth_subject_dn,
    jwks_uri, metadata, secret_hash, secret_encrypted, directory_issuer, jwks_revoked_uri,
      authorization_signed_response_alg,
    fapi_profile, require_pushed_authorization_requests, on_behalf_of_org)
  SELECT software_id, now, now, client_id, 'Active', org_id, org_name, client_name, organisation_identifier,
    ARRAY(SELECT jsonb_array_elements_text(redirect_uris::jsonb)),
      ARRAY(SELECT jsonb_array_elements_text(grant_types::jsonb)),
    ARRAY(SELECT jsonb_array_elements_text(response_types::jsonb)), scope, token_endpoint_auth_method,
      token_endpoint_auth_signing_alg,
    id_token_signed_response_alg, request_object_signing_alg, tls_client_auth_subject_dn, jwks_uri, metadata::jsonb,
    coalesce(secret_hash, ''), secret_encrypted, directory_issuer, jwks_revoked_uri, authorization_signed_response_alg,
    coalesce(fapi_profile, 'fapi1-advanced'), require_pushed_authorization_requests, on_behalf_of_org
  FROM request JOIN redeemed ON redeemed.issuer = request.directory_issuer || ' ' || request.software_id
    AND redeemed.jti = request.jti
  RETURNING client_id),
  registered_audit AS (${auditEventsOf('request JOIN registered USING (client_id)', {
    action: `'registration.create'`,
    details: `jsonb_build_object(
      'orgId', org_id, 'softwareId', software_id, 'tokenEndpointAuthMethod', token_endpoint_auth_method)`,
    actor: '$30::text',
    interactionId: 'interaction_id',
    at: 'now',
  })})
  SELECT client_id FROM registered`;

/** @returns the values of $1 to $30; lists as JSON, because PostgreSQL's arrays of arrays must be rectangular */
export function registerClientsParameters(clients: readonly NewClient[], actor: string): unknown[] {
  const column = (valueOf: (client: NewClient) => unknown) => clients.map(valueOf);
  return [
    column(({ clientId }) => clientId),
    column(({ software }) => software.softwareId),
    column(({ metadata }) => metadata.request.jti),
    column(({ metadata }) => new Date(metadata.request.exp * 1_000)),
    column(({ now }) => now),
    column(({ software }) => software.orgId),
    column(({ software }) => software.orgName),
    column(({ software }) => software.clientName),
    column(({ software }) => software.organisationIdentifier ?? null),
    column(({ metadata }) => JSON.stringify(metadata.redirectUris)),
    column(({ metadata }) => JSON.stringify(metadata.grantTypes)),
    column(({ metadata }) => JSON.stringify(metadata.responseTypes)),
    column(({ metadata }) => metadata.scope),
    column(({ metadata }) => metadata.tokenEndpointAuthMethod),
    column(({ metadata }) => metadata.tokenEndpointAuthSigningAlg ?? null),
    column(({ metadata }) => metadata.idTokenSignedResponseAlg),
    column(({ metadata }) => metadata.requestObjectSigningAlg),
    column(({ metadata }) => metadata.tlsClientAuthSubjectDn ?? null),
    column(({ software }) => software.jwksUri),
    column(({ metadata }) => JSON.stringify(metadata.request)),
    column(({ secret }) => secret?.secretHash ?? null),
    column(({ secret }) => secret?.secretEncrypted ?? null),
    column(({ software }) => software.directoryIssuer),
    column(({ software }) => software.jwksRevokedUri ?? null),
    column(({ interactionId }) => interactionId),
    column(({ metadata }) => metadata.authorizationSignedResponseAlg ?? null),
    column(({ metadata }) => metadata.fapiProfile ?? null),
    column(({ metadata }) => metadata.requirePushedAuthorizationRequests),
    column(({ software }) => software.onBehalfOfOrg ?? null),
    actor,
  ];
}
