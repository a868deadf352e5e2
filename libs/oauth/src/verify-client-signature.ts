import { keyIdOf, verifyJwsSignature } from '#libs/jws';
import type { AsymmetricAlgorithm, ParsedJws, VerificationKey } from '#libs/jws';
import { OAuthError } from './errors/oauth-error.js';
import { TemporarilyUnavailableError } from './errors/protocol-errors.js';
import type { ClientKeyFinder, OAuthClient } from './oauth-client.js';

/**
 * Verifies a signature with the client's published keys: the one that `kid` names or, without `kid`, up to ten with use
 * sig. Throws JwsError, which the caller turns into the error of its context, or TemporarilyUnavailableError if the
 * keys are unavailable.
 */
export async function verifyClientSignature(options: {
  jws: ParsedJws;
  client: OAuthClient;
  algorithm: AsymmetricAlgorithm;
  findKeys: ClientKeyFinder;
}): Promise<void> {
  const { jws, client, algorithm, findKeys } = options;
  const kid = keyIdOf(jws);
  // A signature with another algorithm is refused anyway: fetch no keys for it.
  const keys = jws.header.alg === algorithm ? await loadKeys(findKeys, client, { algorithm, kid }) : [];
  await verifyJwsSignature({ jws, algorithm, keys });
}

async function loadKeys(
  findKeys: ClientKeyFinder,
  client: OAuthClient,
  query: { algorithm: AsymmetricAlgorithm; kid?: string },
): Promise<readonly VerificationKey[]> {
  try {
    return await findKeys(client, query);
  } catch (cause) {
    if (cause instanceof OAuthError) throw cause;
    throw new TemporarilyUnavailableError({ detail: 'client key set is not available', cause });
  }
}
