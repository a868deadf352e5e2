import { InvalidScopeError } from '../errors/protocol-errors.js';
import type { OAuthClient } from '../oauth-client.js';
import { isDemanded, type ProfiledClient, type ProfileSettings } from '../security-profile/profile-table.js';
import { assertRegisteredScope } from '../scope.js';

/**
 * The scope to grant for client_credentials (RFC 6749 s3.3, s4.4): what was requested, if it is registered; all that is
 * registered if nothing was requested, unless the bank demands a scope. `openid` is left out, as there is no end user
 * to identify, unless it is all there is: a client that registered nothing else manages its registration with such a
 * token, for which no scope is needed (Open Banking DCR). Never empty. Throws InvalidScopeError.
 */
export function resolveClientCredentialsScope(options: {
  requested: readonly string[] | undefined;
  client: Pick<OAuthClient, 'scope'> & ProfiledClient;
  profile: ProfileSettings;
}): string[] {
  const { requested, client, profile } = options;
  if (requested === undefined && isDemanded('scope-at-token-endpoint', client, profile)) {
    throw new InvalidScopeError('scope is missing');
  }
  assertRegisteredScope(requested ?? [], client.scope);
  const wanted = requested ?? client.scope;
  if (wanted.length === 0) throw new InvalidScopeError('the client has registered no scope');
  const granted = wanted.filter((word) => word !== 'openid');
  return granted.length === 0 ? ['openid'] : granted;
}
