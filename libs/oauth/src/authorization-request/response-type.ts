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

/**
 * The response types that a client may request. FAPI 2.0 has only the code flow, and a client that changes to FAPI 2.0
 * need not register it.
 */
export function permittedResponseTypes(
  { responseTypes }: Pick<OAuthClient, 'responseTypes'>,
  isCodeDemanded: boolean,
): readonly ResponseType[] {
  return isCodeDemanded ? ['code'] : responseTypes;
}

/** The permitted response type that was requested. Throws UnsupportedResponseTypeError (RFC 6749 s4.1.2.1). */
export function parseResponseType(value: string, permitted: readonly ResponseType[]): ResponseType {
  const responseType = permitted.find((each) => each === normalizeResponseType(value));
  if (responseType === undefined) throw new UnsupportedResponseTypeError();
  return responseType;
}
