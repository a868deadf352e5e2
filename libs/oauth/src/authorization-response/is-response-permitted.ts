import type { AuthorizationRequest } from '../authorization-request/verify-authorization-request.js';
import {
  isDemanded,
  type Demand,
  type ProfiledClient,
  type ProfileSettings,
} from '../security-profile/profile-table.js';

/**
 * Whether a client may still get the answer to a request that was verified before: it may have another profile since
 * then, and the bank other settings.
 */
export function isResponsePermitted(
  { responseType, codeChallenge, signed }: Pick<AuthorizationRequest, 'responseType' | 'codeChallenge' | 'signed'>,
  client: ProfiledClient,
  profile: ProfileSettings,
): boolean {
  const isRequired = (demand: Demand): boolean => isDemanded(demand, client, profile);
  if (responseType !== 'code') return !isRequired('response-type-code');
  if (signed === undefined && isRequired('code-with-jarm')) return false;
  if (codeChallenge !== undefined) return true;
  return !isRequired('pkce') && (signed !== undefined || !isRequired('code-with-pkce-or-jarm'));
}
