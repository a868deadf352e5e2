import type { AuthorizationResponseTarget } from '../authorization-response/authorization-response-target.js';
import { OAuthError } from '../errors/oauth-error.js';
import { InvalidRequestError } from '../errors/protocol-errors.js';
import { REDIRECT_URI_MAX_LENGTH, STATE_MAX_LENGTH } from '../limits.js';
import type { OAuthClient } from '../oauth-client.js';
import { isPrintable } from '../syntax.js';
import type { AuthorizationQuery } from './parse-authorization-request.js';
import { peekAtRequestObject } from './parse-request-object.js';
import { errorDelivery, isJwtResponseMode } from './response-mode.js';

type TargetClient = Pick<OAuthClient, 'clientId' | 'redirectUris' | 'authorizationSignedResponseAlg'>;

/**
 * Where errors go while there is no verified request object: the query's redirect_uri, if it is a registered one, with
 * the query's state. Undefined: nowhere, the error is a page (RFC 6749 s4.1.2.1). If the query or the request object
 * asks for a JWT, the error is one, although no signature covers that wish: a client that wants a JWT accepts nothing
 * else (JARM s2.4).
 */
export function findQueryTarget(
  query: AuthorizationQuery,
  client: TargetClient,
): AuthorizationResponseTarget | undefined {
  const { redirectUri, state, pushed, request } = query;
  if (redirectUri === undefined || !isRegisteredRedirectUri(redirectUri, client)) return undefined;
  const unverified = peekAtRequestObject(pushed?.kind === 'object' ? pushed.request : request);
  const { response_mode: wanted, response_type: type } = unverified;
  const responseType = query.responseType ?? type;
  const responseMode = isJwtResponseMode(wanted) ? wanted : query.responseMode;
  return { redirectUri, state, ...errorDelivery({ responseMode, responseType }, client) };
}

/**
 * Where errors go once the signature of the request object is verified: its redirect_uri and no other. If that is
 * missing or not registered, the error is a page, whatever the query says: throws InvalidRequestError. The state is the
 * request object's, else the query's.
 */
export function getRequestObjectTarget(
  claims: Record<string, unknown>,
  query: AuthorizationQuery,
  client: TargetClient,
): AuthorizationResponseTarget {
  const { redirect_uri: redirectUri, response_type: type, state } = claims;
  const responseType = typeof type === 'string' ? type : query.responseType;
  if (!isPrintable(redirectUri, REDIRECT_URI_MAX_LENGTH)) {
    throw new InvalidRequestError('redirect_uri is missing in the request object', { reason: 'redirect-uri' });
  }
  if (!isRegisteredRedirectUri(redirectUri, client)) {
    throw new InvalidRequestError('redirect_uri is not registered', { reason: 'redirect-uri' });
  }
  return {
    redirectUri,
    state: isPrintable(state, STATE_MAX_LENGTH) ? state : query.state,
    ...errorDelivery({ responseMode: claims.response_mode, responseType }, client),
  };
}

/**
 * Runs a step; an OAuthError thrown by it becomes one that is redirected to the target, or stays a page without a
 * target.
 */
export async function redirectingErrorsTo<T>(
  findTarget: () => AuthorizationResponseTarget | undefined,
  step: () => T | Promise<T>,
): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (error instanceof OAuthError) error.redirect = findTarget();
    throw error;
  }
}

// Byte by byte, nothing is parsed or normalised (RFC 9700 s2.1): every cleverness here has been an open redirect
// somewhere.
function isRegisteredRedirectUri(redirectUri: string, client: Pick<OAuthClient, 'redirectUris'>): boolean {
  return client.redirectUris.includes(redirectUri);
}
