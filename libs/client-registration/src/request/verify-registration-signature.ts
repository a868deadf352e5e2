import { createFault } from '#libs/error-catalogue';
import { JwsError, type VerificationKey, verifyJwsSignature } from '#libs/jws';
import { RegistrationError } from '../registration.errors.js';
import type { ParsedRegistrationRequest } from './parse-registration-request.js';

/**
 * Verifies that the software signed the request; only then do its claims count.
 * @param keys signing keys of the software's own key set, as its verified software statement names it
 * @throws RegistrationError `Signature.Invalid`, also when there is no such key
 */
export async function verifyRegistrationSignature({
  request,
  keys,
}: {
  request: ParsedRegistrationRequest;
  keys: readonly VerificationKey[];
}): Promise<void> {
  try {
    await verifyJwsSignature({ jws: request.jws, algorithm: request.algorithm, keys });
  } catch (cause) {
    if (!(cause instanceof JwsError)) throw cause;
    const message = 'The JWS was not signed with a signing key that the directory lists for this software.';
    throw RegistrationError.because(createFault('Signature.Invalid', message), { cause });
  }
}
