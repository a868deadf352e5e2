import { InvalidClientError } from '../errors/protocol-errors.js';
import type { ClientKeyFinder, OAuthClient } from '../oauth-client.js';
import { verifyClientSignature } from '../verify-client-signature.js';
import type { ProfileSettings } from '../security-profile/profile-table.js';
import { refuseAssertion, verifyAssertionClaims } from './client-assertion.js';
import type { AssertionAudience, AssertionCredentials, AssertionRedemption } from './client-assertion.js';
import { assertRegisteredMethod } from './assert-registered-method.js';

/**
 * private_key_jwt (OIDC Core s9, RFC 7523 s2.2): an assertion signed with a key of the client's software JWKS, by the
 * algorithm the client registered. The returned jti has to be redeemed once, after this: a forged assertion must not
 * burn a victim's jti. Throws InvalidClientError, or TemporarilyUnavailableError if the keys are unavailable.
 */
export async function verifyPrivateKeyJwt({
  client,
  credentials,
  audience,
  profile,
  findKeys,
  now,
}: {
  client: OAuthClient;
  credentials: AssertionCredentials;
  audience: AssertionAudience;
  profile: ProfileSettings;
  findKeys: ClientKeyFinder;
  now: Date;
}): Promise<AssertionRedemption> {
  assertRegisteredMethod(client, ['private_key_jwt']);
  const algorithm = client.tokenEndpointAuthSigningAlg ?? 'PS256';
  if (algorithm === 'HS256')
    throw new InvalidClientError({ reason: 'client-incomplete', detail: 'HS256 is registered for private_key_jwt' });
  await verifyClientSignature({ jws: credentials.assertion, client, algorithm, findKeys }).catch(refuseAssertion);
  return verifyAssertionClaims({ client, credentials, audience, profile, now });
}
