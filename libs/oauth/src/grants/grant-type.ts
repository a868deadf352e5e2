import { UnauthorizedClientError } from '../errors/protocol-errors.js';
import type { OAuthClient } from '../oauth-client.js';

/** Throws UnauthorizedClientError if the client did not register the grant type (RFC 6749 s5.2, RFC 7591 s2). */
export function assertRegisteredGrantType(
  client: Pick<OAuthClient, 'grantTypes'>,
  grantType: 'authorization_code' | 'client_credentials' | 'refresh_token',
): void {
  if (!client.grantTypes.includes(grantType)) throw new UnauthorizedClientError();
}
