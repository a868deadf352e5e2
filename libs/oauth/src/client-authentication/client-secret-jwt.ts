import { hmacSecretKey, verifyJwsSignature } from '#libs/jws';
import { OAuthError } from '../errors/oauth-error.js';
import { InvalidClientError, ServerError } from '../errors/protocol-errors.js';
import type { OAuthClient } from '../oauth-client.js';
import { refuseAssertion, verifyAssertionClaims } from './client-assertion.js';
import type { AssertionCheck, AssertionRedemption } from './client-assertion.js';

/** Decrypts `client.secretEncrypted`. What it throws becomes ServerError: the keys are ours. */
export type ClientSecretDecryption = (client: OAuthClient) => string | Promise<string>;

/**
 * client_secret_jwt (OIDC Core s9), for a client that registered it: an assertion with an HMAC keyed with the secret's
 * UTF-8 bytes, always HS256. The returned jti has to be redeemed once. Throws InvalidClientError.
 */
export async function verifyClientSecretJwt({
  decryptSecret,
  ...check
}: AssertionCheck & { decryptSecret: ClientSecretDecryption }): Promise<AssertionRedemption> {
  const { client, credentials } = check;
  if (client.secretEncrypted === undefined)
    throw new InvalidClientError({ reason: 'client-incomplete', detail: 'client has no HMAC secret' });
  const secret = await getSecret(client, decryptSecret);
  try {
    await verifyJwsSignature({ jws: credentials.assertion, algorithm: 'HS256', keys: [hmacSecretKey(secret)] });
  } catch (cause) {
    refuseAssertion(cause); // a secret that is too short as well
  }
  return verifyAssertionClaims(check);
}

async function getSecret(client: OAuthClient, decryptSecret: ClientSecretDecryption): Promise<string> {
  try {
    return await decryptSecret(client);
  } catch (cause) {
    if (cause instanceof OAuthError) throw cause;
    throw new ServerError({ detail: 'client secret could not be decrypted', cause });
  }
}
