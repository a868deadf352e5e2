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
 * Whether a client may still get the answer to a request that was verified before: it may have another
 * registration or profile since then, and the bank other settings (CVE-2026-7571). A response as a JWT keeps the
 * algorithm with which it was asked for.
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
