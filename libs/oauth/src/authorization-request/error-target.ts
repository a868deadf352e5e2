import type { AuthorizationResponseTarget } from '../authorization-response/authorization-response-target.js';
import { OAuthError } from '../errors/oauth-error.js';
import { InvalidRequestError } from '../errors/protocol-errors.js';
import { REDIRECT_URI_MAX_LENGTH, STATE_MAX_LENGTH } from '../limits.js';
import type { OAuthClient } from '../oauth-client.js';
import { isPrintable } from '../syntax.js';
import type { AuthorizationQuery } from './parse-authorization-request.js';
import { errorResponseMode } from './response-type.js';

/**
 * Where errors go while there is no verified request object: the query's redirect_uri, if it is a registered one, with the query's state.
 * Undefined: nowhere, the error is a page (RFC 6749 s4.1.2.1).
 */
export function findQueryTarget(
  query: AuthorizationQuery,
  client: Pick<OAuthClient, 'redirectUris' | 'responseTypes'>,
): AuthorizationResponseTarget | undefined {
  const { redirectUri, responseType, state } = query;
  if (redirectUri === undefined || !isRegisteredRedirectUri(redirectUri, client)) return undefined;
  return { redirectUri, responseMode: errorResponseMode(responseType, client), state };
}

/**
 * Where errors go once the signature of the request object is verified: its redirect_uri and no other. If that is missing or not registered,
 * the error is a page, whatever the query says: throws InvalidRequestError. The state is the request object's, else the query's.
 */
export function getRequestObjectTarget(
  claims: Record<string, unknown>,
  query: AuthorizationQuery,
  client: Pick<OAuthClient, 'redirectUris' | 'responseTypes'>,
): AuthorizationResponseTarget {
  const { redirect_uri: redirectUri, response_type: responseType = query.responseType, state } = claims;
  if (!isPrintable(redirectUri, REDIRECT_URI_MAX_LENGTH)) {
    throw new InvalidRequestError('redirect_uri is missing in the request object');
  }
  if (!isRegisteredRedirectUri(redirectUri, client)) throw new InvalidRequestError('redirect_uri is not registered');
  return {
    redirectUri,
    // The fragment may be asked for with every response type; the query never has to be, see parseResponseMode.
    responseMode: claims.response_mode === 'fragment' ? 'fragment' : errorResponseMode(responseType, client),
    state: isPrintable(state, STATE_MAX_LENGTH) ? state : query.state,
  };
}

/** Runs a step; an OAuthError thrown by it becomes one that is redirected to the target, or stays a page without a target. */
export async function redirectingErrorsTo<T>(
  target: AuthorizationResponseTarget | undefined,
  step: () => T | Promise<T>,
): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (error instanceof OAuthError) error.redirect = target;
    throw error;
  }
}

// Byte by byte, nothing is parsed or normalised (RFC 9700 s2.1): every cleverness here has been an open redirect somewhere.
function isRegisteredRedirectUri(redirectUri: string, client: Pick<OAuthClient, 'redirectUris'>): boolean {
  return client.redirectUris.includes(redirectUri);
}
