import { InvalidScopeError } from '../errors/protocol-errors.js';
import type { OAuthClient } from '../oauth-client.js';
import { assertRegisteredScope } from '../scope.js';

/**
 * The scope to grant for client_credentials (RFC 6749 s3.3, s4.4): what was requested, if it is registered; all that is registered if
 * nothing was requested. `openid` is left out, as there is no end user to identify. Never empty. Throws InvalidScopeError.
 */
export function resolveClientCredentialsScope({
  requested,
  client,
}: {
  requested: readonly string[] | undefined;
  client: Pick<OAuthClient, 'scope'>;
}): string[] {
  assertRegisteredScope(requested ?? [], client.scope);
  const granted = (requested ?? client.scope).filter((word) => word !== 'openid');
  if (granted.length === 0) throw new InvalidScopeError('scope openid alone has no use without an end user');
  return granted;
}
