import { parseCompactJws, parseJsonPayload } from '#libs/jws';
import { InvalidRequestError } from '../errors/protocol-errors.js';
import { REQUEST_OBJECT_MAX_LENGTH } from '../limits.js';
import type { OAuthClient } from '../oauth-client.js';
import { isDemanded } from '../security-profile/profile-table.js';
import type { PushedRequest } from './pushed-request.js';
import { type RequestExpectations, verifyAuthorizationRequest } from './verify-authorization-request.js';

/** FAPI 2.0 Security Profile s5.3.2.2: less than 600. */
const MAX_REFERENCE_SECONDS = 599;

/**
 * Verifies a pushed request as the authorization endpoint will do again (RFC 9126 s2.1, s4). A pushed request also
 * requires PKCE (FAPI 1.0 Advanced s5.2.2 item 18). `referenceSeconds` is the lifetime of references. Returns the
 * lifetime of this one, which never exceeds that of the request object. Throws OAuthError, which is answered as by the
 * token endpoint (RFC 9126 s2.3).
 */
export async function verifyPushedRequest({
  pushed,
  client,
  referenceSeconds,
  ...expected
}: RequestExpectations & {
  pushed: PushedRequest;
  client: OAuthClient;
  referenceSeconds: number;
}): Promise<{ expiresInSeconds: number }> {
  const query = { clientId: client.clientId, pushed };
  const { codeChallenge } = await verifyAuthorizationRequest({ query, client, ...expected });
  if (codeChallenge === undefined && isDemanded('pkce-when-pushed', client, expected.profile)) {
    throw new InvalidRequestError('a pushed request needs code_challenge with the method S256', {
      reason: 'pkce',
    });
  }
  const isShort = isDemanded('request-uri-below-600-seconds', client, expected.profile);
  const most = Math.min(referenceSeconds, isShort ? MAX_REFERENCE_SECONDS : referenceSeconds);
  return { expiresInSeconds: Math.max(1, Math.min(most, secondsLeft(pushed, expected.now))) };
}

// The request object is verified, so `exp` is a number; it may lie in the past by the tolerated clock difference.
function secondsLeft(pushed: PushedRequest, now: Date): number {
  if (pushed.kind === 'parameters') return Number.POSITIVE_INFINITY;
  const { exp } = parseJsonPayload(parseCompactJws(pushed.request, { maxLength: REQUEST_OBJECT_MAX_LENGTH }));
  return Math.floor(Number(exp) - now.getTime() / 1_000);
}
