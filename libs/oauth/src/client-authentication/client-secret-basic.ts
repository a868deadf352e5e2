import type { OAuthClient } from '../oauth-client.js';
import type { ClientCredentialsPresented } from '../token-request/client-credentials-presented.js';
import { isClientSecret } from './client-secret.js';
import { assertRegisteredMethod, invalidClient } from './invalid-client.js';

/**
 * client_secret_basic (RFC 6749 s2.3.1): client id and secret in the Authorization header. Basic and post are one family: a client registered
 * for either may use either, unless `isExactMethodRequired`. Throws InvalidClientError.
 */
export function verifyClientSecretBasic({
  client,
  credentials,
  pepper,
  isExactMethodRequired = false,
}: {
  client: OAuthClient;
  credentials: Extract<ClientCredentialsPresented, { mechanism: 'basic' }>;
  pepper: Buffer;
  isExactMethodRequired?: boolean;
}): void {
  // The secret is compared first, so that time does not tell which method a client registered.
  const isRight = isClientSecret({ secret: credentials.clientSecret, secretHash: client.secretHash, pepper });
  const family = ['client_secret_basic', 'client_secret_post'] as const;
  assertRegisteredMethod(client, credentials, isExactMethodRequired ? ['client_secret_basic'] : family);
  if (!isRight || credentials.clientId !== client.clientId) throw invalidClient(credentials, 'client secret is wrong');
}
