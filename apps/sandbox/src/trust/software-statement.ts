import { randomBytes } from 'node:crypto';
import { createCompactJws, type SigningKey } from '#libs/jws';
import { organisationNameOf, type Software } from './software.js';

/** `iss` of the sandbox directory's software statements: not the issuer of the real directory. */
export const directoryIssuer = 'OpenBanking Sandbox Directory';

/**
 * The claims of a software statement, in the form of the Open Banking directory's (which has no `exp`).
 * @param options.directoryUrl address of the sandbox directory, without a slash at the end
 */
export function softwareStatementClaims(options: {
  software: Software;
  directoryUrl: string;
  now: Date;
}): Record<string, unknown> {
  const { software, directoryUrl, now } = options;
  const { name, orgId, softwareId, registrationId, redirectUris, onBehalfOf = null } = software;
  const site = new URL(redirectUris[0] ?? directoryUrl).origin;
  const roles = ['AISP', 'PISP', 'CBPII'];
  return {
    iss: directoryIssuer,
    iat: Math.floor(now.getTime() / 1_000),
    jti: randomBytes(8).toString('hex'),
    software_environment: 'sandbox',
    software_mode: 'Test',
    software_id: softwareId,
    software_client_id: softwareId,
    software_client_name: name,
    software_client_description: `${name}, a TPP of the sandbox`,
    software_version: '1.0',
    software_client_uri: site,
    software_redirect_uris: redirectUris,
    software_roles: roles,
    software_on_behalf_of_org: onBehalfOf,
    software_jwks_endpoint: `${directoryUrl}/${orgId}/${softwareId}.jwks`,
    software_jwks_revoked_endpoint: `${directoryUrl}/${orgId}/revoked/${softwareId}.jwks`,
    software_logo_uri: `${site}/logo.svg`,
    software_policy_uri: `${site}/policy`,
    software_tos_uri: `${site}/terms`,
    org_id: orgId,
    org_name: organisationNameOf(software),
    org_status: 'Active',
    org_contacts: [],
    org_jwks_endpoint: `${directoryUrl}/${orgId}/${orgId}.jwks`,
    org_jwks_revoked_endpoint: `${directoryUrl}/${orgId}/revoked/${orgId}.jwks`,
    organisation_competent_authority_claims: {
      authority_id: 'FCAGBR',
      registration_id: registrationId,
      status: 'Active',
      authorisations: [{ member_state: 'GB', roles }],
    },
  };
}

/** @returns a fresh software statement, signed by the directory (compact JWS, PS256) */
export async function createSoftwareStatement(options: {
  software: Software;
  directoryUrl: string;
  key: SigningKey;
  now: Date;
}): Promise<string> {
  return createCompactJws({
    header: { typ: 'JWT' },
    payload: JSON.stringify(softwareStatementClaims(options)),
    key: options.key,
  });
}
