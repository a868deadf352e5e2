import { describedClass } from '#libs/api-description';
import { fapiProfiles } from '#libs/oauth';

/**
 * Claims of the software statement, repeated as members of the registration (RFC 7591 s3.2.1): unchanged, without
 * nulls. Those that the directory's API defines; other directories may have others.
 */
const SoftwareStatementMembers = describedClass('SoftwareStatementMembers', {
  software_environment: { required: false, type: 'string' },
  software_mode: { required: false, type: 'string' },
  software_client_id: { required: false, type: 'string' },
  software_client_name: { required: false, type: 'string' },
  software_client_description: { required: false, type: 'string' },
  software_version: {
    required: false,
    oneOf: [{ type: 'string' }, { type: 'number' }],
    description: 'A string; some directories write a number.',
  },
  software_client_uri: { required: false, type: 'string' },
  software_redirect_uris: {
    required: false,
    type: [String],
    description: 'All those of the software; those of this client are in redirect_uris.',
  },
  software_roles: { required: false, type: [String] },
  software_on_behalf_of_org: { required: false, type: 'string' },
  software_jwks_endpoint: { required: false, type: 'string', format: 'uri' },
  software_jwks_revoked_endpoint: { required: false, type: 'string' },
  software_logo_uri: { required: false, type: 'string' },
  software_policy_uri: { required: false, type: 'string' },
  software_tos_uri: { required: false, type: 'string' },
  org_id: { required: false, type: 'string' },
  org_name: { required: false, type: 'string' },
  org_status: { required: false, type: 'string' },
  org_contacts: { required: false, type: 'array', items: { type: 'object' } },
  org_jwks_endpoint: { required: false, type: 'string' },
  org_jwks_revoked_endpoint: { required: false, type: 'string' },
  organisation_competent_authority_claims: {
    required: false,
    oneOf: [{ type: 'object' }, { type: 'array', items: { type: 'object' } }],
    description: 'An object; in statements of older form an array of objects.',
  },
});

/** A member that the answer also has under a second name, with the same value. */
const alsoAs = (name: string): object => ({ 'x-also-as': name });

/**
 * Answer of the registration area: the members of RFC 7591 and the claims of the software statement. The published
 * description spells some names differently; the answer has both spellings, the document each member once.
 */
export const OBClientRegistration1 = describedClass(
  'OBClientRegistration1',
  {
    client_id: { type: 'string', format: 'uuid' },
    client_secret: {
      required: false,
      type: 'string',
      format: 'uuid',
      description: 'Present only in the answer to the request for which the secret was created.',
    },
    client_id_issued_at: { type: 'integer', description: 'Seconds since 1970.' },
    client_secret_expires_at: {
      required: false,
      type: 'integer',
      description: '0: the secret does not expire. Present only with client_secret.',
    },
    registration_client_uri: { type: 'string', format: 'uri' },
    iss: { type: 'string' },
    iat: { type: 'string', example: '1795222907' },
    exp: { type: 'string', example: '1795226507' },
    aud: { type: 'string' },
    jti: { type: 'string' },
    redirect_uris: { type: [String] },
    grant_types: { type: [String], example: ['authorization_code', 'client_credentials'] },
    response_types: { type: [String], example: ['code id_token'], ...alsoAs('responseTypes') },
    token_endpoint_auth_method: { type: 'string', example: 'private_key_jwt', ...alsoAs('tokenEndpointAuthMethod') },
    token_endpoint_auth_signing_alg: {
      required: false,
      type: 'string',
      description: 'Only for private_key_jwt and client_secret_jwt.',
      ...alsoAs('tokenEndpointAuthSigningAlg'),
    },
    tls_client_auth_subject_dn: {
      required: false,
      type: 'string',
      description: 'Only for tls_client_auth.',
      ...alsoAs('tls_client_auth_dn'),
    },
    software_id: { type: 'string' },
    scope: { type: 'string', example: 'openid payments' },
    software_statement: {
      type: 'string',
      description: 'The software statement as you sent it. Its claims are also members of this object.',
      ...alsoAs('softwareStatement'),
    },
    application_type: { type: 'string', example: 'web', ...alsoAs('applicationType') },
    id_token_signed_response_alg: { type: 'string', example: 'PS256', ...alsoAs('idTokenSignedResponseAlg') },
    request_object_signing_alg: { type: 'string', example: 'PS256', ...alsoAs('requestObjectSigningAlg') },
    authorization_signed_response_alg: {
      type: 'string',
      required: false,
      example: 'PS256',
      description: 'of authorization responses as a JWT (JARM)',
    },
    fapi_profile: { type: 'string', enum: [...fapiProfiles] },
    require_pushed_authorization_requests: { type: 'boolean', description: 'RFC 9126 section 6' },
    require_signed_request_object: { type: 'boolean', description: 'RFC 9101 section 10.5' },
    jwks_uri: { type: 'string', format: 'uri' },
    tls_client_certificate_bound_access_tokens: { type: 'boolean' },
  },
  SoftwareStatementMembers,
);
