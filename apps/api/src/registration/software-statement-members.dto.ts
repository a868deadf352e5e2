import { describeMembers } from '#libs/api-description';

/**
 * Claims of the software statement, repeated as members of the registration (RFC 7591 s3.2.1): unchanged, without
 * nulls. Those that the directory's API defines; other directories may have others.
 */
export class SoftwareStatementMembers {}

describeMembers(SoftwareStatementMembers, {
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
