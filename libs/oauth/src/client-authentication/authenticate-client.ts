import { InvalidClientError } from '../errors/protocol-errors.js';
import type { NamedKey } from '../named-key.js';
import type { ClientKeyFinder, OAuthClient } from '../oauth-client.js';
import { isDemanded, type ProfileSettings } from '../security-profile/profile-table.js';
import type { ClientCredentialsPresented } from '../token-request/client-credentials-presented.js';
import { assertRegisteredMethod } from './assert-registered-method.js';
import type { AssertionAudience, AssertionRedemption } from './client-assertion.js';
import { verifyClientSecretJwt } from './client-secret-jwt.js';
import type { ClientSecretDecryption } from './client-secret-jwt.js';
import { isClientSecret } from './client-secret.js';
import { verifyPrivateKeyJwt } from './private-key-jwt.js';
import { verifyClientSecret } from './verify-client-secret.js';
import { verifyTlsClientAuth } from './tls-client-auth.js';

/** An authenticated client. With `assertion`, the authentication holds only once its jti has been redeemed. */
export interface ClientAuthentication {
  client: OAuthClient;
  assertion?: AssertionRedemption;
}

/**
 * Verifies the presented credentials by the method the client registered (RFC 6749 s2.3, RFC 7523, RFC 8705 s2.1).
 * `client` is the record found by `credentials.clientId`; undefined (unknown or deleted) is refused like a wrong secret
 * and after the same work. `isCertificateSubject` belongs to the verified certificate of the connection, see
 * verifyTlsClientAuth. Throws InvalidClientError; TemporarilyUnavailableError or ServerError if a dependency fails.
 */
export async function authenticateClient(options: {
  client: OAuthClient | undefined;
  credentials: ClientCredentialsPresented;
  audience: AssertionAudience;
  profile: ProfileSettings;
  peppers: readonly NamedKey[];
  decryptSecret: ClientSecretDecryption;
  findKeys: ClientKeyFinder;
  isCertificateSubject?: (registeredName: string) => boolean;
  now: Date;
}): Promise<ClientAuthentication> {
  const { client, credentials, audience, profile, peppers, decryptSecret, findKeys, isCertificateSubject, now } =
    options;
  if (client === undefined) throw refuseUnknownClient(credentials, peppers);
  if (isDemanded('asymmetric-authentication', client, profile)) {
    assertRegisteredMethod(client, ['private_key_jwt', 'tls_client_auth']);
  }
  switch (credentials.mechanism) {
    case 'basic':
    case 'post':
      verifyClientSecret({ client, credentials, peppers });
      return { client };
    case 'none':
      verifyTlsClientAuth({ client, credentials, isCertificateSubject });
      return { client };
    case 'assertion':
      // The registered method chooses the code path, never the header: a public key cannot become an HMAC key.
      return client.tokenEndpointAuthMethod === 'client_secret_jwt'
        ? {
            client,
            assertion: await verifyClientSecretJwt({ client, credentials, audience, profile, decryptSecret, now }),
          }
        : { client, assertion: await verifyPrivateKeyJwt({ client, credentials, audience, profile, findKeys, now }) };
  }
}

function refuseUnknownClient(
  credentials: ClientCredentialsPresented,
  peppers: readonly NamedKey[],
): InvalidClientError {
  if ('clientSecret' in credentials) {
    isClientSecret({ secret: credentials.clientSecret, secretHash: undefined, peppers });
  }
  return new InvalidClientError({ reason: 'client-unknown', detail: 'the client is unknown' });
}
