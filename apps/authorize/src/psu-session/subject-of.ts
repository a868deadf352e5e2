import type { AuthorizationSession } from '#libs/customer-session';
import type { Config } from '#libs/config';
import { pairwiseSubject } from '#libs/oauth';

/**
 * @returns the `sub` by which the TPP knows the PSU of a session. The sector is the organisation: only its own clients
 *   may recognise the PSU as the same person (OIDC Core s8.1)
 */
export function subjectOf(
  { request, psuId = '' }: Pick<AuthorizationSession, 'request' | 'psuId'>,
  { secrets }: Pick<Config, 'secrets'>,
): string {
  return pairwiseSubject({ salt: secrets.pairwiseSubjectKey.key, sector: request.orgId, psuId });
}
