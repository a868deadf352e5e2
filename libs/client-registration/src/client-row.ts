import type { FapiProfile, OAuthClient } from '#libs/oauth';
import type { ClientMetadata } from './client-metadata.js';

/** A row of `clients` as the driver returns it. */
export interface ClientRow {
  client_id: string;
  org_id: string;
  org_name: string;
  software_id: string;
  client_name: string;
  organisation_identifier: string | null;
  on_behalf_of_org: string | null;
  redirect_uris: string[];
  grant_types: string[];
  response_types: ClientMetadata['responseTypes'];
  scope: string;
  token_endpoint_auth_method: ClientMetadata['tokenEndpointAuthMethod'];
  token_endpoint_auth_signing_alg: ClientMetadata['tokenEndpointAuthSigningAlg'] | null;
  id_token_signed_response_alg: ClientMetadata['idTokenSignedResponseAlg'];
  request_object_signing_alg: ClientMetadata['requestObjectSigningAlg'];
  authorization_signed_response_alg: ClientMetadata['authorizationSignedResponseAlg'] | null;
  fapi_profile: FapiProfile;
  require_pushed_authorization_requests: boolean;
  tls_client_auth_subject_dn: string | null;
  jwks_uri: string;
  jwks_revoked_uri: string | null;
  directory_issuer: string | null;
  secret_hash: Buffer;
  secret_encrypted: string | null;
  require_issuer_audience: boolean;
}

/** A row with what only registration management needs. */
export interface RegistrationRow extends ClientRow {
  metadata: ClientMetadata['request'];
  client_id_issued_at: Date;
}

/** A registered client as the protocol sees it, and the required owner of its certificates. */
export interface RegisteredClient extends OAuthClient {
  organisationIdentifier?: string;
  /** `iss` of its software statement; none: it registered when there was one directory, the first */
  directoryIssuer?: string;
}

/** A registration as returned to the client. */
export interface ClientRegistration {
  clientId: string;
  clientIdIssuedAt: Date;
  orgId: string;
  softwareId: string;
  organisationIdentifier?: string;
  jwksUri: string;
  metadata: ClientMetadata;
}

/** @returns the client of a row; what the row leaves empty has no member */
export function toRegisteredClient(row: ClientRow): RegisteredClient {
  return {
    clientId: row.client_id,
    orgId: row.org_id,
    softwareId: row.software_id,
    clientName: row.client_name,
    orgName: row.org_name,
    ...agreedMembers(row),
    scope: row.scope.split(' ').filter((word) => word !== ''),
    jwksUri: row.jwks_uri,
    secretHash: row.secret_hash,
    ...present('secretEncrypted', row.secret_encrypted),
    ...present('organisationIdentifier', row.organisation_identifier),
    ...present('onBehalfOfOrg', row.on_behalf_of_org),
    ...present('directoryIssuer', row.directory_issuer),
    ...present('jwksRevokedUri', row.jwks_revoked_uri),
    requireIssuerAudience: row.require_issuer_audience,
  };
}

/** @returns the registration of a row */
export function toClientRegistration(row: RegistrationRow): ClientRegistration {
  return {
    clientId: row.client_id,
    clientIdIssuedAt: row.client_id_issued_at,
    orgId: row.org_id,
    softwareId: row.software_id,
    ...present('organisationIdentifier', row.organisation_identifier),
    jwksUri: row.jwks_uri,
    metadata: {
      ...agreedMembers(row),
      scope: row.scope,
      request: row.metadata,
    },
  };
}

/** What registration has agreed with the client. */
function agreedMembers(row: ClientRow) {
  return {
    redirectUris: row.redirect_uris,
    grantTypes: row.grant_types,
    responseTypes: row.response_types,
    tokenEndpointAuthMethod: row.token_endpoint_auth_method,
    ...present('tokenEndpointAuthSigningAlg', row.token_endpoint_auth_signing_alg),
    idTokenSignedResponseAlg: row.id_token_signed_response_alg,
    requestObjectSigningAlg: row.request_object_signing_alg,
    ...present('authorizationSignedResponseAlg', row.authorization_signed_response_alg),
    fapiProfile: row.fapi_profile,
    requirePushedAuthorizationRequests: row.require_pushed_authorization_requests,
    ...present('tlsClientAuthSubjectDn', row.tls_client_auth_subject_dn),
  };
}

function present<Name extends string, Value>(name: Name, value: Value | null | undefined): { [K in Name]?: Value } {
  return value === null || value === undefined ? {} : ({ [name]: value } as { [K in Name]: Value });
}
