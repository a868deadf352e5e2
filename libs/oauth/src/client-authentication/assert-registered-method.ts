import { InvalidClientError } from '../errors/protocol-errors.js';
import type { OAuthClient, TokenEndpointAuthMethod } from '../oauth-client.js';

/** The client must have registered one of the methods that the presented credentials can belong to (RFC 7591 s2). */
export function assertRegisteredMethod(client: OAuthClient, methods: readonly TokenEndpointAuthMethod[]): void {
  if (!methods.includes(client.tokenEndpointAuthMethod)) {
    throw new InvalidClientError({
      reason: 'client-method',
      detail: `client is registered for ${client.tokenEndpointAuthMethod}`,
    });
  }
}
