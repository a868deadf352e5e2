import { describedClass } from '#libs/api-description';
import {
  applicationTypes,
  asymmetricAlgorithms,
  grantTypes,
  responseTypes,
  scopes,
  tokenEndpointAuthMethods,
} from '#libs/client-registration';
import { fapiProfiles } from '#libs/oauth';

/** Seconds since 1970. The published description has strings, which are accepted too. */
const numericDate = { type: 'integer', minimum: 0, maximum: 99_999_999_999 } as const;

/**
 * Claims of the signed registration request (Open Banking DCR v3.2, RFC 7591). Seven of them may be in camel case, as
 * in the published description: tokenEndpointAuthMethod, responseTypes, softwareStatement, applicationType,
 * idTokenSignedResponseAlg, requestObjectSigningAlg, tokenEndpointAuthSigningAlg.
 */
export const OBClientRegistrationRequest1 = describedClass('OBClientRegistrationRequest1', {
  iss: { type: 'string', description: 'software_id of the software statement.' },
  iat: { ...numericDate, description: 'Seconds since 1970, also as a string of digits; not in the future.' },
  exp: {
    ...numericDate,
    description: 'Seconds since 1970, also as a string of digits; in the future, within 24 hours.',
  },
  aud: {
    type: 'string',
    description: "The bank's organisation id in the directory, or its issuer; a string, or an array that contains it.",
  },
  jti: { type: 'string', minLength: 1, maxLength: 128, description: 'Used once.' },
  client_id: { required: false, type: 'string', description: 'In PUT: the id of the client to change.' },
  redirect_uris: {
    required: false,
    type: 'array',
    items: { type: 'string', format: 'uri', maxLength: 256 },
    maxItems: 100,
    description: 'Some of those in the software statement; by default all that can be used.',
  },
  token_endpoint_auth_method: { type: 'string', enum: [...tokenEndpointAuthMethods, 'mtls_client_auth'] },
  token_endpoint_auth_signing_alg: {
    required: false,
    type: 'string',
    enum: [...asymmetricAlgorithms, 'HS256'],
    description: 'Required for private_key_jwt.',
  },
  tls_client_auth_subject_dn: {
    required: false,
    type: 'string',
    maxLength: 512,
    description: 'For tls_client_auth: subject of the certificate (RFC 4514).',
  },
  grant_types: { type: 'array', items: { type: 'string', enum: [...grantTypes] }, minItems: 1 },
  response_types: {
    required: false,
    type: 'array',
    items: { type: 'string', enum: [...responseTypes] },
    description: 'Default: code id_token.',
  },
  software_id: { required: false, type: 'string', description: 'software_id of the software statement.' },
  scope: {
    required: false,
    type: 'string',
    maxLength: 256,
    description: `Some of ${scopes.join(', ')}; by default all that the roles of the software allow.`,
    example: 'openid payments',
  },
  software_statement: { type: 'string', description: 'The software statement of the directory, a JWT.' },
  application_type: { type: 'string', enum: [...applicationTypes] },
  id_token_signed_response_alg: { type: 'string', enum: [...asymmetricAlgorithms] },
  request_object_signing_alg: { type: 'string', enum: [...asymmetricAlgorithms] },
  authorization_signed_response_alg: {
    required: false,
    type: 'string',
    enum: [...asymmetricAlgorithms],
    description:
      'Algorithm of authorization responses as a JWT (JARM). Default: PS256. FAPI 1.0 clients that register it get ' +
      'code only so.',
  },
  fapi_profile: {
    required: false,
    type: 'string',
    enum: [...fapiProfiles],
    description: 'Only if the bank lets clients choose (`DCR_FAPI_PROFILES`). By default the bank decides.',
  },
  require_pushed_authorization_requests: {
    required: false,
    type: 'boolean',
    description: 'The client pushes all its authorization requests (RFC 9126 section 6).',
  },
});
