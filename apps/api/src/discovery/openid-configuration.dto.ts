import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

/** Discovery document (OpenID Connect Discovery section 3, RFC 8414) with every possible member. */
export class OpenidConfiguration {
  @ApiProperty({ type: 'string', format: 'uri', description: 'iss of ID tokens, aud of request objects.' })
  issuer!: string;

  @ApiProperty({ type: 'string', format: 'uri' })
  authorization_endpoint!: string;

  @ApiProperty({ type: 'string', format: 'uri' })
  token_endpoint!: string;

  @ApiProperty({
    type: 'string',
    format: 'uri',
    description:
      'Optional (RFC 9126). This address needs no client certificate; tls_client_auth uses the address under ' +
      'mtls_endpoint_aliases.',
  })
  pushed_authorization_request_endpoint!: string;

  @ApiProperty({ type: 'string', format: 'uri' })
  registration_endpoint!: string;

  @ApiProperty({ type: 'string', format: 'uri' })
  userinfo_endpoint!: string;

  @ApiProperty({ type: 'string', format: 'uri' })
  revocation_endpoint!: string;

  @ApiProperty({ type: [String] })
  revocation_endpoint_auth_methods_supported!: string[];

  @ApiProperty({ type: [String] })
  revocation_endpoint_auth_signing_alg_values_supported!: string[];

  @ApiPropertyOptional({
    type: 'string',
    format: 'uri',
    description: 'Present only if the bank has allowed its own resource servers to introspect.',
  })
  introspection_endpoint?: string;

  @ApiPropertyOptional({
    type: [String],
    description: 'For introspection answers as a JWT (RFC 9701).',
  })
  introspection_signing_alg_values_supported?: string[];

  @ApiProperty({ type: 'string', format: 'uri' })
  jwks_uri!: string;

  @ApiProperty({ type: [String] })
  scopes_supported!: string[];

  @ApiProperty({
    type: [String],
    description:
      'A FAPI 1.0 client gets code with a response_mode of JWT; a bank may also take PKCE in its place ' +
      '(PLAIN_CODE_FLOW), which FAPI 1.0 Advanced (5.2.2-2) does not foresee.',
  })
  response_types_supported!: string[];

  @ApiProperty({ type: [String] })
  response_modes_supported!: string[];

  @ApiProperty({ type: [String], description: 'of responses as a JWT (JARM section 4)' })
  authorization_signing_alg_values_supported!: string[];

  @ApiProperty({ type: [String] })
  grant_types_supported!: string[];

  @ApiProperty({ type: [String] })
  subject_types_supported!: string[];

  @ApiProperty({ type: [String] })
  id_token_signing_alg_values_supported!: string[];

  @ApiProperty({ type: [String] })
  request_object_signing_alg_values_supported!: string[];

  @ApiProperty({ type: 'boolean' })
  request_parameter_supported!: boolean;

  @ApiProperty({
    type: 'boolean',
    description: 'The service does not fetch request objects from addresses; it accepts references of pushed requests.',
  })
  request_uri_parameter_supported!: boolean;

  @ApiProperty({ type: 'boolean' })
  require_signed_request_object!: boolean;

  @ApiProperty({ type: 'boolean' })
  require_pushed_authorization_requests!: boolean;

  @ApiProperty({ type: 'boolean' })
  claims_parameter_supported!: boolean;

  @ApiProperty({ type: [String] })
  claims_supported!: string[];

  @ApiProperty({ type: [String] })
  acr_values_supported!: string[];

  @ApiProperty({ type: [String] })
  token_endpoint_auth_methods_supported!: string[];

  @ApiProperty({ type: [String] })
  token_endpoint_auth_signing_alg_values_supported!: string[];

  @ApiProperty({ type: 'boolean' })
  tls_client_certificate_bound_access_tokens!: boolean;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string', format: 'uri' },
    description: 'The endpoints at which a client presents its certificate (RFC 8705 section 5).',
  })
  mtls_endpoint_aliases!: Record<string, string>;

  @ApiProperty({ type: [String] })
  code_challenge_methods_supported!: string[];

  @ApiProperty({ type: 'boolean', description: 'RFC 9207.' })
  authorization_response_iss_parameter_supported!: boolean;

  @ApiProperty({ type: [String] })
  ui_locales_supported!: string[];
}
