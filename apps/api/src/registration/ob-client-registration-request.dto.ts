import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
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
export class OBClientRegistrationRequest1 {
  @ApiProperty({ type: 'string', description: 'software_id of the software statement.' })
  iss!: string;

  @ApiProperty({ ...numericDate, description: 'Seconds since 1970, also as a string of digits; not in the future.' })
  iat!: number;

  @ApiProperty({
    ...numericDate,
    description: 'Seconds since 1970, also as a string of digits; in the future, within 24 hours.',
  })
  exp!: number;

  @ApiProperty({
    description: "The bank's organisation id in the directory, or its issuer; a string, or an array that contains it.",
  })
  aud!: string;

  @ApiProperty({ type: 'string', minLength: 1, maxLength: 128, description: 'Used once.' })
  jti!: string;

  @ApiPropertyOptional({ type: 'string', description: 'In PUT: the id of the client to change.' })
  client_id?: string;

  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'string', format: 'uri', maxLength: 256 },
    maxItems: 100,
    description: 'Some of those in the software statement; by default all that can be used.',
  })
  redirect_uris?: string[];

  @ApiProperty({ type: 'string', enum: [...tokenEndpointAuthMethods, 'mtls_client_auth'] })
  token_endpoint_auth_method!: string;

  @ApiPropertyOptional({
    type: 'string',
    enum: [...asymmetricAlgorithms, 'HS256'],
    description: 'Required for private_key_jwt.',
  })
  token_endpoint_auth_signing_alg?: string;

  @ApiPropertyOptional({
    type: 'string',
    maxLength: 512,
    description: 'For tls_client_auth: subject of the certificate (RFC 4514).',
  })
  tls_client_auth_subject_dn?: string;

  @ApiProperty({ type: 'array', items: { type: 'string', enum: [...grantTypes] }, minItems: 1 })
  grant_types!: string[];

  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'string', enum: [...responseTypes] },
    description: 'Default: code id_token.',
  })
  response_types?: string[];

  @ApiPropertyOptional({ type: 'string', description: 'software_id of the software statement.' })
  software_id?: string;

  @ApiPropertyOptional({
    type: 'string',
    maxLength: 256,
    description: `Some of ${scopes.join(', ')}; by default all that the roles of the software allow.`,
    example: 'openid payments',
  })
  scope?: string;

  @ApiProperty({ type: 'string', description: 'The software statement of the directory, a JWT.' })
  software_statement!: string;

  @ApiProperty({ type: 'string', enum: [...applicationTypes] })
  application_type!: string;

  @ApiProperty({ type: 'string', enum: [...asymmetricAlgorithms] })
  id_token_signed_response_alg!: string;

  @ApiProperty({ type: 'string', enum: [...asymmetricAlgorithms] })
  request_object_signing_alg!: string;

  @ApiPropertyOptional({
    type: 'string',
    enum: [...asymmetricAlgorithms],
    description:
      'Algorithm of authorization responses as a JWT (JARM). Default: PS256. FAPI 1.0 clients that register it get ' +
      'code only so.',
  })
  authorization_signed_response_alg?: string;

  @ApiPropertyOptional({
    type: 'string',
    enum: [...fapiProfiles],
    description: 'Only if the bank lets clients choose (`DCR_FAPI_PROFILES`). By default the bank decides.',
  })
  fapi_profile?: string;

  @ApiPropertyOptional({ description: 'The client pushes all its authorization requests (RFC 9126 section 6).' })
  require_pushed_authorization_requests?: boolean;
}
