import { isDemanded, profileOf, type ProfileSettings } from '#libs/oauth';
import type { ClientMetadata } from './client-metadata.js';
import type { ClientRegistration } from './client-row.js';

/** What the answer contains besides the registration itself. */
export interface ClientRegistrationAnswer {
  registration: ClientRegistration;
  /** `{base_url}/open-banking/v3.2/register`, without a slash at the end */
  registrationEndpoint: string;
  /** the bank's settings of the security profile */
  profile: ProfileSettings;
  /** only if a secret was created for this answer */
  clientSecret?: string | undefined;
}

/** Members of the registration, which a claim of the software statement never replaces. */
const registrationNames: ReadonlySet<string> = new Set([
  'client_id',
  'client_secret',
  'client_id_issued_at',
  'client_secret_expires_at',
  'registration_access_token',
  'token_endpoint_auth_signing_alg',
  'tokenEndpointAuthSigningAlg',
  'tls_client_auth_subject_dn',
  'tls_client_auth_dn',
]);

/**
 * OBClientRegistration1 (RFC 7591 s3.2.1): every member of the standard, the published camel case members with the same
 * values, and the claims of the software statement.
 * @returns the body of 201 and 200; no member is null
 */
export function toClientRegistrationResponse(answer: ClientRegistrationAnswer): Record<string, unknown> {
  const { registration, registrationEndpoint, clientSecret, profile } = answer;
  const { request } = registration.metadata;
  // First, so that a member of the registration takes precedence over a claim of the same name.
  const members = softwareStatementMembers(request.softwareStatement);
  return Object.assign(members, {
    client_id: registration.clientId,
    // A secret is shown once; 0 means that it does not expire.
    ...(clientSecret === undefined ? {} : { client_secret: clientSecret, client_secret_expires_at: 0 }),
    client_id_issued_at: Math.floor(registration.clientIdIssuedAt.getTime() / 1_000),
    registration_client_uri: `${registrationEndpoint}/${registration.clientId}`,
    iss: request.iss,
    // Strings, as in the published description.
    iat: String(request.iat),
    exp: String(request.exp),
    aud: request.aud,
    jti: request.jti,
    ...metadataMembers(registration, profile),
    software_id: registration.softwareId,
    jwks_uri: registration.jwksUri,
    tls_client_certificate_bound_access_tokens: true,
  });
}

function metadataMembers({ metadata }: ClientRegistration, profile: ProfileSettings): Record<string, unknown> {
  const { request, tokenEndpointAuthSigningAlg, tlsClientAuthSubjectDn } = metadata;
  return {
    redirect_uris: metadata.redirectUris,
    grant_types: metadata.grantTypes,
    scope: metadata.scope,
    ...bothSpellings('token_endpoint_auth_method', 'tokenEndpointAuthMethod', metadata.tokenEndpointAuthMethod),
    ...bothSpellings('token_endpoint_auth_signing_alg', 'tokenEndpointAuthSigningAlg', tokenEndpointAuthSigningAlg),
    ...bothSpellings('response_types', 'responseTypes', metadata.responseTypes),
    ...bothSpellings('software_statement', 'softwareStatement', request.softwareStatement),
    ...bothSpellings('application_type', 'applicationType', request.applicationType),
    ...bothSpellings('id_token_signed_response_alg', 'idTokenSignedResponseAlg', metadata.idTokenSignedResponseAlg),
    ...bothSpellings('request_object_signing_alg', 'requestObjectSigningAlg', metadata.requestObjectSigningAlg),
    ...(metadata.authorizationSignedResponseAlg !== undefined && {
      authorization_signed_response_alg: metadata.authorizationSignedResponseAlg,
    }),
    fapi_profile: profileOf(metadata, profile),
    ...requestMembers(metadata, profile),
    ...(tlsClientAuthSubjectDn === undefined ? {} : { tls_client_auth_subject_dn: tlsClientAuthSubjectDn }),
    ...(tlsClientAuthSubjectDn !== undefined && request.usesOlderSubjectName
      ? { tls_client_auth_dn: tlsClientAuthSubjectDn }
      : {}),
  };
}

/**
 * Requirements for the client's authorization requests (RFC 9126 s6, RFC 9101 s10.5), from its profile or registration.
 */
function requestMembers(
  { fapiProfile, requirePushedAuthorizationRequests }: ClientMetadata,
  profile: ProfileSettings,
): Record<string, unknown> {
  const client = { ...(fapiProfile !== undefined && { fapiProfile }), requirePushedAuthorizationRequests };
  return {
    require_pushed_authorization_requests: isDemanded('pushed-request', client, profile),
    require_signed_request_object: isDemanded('signed-request', client, profile),
  };
}

function bothSpellings(standard: string, published: string, value: unknown): Record<string, unknown> {
  return value === undefined ? {} : { [standard]: value, [published]: value };
}

/**
 * The statement was verified when it was stored: only its payload is read here.
 * @returns an object without a prototype: V8 would make a hidden class, 24 kB in all, for each member that is added to
 * so many others
 */
function softwareStatementMembers(compact: string): Record<string, unknown> {
  const members = Object.create(null) as Record<string, unknown>;
  const claims: unknown = JSON.parse(Buffer.from(compact.split('.')[1] ?? '', 'base64url').toString('utf8'));
  if (typeof claims !== 'object' || claims === null) return members;
  for (const [name, value] of Object.entries(claims)) {
    if (value !== null && !registrationNames.has(name)) members[name] = value;
  }
  return members;
}
