import { InvalidClientError } from '../errors/protocol-errors.js';
import type { ClientKeyFinder } from '../oauth-client.js';
import { verifyClientSignature } from '../verify-client-signature.js';
import { refuseAssertion, verifyAssertionClaims } from './client-assertion.js';
import type { AssertionCheck, AssertionRedemption } from './client-assertion.js';
import { assertRegisteredMethod } from './assert-registered-method.js';

/**
 * private_key_jwt (OIDC Core s9, RFC 7523 s2.2): an assertion signed with a key of the client's software JWKS, by the
 * algorithm the client registered. The returned jti has to be redeemed once, after this: a forged assertion must not
 * burn a victim's jti. Throws InvalidClientError, or TemporarilyUnavailableError if the keys are unavailable.
 */
export async function verifyPrivateKeyJwt({
  findKeys,
  ...check
}: AssertionCheck & { findKeys: ClientKeyFinder }): Promise<AssertionRedemption> {
  const { client, credentials } = check;
  assertRegisteredMethod(client, ['private_key_jwt']);
  const algorithm = client.tokenEndpointAuthSigningAlg ?? 'PS256';
  if (algorithm === 'HS256')
    throw new InvalidClientError({ reason: 'client-incomplete', detail: 'HS256 is registered for private_key_jwt' });
  await verifyClientSignature({ jws: credentials.assertion, client, algorithm, findKeys }).catch(refuseAssertion);
  return verifyAssertionClaims(check);
}
