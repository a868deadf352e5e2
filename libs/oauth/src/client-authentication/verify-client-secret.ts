import { InvalidClientError } from '../errors/protocol-errors.js';
import type { NamedKey } from '../named-key.js';
import type { OAuthClient } from '../oauth-client.js';
import type { ClientCredentialsPresented } from '../token-request/client-credentials-presented.js';
import { isClientSecret } from './client-secret.js';
import { assertRegisteredMethod } from './assert-registered-method.js';

/**
 * client_secret_basic and client_secret_post (RFC 6749 s2.3.1): client id and secret in the Authorization header or in
 * the form. The two are one family: a client registered for either may use either. Throws InvalidClientError.
 */
export function verifyClientSecret(options: {
  client: OAuthClient;
  credentials: Extract<ClientCredentialsPresented, { mechanism: 'basic' | 'post' }>;
  peppers: readonly NamedKey[];
}): void {
  const { client, credentials, peppers } = options;
  // The secret is compared first, so that time does not tell which method a client registered.
  const isRight = isClientSecret({ secret: credentials.clientSecret, secretHash: client.secretHash, peppers });
  assertRegisteredMethod(client, ['client_secret_basic', 'client_secret_post']);
  if (!isRight || credentials.clientId !== client.clientId)
    throw new InvalidClientError({ reason: 'client-secret', detail: 'client secret is wrong' });
}
