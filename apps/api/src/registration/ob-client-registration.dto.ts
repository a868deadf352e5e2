import { ApiHideProperty, ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { fapiProfiles } from '#libs/oauth';
import { SoftwareStatementMembers } from './software-statement-members.dto.js';

/** A member that the answer also has under a second name, with the same value. */
const alsoAs = (name: string): object => ({ 'x-also-as': name });

/**
 * Answer of the registration area: the members of RFC 7591 and the claims of the software statement. The published
 * description spells some names differently; the answer has both spellings, its document has each member once.
 */
export class OBClientRegistration1 extends SoftwareStatementMembers {
  @ApiProperty({ format: 'uuid' })
  client_id!: string;

  @ApiPropertyOptional({
    format: 'uuid',
    description: 'Present only in the answer to the request for which the secret was created.',
  })
  client_secret?: string;

  @ApiProperty({ type: 'integer', description: 'Seconds since 1970.' })
  client_id_issued_at!: number;

  @ApiPropertyOptional({
    type: 'integer',
    description: '0: the secret does not expire. Present only with client_secret.',
  })
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

  @ApiProperty({ type: [String], example: ['code id_token'], ...alsoAs('responseTypes') })
  response_types!: string[];

  @ApiHideProperty()
  responseTypes!: string[];

  @ApiProperty({ example: 'private_key_jwt', ...alsoAs('tokenEndpointAuthMethod') })
  token_endpoint_auth_method!: string;

  @ApiHideProperty()
  tokenEndpointAuthMethod!: string;

  @ApiPropertyOptional({
    description: 'Only for private_key_jwt and client_secret_jwt.',
    ...alsoAs('tokenEndpointAuthSigningAlg'),
  })
  token_endpoint_auth_signing_alg?: string;

  @ApiHideProperty()
  tokenEndpointAuthSigningAlg?: string;

  @ApiPropertyOptional({ description: 'Only for tls_client_auth.', ...alsoAs('tls_client_auth_dn') })
  tls_client_auth_subject_dn?: string;

  @ApiHideProperty()
  tls_client_auth_dn?: string;

  @ApiProperty()
  software_id!: string;

  @ApiProperty({ example: 'openid payments' })
  scope!: string;

  @ApiProperty({
    description: 'The software statement as you sent it. Its claims are also members of this object.',
    ...alsoAs('softwareStatement'),
  })
  software_statement!: string;

  @ApiHideProperty()
  softwareStatement!: string;

  @ApiProperty({ example: 'web', ...alsoAs('applicationType') })
  application_type!: string;

  @ApiHideProperty()
  applicationType!: string;

  @ApiProperty({ example: 'PS256', ...alsoAs('idTokenSignedResponseAlg') })
  id_token_signed_response_alg!: string;

  @ApiHideProperty()
  idTokenSignedResponseAlg!: string;

  @ApiProperty({ example: 'PS256', ...alsoAs('requestObjectSigningAlg') })
  request_object_signing_alg!: string;

  @ApiHideProperty()
  requestObjectSigningAlg!: string;

  @ApiProperty({ required: false, example: 'PS256', description: 'of authorization responses as a JWT (JARM)' })
  authorization_signed_response_alg?: string;

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
