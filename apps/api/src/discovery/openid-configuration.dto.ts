import { describedClass } from '#libs/api-description';

/** Discovery document (OpenID Connect Discovery section 3, RFC 8414) with every possible member. */
export const OpenidConfiguration = describedClass('OpenidConfiguration', {
  issuer: { type: 'string', format: 'uri', description: 'iss of ID tokens, aud of request objects.' },
  authorization_endpoint: { type: 'string', format: 'uri' },
  token_endpoint: { type: 'string', format: 'uri' },
  pushed_authorization_request_endpoint: {
    type: 'string',
    format: 'uri',
    description:
      'Optional (RFC 9126). This address needs no client certificate; tls_client_auth uses the address under ' +
      'mtls_endpoint_aliases.',
  },
  registration_endpoint: { type: 'string', format: 'uri' },
  userinfo_endpoint: { type: 'string', format: 'uri' },
  revocation_endpoint: { type: 'string', format: 'uri' },
  revocation_endpoint_auth_methods_supported: { type: [String] },
  revocation_endpoint_auth_signing_alg_values_supported: { type: [String] },
  introspection_endpoint: {
    required: false,
    type: 'string',
    format: 'uri',
    description: 'Present only if the bank has allowed its own resource servers to introspect.',
  },
  introspection_signing_alg_values_supported: {
    required: false,
    type: [String],
    description: 'For introspection answers as a JWT (RFC 9701).',
  },
  jwks_uri: { type: 'string', format: 'uri' },
  scopes_supported: { type: [String] },
  response_types_supported: {
    type: [String],
    description:
      'A FAPI 1.0 client gets code with a response_mode of JWT; a bank may also take PKCE in its place ' +
      '(PLAIN_CODE_FLOW), which FAPI 1.0 Advanced (5.2.2-2) does not foresee.',
  },
  response_modes_supported: { type: [String] },
  authorization_signing_alg_values_supported: { type: [String], description: 'of responses as a JWT (JARM section 4)' },
  grant_types_supported: { type: [String] },
  subject_types_supported: { type: [String] },
  id_token_signing_alg_values_supported: { type: [String] },
  request_object_signing_alg_values_supported: { type: [String] },
  request_parameter_supported: { type: 'boolean' },
  request_uri_parameter_supported: {
    type: 'boolean',
    description: 'The service does not fetch request objects from addresses; it accepts references of pushed requests.',
  },
  require_signed_request_object: { type: 'boolean' },
  require_pushed_authorization_requests: { type: 'boolean' },
  claims_parameter_supported: { type: 'boolean' },
  claims_supported: { type: [String] },
  acr_values_supported: { type: [String] },
  token_endpoint_auth_methods_supported: { type: [String] },
  token_endpoint_auth_signing_alg_values_supported: { type: [String] },
  tls_client_certificate_bound_access_tokens: { type: 'boolean' },
  mtls_endpoint_aliases: {
    type: 'object',
    additionalProperties: { type: 'string', format: 'uri' },
    description: 'The endpoints at which a client presents its certificate (RFC 8705 section 5).',
  },
  code_challenge_methods_supported: { type: [String] },
  authorization_response_iss_parameter_supported: { type: 'boolean', description: 'RFC 9207.' },
  ui_locales_supported: { type: [String] },
});
