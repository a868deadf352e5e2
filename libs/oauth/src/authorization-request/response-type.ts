import { UnsupportedResponseTypeError } from '../errors/protocol-errors.js';
import type { OAuthClient, ResponseType } from '../oauth-client.js';

/**
 * The words of a response_type in one order, since their order has no meaning (OAuth 2.0 Multiple Response Types s3).
 */
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
