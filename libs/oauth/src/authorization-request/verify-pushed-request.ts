import { parseCompactJws, parseJsonPayload, type SigningKey } from '#libs/jws';
import { InvalidRequestError } from '../errors/protocol-errors.js';
import { REQUEST_OBJECT_MAX_LENGTH } from '../limits.js';
import type { ClientKeyFinder, OAuthClient } from '../oauth-client.js';
import { verifyAuthorizationRequest } from './verify-authorization-request.js';

/**
 * Verifies a pushed request object as the authorization endpoint will do again (RFC 9126 s2.1, s4). Besides, PKCE is required with a pushed
 * request (FAPI 1.0 Advanced s5.2.2 item 18). Returns when the request object expires. Throws OAuthError, which is answered as by the token
 * endpoint (RFC 9126 s2.3).
 */
export async function verifyPushedRequest({
  request,
  client,
  ...expected
}: {
  request: string;
  client: OAuthClient;
  issuer: string;
  findKeys: ClientKeyFinder;
  isIntentOptional: boolean;
  signingKeys: readonly SigningKey[];
  now: Date;
}): Promise<{ expiresAt: Date }> {
  const query = { clientId: client.clientId, request };
  const { codeChallenge } = await verifyAuthorizationRequest({ query, client, ...expected });
  if (codeChallenge === undefined) {
    throw new InvalidRequestError('code_challenge is required in a pushed request, with the method S256');
  }
  // Verified above: it is there, and a number.
  const { exp } = parseJsonPayload(parseCompactJws(request, { maxLength: REQUEST_OBJECT_MAX_LENGTH }));
  return { expiresAt: new Date(Number(exp) * 1_000) };
}
