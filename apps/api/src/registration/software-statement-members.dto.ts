import { ApiPropertyOptional } from '@nestjs/swagger';

/**
 * Claims of the software statement, repeated as members of the registration (RFC 7591 s3.2.1): unchanged, without
 * nulls. Those that the directory's API defines; other directories may have others.
 */
export class SoftwareStatementMembers {
  @ApiPropertyOptional({ type: 'string' })
  software_environment?: string;

  @ApiPropertyOptional({ type: 'string' })
  software_mode?: string;

  @ApiPropertyOptional({ type: 'string' })
  software_client_id?: string;

  @ApiPropertyOptional({ type: 'string' })
  software_client_name?: string;

  @ApiPropertyOptional({ type: 'string' })
  software_client_description?: string;

  @ApiPropertyOptional({
    oneOf: [{ type: 'string' }, { type: 'number' }],
    description: 'A string; some directories write a number.',
  })
  software_version?: string | number;

  @ApiPropertyOptional({ type: 'string' })
  software_client_uri?: string;

  @ApiPropertyOptional({
    type: [String],
    description: 'All those of the software; those of this client are in redirect_uris.',
  })
  software_redirect_uris?: string[];

  @ApiPropertyOptional({ type: [String] })
  software_roles?: string[];

  @ApiPropertyOptional({ type: 'string' })
  software_on_behalf_of_org?: string;

  @ApiPropertyOptional({ type: 'string', format: 'uri' })
  software_jwks_endpoint?: string;

  @ApiPropertyOptional({ type: 'string' })
  software_jwks_revoked_endpoint?: string;

  @ApiPropertyOptional({ type: 'string' })
  software_logo_uri?: string;

  @ApiPropertyOptional({ type: 'string' })
  software_policy_uri?: string;

  @ApiPropertyOptional({ type: 'string' })
  software_tos_uri?: string;

  @ApiPropertyOptional({ type: 'string' })
  org_id?: string;

  @ApiPropertyOptional({ type: 'string' })
  org_name?: string;

  @ApiPropertyOptional({ type: 'string' })
  org_status?: string;

  @ApiPropertyOptional({ type: 'array', items: { type: 'object' } })
  org_contacts?: object[];

  @ApiPropertyOptional({ type: 'string' })
  org_jwks_endpoint?: string;

  @ApiPropertyOptional({ type: 'string' })
  org_jwks_revoked_endpoint?: string;

  @ApiPropertyOptional({
    oneOf: [{ type: 'object' }, { type: 'array', items: { type: 'object' } }],
    description: 'An object; in statements of older form an array of objects.',
  })
  organisation_competent_authority_claims?: object | object[];
}
