import type { AuthorizationRequest } from '../authorization-request/verify-authorization-request.js';
import { permittedResponseTypes } from '../authorization-request/response-type.js';
import type { OAuthClient } from '../oauth-client.js';
import {
  isDemanded,
  type Demand,
  type ProfiledClient,
  type ProfileSettings,
} from '../security-profile/profile-table.js';

/**
 * Whether a client may still get the answer to a request that was verified before: since then its registration or
 * profile may have changed, or the bank's settings (CVE-2026-7571). A response as a JWT keeps the algorithm that was
 * registered at the request.
 */
export function isResponsePermitted(
  { responseType, codeChallenge, signed }: Pick<AuthorizationRequest, 'responseType' | 'codeChallenge' | 'signed'>,
  client: ProfiledClient & Pick<OAuthClient, 'responseTypes'>,
  profile: ProfileSettings,
): boolean {
  const isRequired = (demand: Demand): boolean => isDemanded(demand, client, profile);
  if (!permittedResponseTypes(client, isRequired('response-type-code')).includes(responseType)) return false;
  if (responseType !== 'code') return true;
  if (signed === undefined && isRequired('code-with-jarm')) return false;
  if (codeChallenge !== undefined) return true;
  return !isRequired('pkce') && (signed !== undefined || !isRequired('code-with-pkce-or-jarm'));
}
