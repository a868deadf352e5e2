import type { AsymmetricAlgorithm } from '#libs/jws';
import { accepted, missing, refused, type Checked } from '../checked.js';
import { applicationTypes, asymmetricAlgorithms } from '../supported-metadata.js';
import { isOneOf } from './claim-values.js';
import type { RegistrationContext } from './registration-context.js';

/** `id_token_signed_response_alg`: an algorithm for which the bank has a key (FAPI 1.0 Advanced s8.6). */
export function verifyIdTokenSignedResponseAlg(context: RegistrationContext): Checked<AsymmetricAlgorithm> {
  return verifyMember(context, 'id_token_signed_response_alg', context.idTokenAlgorithms);
}

/** `request_object_signing_alg`: never `none`, never RS256 (FAPI 1.0 Advanced s8.6). */
export function verifyRequestObjectSigningAlg(context: RegistrationContext): Checked<AsymmetricAlgorithm> {
  return verifyMember(context, 'request_object_signing_alg', asymmetricAlgorithms);
}

/**
 * `authorization_signed_response_alg` (JARM s3): optional; an algorithm for which the bank has a key. A client that
 * registers one gets its codes in a JWT.
 */
export function verifyAuthorizationSignedResponseAlg(
  context: RegistrationContext,
): Checked<AsymmetricAlgorithm | undefined> {
  const { claims, idTokenAlgorithms } = context;
  if (claims.get('authorization_signed_response_alg') === undefined) return accepted(undefined);
  return verifyMember(context, 'authorization_signed_response_alg', idTokenAlgorithms);
}

/** `application_type` of all versions of the standard. */
export function verifyApplicationType(context: RegistrationContext): Checked<string> {
  return verifyMember(context, 'application_type', applicationTypes);
}

function verifyMember<Member extends string>(
  { claims }: RegistrationContext,
  name: string,
  members: readonly Member[],
): Checked<Member> {
  const value = claims.get(name);
  const path = claims.nameOf(name);
  if (value === undefined) return missing(path);
  return isOneOf(members, value) ? accepted(value) : refused(path, `must be ${members.join(' or ')}`);
}
