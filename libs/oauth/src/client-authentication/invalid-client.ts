import { InvalidClientError } from '../errors/protocol-errors.js';
import type { OAuthClient, TokenEndpointAuthMethod } from '../oauth-client.js';
import type { ClientCredentialsPresented } from '../token-request/client-credentials-presented.js';

/** The refusal of presented credentials, with a challenge if they came in the Authorization header (RFC 6749 s5.2). */
export function invalidClient(
  { mechanism }: Pick<ClientCredentialsPresented, 'mechanism'>,
  detail: string,
  cause?: unknown,
): InvalidClientError {
  return new InvalidClientError({ detail, cause, usedAuthorizationHeader: mechanism === 'basic' });
}

/** The client must have registered one of the methods that the presented credentials can belong to (RFC 7591 s2). */
export function assertRegisteredMethod(
  client: OAuthClient,
  credentials: Pick<ClientCredentialsPresented, 'mechanism'>,
  methods: readonly TokenEndpointAuthMethod[],
): void {
  if (!methods.includes(client.tokenEndpointAuthMethod)) {
    throw invalidClient(credentials, `client is registered for ${client.tokenEndpointAuthMethod}`);
  }
}
