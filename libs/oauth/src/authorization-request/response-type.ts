import type { ResponseMode } from '../authorization-response/authorization-response-target.js';
import { InvalidRequestError, UnsupportedResponseTypeError } from '../errors/protocol-errors.js';
import type { OAuthClient, ResponseType } from '../oauth-client.js';

/** The words of a response_type in one order, since their order has no meaning (OAuth 2.0 Multiple Response Types s3). */
export function normalizeResponseType(responseType: string): string {
  return responseType
    .split(' ')
    .filter((word) => word !== '')
    .sort()
    .join(' ');
}

/** The registered response type that was asked for. Throws UnsupportedResponseTypeError (RFC 6749 s4.1.2.1). */
export function parseResponseType(value: string, client: Pick<OAuthClient, 'responseTypes'>): ResponseType {
  const responseType = client.responseTypes.find((registered) => registered === normalizeResponseType(value));
  if (responseType === undefined) throw new UnsupportedResponseTypeError();
  return responseType;
}

/**
 * Where the response goes: by default the query for `code` and the fragment for `code id_token`, which may never use the query
 * (OAuth 2.0 Multiple Response Types s2.1, s5). Throws InvalidRequestError for anything else.
 */
export function parseResponseMode(value: unknown, responseType: ResponseType): ResponseMode {
  if (value === undefined) return responseType === 'code' ? 'query' : 'fragment';
  if (value === 'fragment' || (value === 'query' && responseType === 'code')) return value;
  throw new InvalidRequestError('response_mode is not supported for this response_type');
}

/**
 * Where an error goes while the request is not verified: the fragment as soon as an id_token or token is asked for, the query for `code`;
 * for anything else it is decided by what the client registered.
 */
export function errorResponseMode(responseType: unknown, client: Pick<OAuthClient, 'responseTypes'>): ResponseMode {
  const words = typeof responseType === 'string' ? normalizeResponseType(responseType).split(' ') : [];
  if (words.includes('id_token') || words.includes('token')) return 'fragment';
  if (words.join(' ') === 'code') return 'query';
  return client.responseTypes.includes('code id_token') ? 'fragment' : 'query';
}
