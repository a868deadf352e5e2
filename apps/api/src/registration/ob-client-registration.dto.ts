import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { fapiProfiles } from '#libs/oauth';
import { SoftwareStatementMembers } from './software-statement-members.dto.js';

const published = 'The same value under the name of the published description.';

/**
 * Answer of the registration area: the members of RFC 7591, the published ones with equal values, the claims of the software statement.
 */
export class OBClientRegistration1 extends SoftwareStatementMembers {
  @ApiProperty({ format: 'uuid' })
  client_id!: string;

  @ApiPropertyOptional({ format: 'uuid', description: 'Only where a secret was made for this answer.' })
  client_secret?: string;

  @ApiProperty({ type: 'integer', description: 'Seconds since 1970.' })
  client_id_issued_at!: number;

  @ApiPropertyOptional({ type: 'integer', description: '0: does not expire. Only together with client_secret.' })
  client_secret_expires_at?: number;

  @ApiProperty({ format: 'uri' })
  registration_client_uri!: string;

  @ApiProperty()
  iss!: string;

  @ApiProperty({ example: '1795222907' })
  iat!: string;

  @ApiProperty({ example: '1795226507' })
  exp!: string;

  @ApiProperty()
  aud!: string;

  @ApiProperty()
  jti!: string;

  @ApiProperty({ type: [String] })
  redirect_uris!: string[];

  @ApiProperty({ type: [String], example: ['authorization_code', 'client_credentials'] })
  grant_types!: string[];

  @ApiProperty({ type: [String], example: ['code id_token'] })
  response_types!: string[];

  @ApiProperty({ type: [String], description: published })
  responseTypes!: string[];

  @ApiProperty({ example: 'private_key_jwt' })
  token_endpoint_auth_method!: string;

  @ApiProperty({ description: published })
  tokenEndpointAuthMethod!: string;

  @ApiPropertyOptional({ description: 'Only for private_key_jwt and client_secret_jwt.' })
  token_endpoint_auth_signing_alg?: string;

  @ApiPropertyOptional({ description: published })
  tokenEndpointAuthSigningAlg?: string;

  @ApiPropertyOptional({ description: 'Only for tls_client_auth.' })
  tls_client_auth_subject_dn?: string;

  @ApiPropertyOptional({ description: 'The same value, where the request had it under this older name.' })
  tls_client_auth_dn?: string;

  @ApiProperty()
  software_id!: string;

  @ApiProperty({ example: 'openid payments' })
  scope!: string;

  @ApiProperty({ description: 'The software statement as it was sent. Its claims are members of this object, too.' })
  software_statement!: string;

  @ApiProperty({ description: published })
  softwareStatement!: string;

  @ApiProperty({ example: 'web' })
  application_type!: string;

  @ApiProperty({ description: published })
  applicationType!: string;

  @ApiProperty({ example: 'PS256' })
  id_token_signed_response_alg!: string;

  @ApiProperty({ description: published })
  idTokenSignedResponseAlg!: string;

  @ApiProperty({ example: 'PS256' })
  request_object_signing_alg!: string;

  @ApiProperty({ description: published })
  requestObjectSigningAlg!: string;

  @ApiProperty({ example: 'PS256', description: 'of authorization responses as a JWT (JARM)' })
  authorization_signed_response_alg!: string;

  @ApiProperty({ enum: [...fapiProfiles] })
  fapi_profile!: string;

  @ApiProperty({ description: 'RFC 9126 section 6' })
  require_pushed_authorization_requests!: boolean;

  @ApiProperty({ description: 'RFC 9101 section 10.5' })
  require_signed_request_object!: boolean;

  @ApiProperty({ format: 'uri' })
  jwks_uri!: string;

  @ApiProperty()
  tls_client_certificate_bound_access_tokens!: boolean;
}
