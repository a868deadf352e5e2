import type { OAuthError } from '../errors/oauth-error.js';
import {
  InvalidRequestError,
  InvalidRequestObjectError,
  RequestUriNotSupportedError,
} from '../errors/protocol-errors.js';
import { parseFormParameters, repeatedParameterError } from '../form-parameters.js';
import type { FormParameters } from '../form-parameters.js';
import {
  AUTHORIZATION_QUERY_MAX_LENGTH,
  CLIENT_ID_MAX_LENGTH,
  REDIRECT_URI_MAX_LENGTH,
  REQUEST_OBJECT_MAX_LENGTH,
  RESPONSE_TYPE_MAX_LENGTH,
  STATE_MAX_LENGTH,
} from '../limits.js';
import { isPushedRequestUri } from '../pushed-request-uri.js';
import { isPrintable } from '../syntax.js';
import type { PushedRequest } from './pushed-request.js';

/**
 * The query of an authorization request. Only `clientId` and `request` have an effect; the others decide where an error
 * goes, and `responseType` must agree with the request object (OIDC Core s6.1).
 */
export interface AuthorizationQuery {
  clientId: string;
  redirectUri?: string;
  responseType?: string;
  responseMode?: string;
  state?: string;
  request?: string;
  /**
   * Instead of `request`: the reference of a pushed authorization request (RFC 9126 s4); its client is not known yet.
   */
  requestUri?: string;
  /** What the client has pushed, over a connection on which it authenticated. */
  pushed?: PushedRequest;
  /**
   * A fault of the query that is not in client_id or redirect_uri; to be thrown once the target of the redirect is
   * known.
   */
  fault?: OAuthError;
}

/**
 * Reads the query of an authorization request (RFC 6749 s3.1, RFC 9101 s5), given as raw text without `?`. Throws
 * InvalidRequestError, which is to be shown as a page, when the query is unreadable or client_id or redirect_uri are
 * repeated or malformed; other faults are returned.
 */
export function parseAuthorizationRequest(query: string): AuthorizationQuery {
  const parameters = parseFormParameters(query, { maxLength: AUTHORIZATION_QUERY_MAX_LENGTH });
  const { values, repeated } = parameters;
  for (const name of ['client_id', 'redirect_uri']) {
    if (repeated.has(name)) throw new InvalidRequestError(`${name} occurs more than once`, { member: name });
  }
  const clientId = values.get('client_id');
  if (!isPrintable(clientId, CLIENT_ID_MAX_LENGTH))
    throw new InvalidRequestError('client_id is missing or malformed', { member: 'client_id' });
  const redirectUri = values.get('redirect_uri');
  if (redirectUri !== undefined && !isPrintable(redirectUri, REDIRECT_URI_MAX_LENGTH)) {
    throw new InvalidRequestError('redirect_uri is malformed', { reason: 'redirect-uri' });
  }
  const fault = findFault(parameters);
  return {
    clientId,
    redirectUri,
    responseType: usable(values.get('response_type'), RESPONSE_TYPE_MAX_LENGTH),
    responseMode: usable(values.get('response_mode'), RESPONSE_TYPE_MAX_LENGTH),
    state: usable(values.get('state'), STATE_MAX_LENGTH),
    ...(fault === undefined ? { request: values.get('request'), requestUri: values.get('request_uri') } : { fault }),
  };
}

function findFault({ values, repeated }: FormParameters): OAuthError | undefined {
  if (repeated.size > 0) return repeatedParameterError(repeated);
  const state = values.get('state');
  if (state !== usable(state, STATE_MAX_LENGTH))
    return new InvalidRequestError('state is too long or malformed', { member: 'state' });
  const responseType = values.get('response_type');
  if (responseType !== usable(responseType, RESPONSE_TYPE_MAX_LENGTH)) {
    return new InvalidRequestError('response_type is malformed', { member: 'response_type' });
  }
  return findRequestFault(values.get('request'), values.get('request_uri'));
}

function findRequestFault(request: string | undefined, requestUri: string | undefined): OAuthError | undefined {
  // RFC 9101 s5: not both.
  if (requestUri !== undefined && request !== undefined)
    return new InvalidRequestError('request and request_uri must not both be present');
  // Nothing is ever fetched from an address in a request (CVE-2020-10770).
  if (requestUri !== undefined) return isPushedRequestUri(requestUri) ? undefined : new RequestUriNotSupportedError();
  return request !== undefined && request.length > REQUEST_OBJECT_MAX_LENGTH
    ? new InvalidRequestObjectError('request object is too long')
    : undefined;
}

function usable(value: string | undefined, maxLength: number): string | undefined {
  return isPrintable(value, maxLength) ? value : undefined;
}
