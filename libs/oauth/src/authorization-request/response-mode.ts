import type {
  AuthorizationResponseTarget,
  ResponseMode,
} from '../authorization-response/authorization-response-target.js';
import { InvalidRequestError } from '../errors/protocol-errors.js';
import type { OAuthClient, ResponseType } from '../oauth-client.js';

/**
 * Modes that a client may request (OAuth 2.0 Multiple Response Types s2.1, JARM s2.3). Without `.jwt` the parameters
 * are sent as they are.
 */
export const RESPONSE_MODES_SUPPORTED = ['fragment', 'query', 'jwt', 'query.jwt', 'fragment.jwt'] as const;

type ModeOfClient = Pick<OAuthClient, 'clientId' | 'authorizationSignedResponseAlg'>;

/** How a response is sent: which part of the redirect URI carries it, and whether as a JWT. */
export type ResponseDelivery = Pick<AuthorizationResponseTarget, 'responseMode' | 'signed'>;

/**
 * How the response is sent: by default in the query for `code` and in the fragment for `code id_token`, which may never
 * use the query (OAuth 2.0 Multiple Response Types s5, JARM s2.3.1). Throws InvalidRequestError.
 */
export function parseResponseMode(value: unknown, responseType: ResponseType, client: ModeOfClient): ResponseDelivery {
  const byDefault = responseType === 'code' ? 'query' : 'fragment';
  if (value === undefined) return { responseMode: byDefault };
  if (!RESPONSE_MODES_SUPPORTED.some((mode) => mode === value)) {
    throw new InvalidRequestError(`response_mode must be one of ${RESPONSE_MODES_SUPPORTED.join(', ')}`, {
      reason: 'response-mode',
    });
  }
  const responseMode = placeOf(value) ?? byDefault;
  if (responseMode === 'query' && responseType !== 'code') {
    throw new InvalidRequestError('response_mode query is not allowed with response_type code id_token', {
      reason: 'response-mode',
    });
  }
  return { responseMode, ...signedFor(value, client) };
}

/**
 * How an error is sent while the parameters are not verified: in the fragment as soon as an id_token or token is asked
 * for, otherwise in the query, also without a response type (RFC 6749 s4.1.2.1). As a JWT if one was requested in
 * either place.
 */
export function errorDelivery(
  { responseMode, responseType }: { responseMode: unknown; responseType: unknown },
  client: ModeOfClient,
): ResponseDelivery {
  // A client may request the fragment with every response type, and never has to request the query.
  const isFragment = placeOf(responseMode) === 'fragment' || isFragmentByDefault(responseType);
  return { responseMode: isFragment ? 'fragment' : 'query', ...signedFor(responseMode, client) };
}

/** Whether a JWT is requested (JARM s2.3). */
export function isJwtResponseMode(value: unknown): boolean {
  return value === 'jwt' || value === 'query.jwt' || value === 'fragment.jwt';
}

function placeOf(value: unknown): ResponseMode | undefined {
  if (value === 'query' || value === 'query.jwt') return 'query';
  return value === 'fragment' || value === 'fragment.jwt' ? 'fragment' : undefined;
}

function isFragmentByDefault(responseType: unknown): boolean {
  const words = typeof responseType === 'string' ? responseType.split(' ') : [];
  return words.includes('id_token') || words.includes('token');
}

function signedFor(value: unknown, client: ModeOfClient): Pick<AuthorizationResponseTarget, 'signed'> {
  if (!isJwtResponseMode(value)) return {};
  return { signed: { clientId: client.clientId, algorithm: client.authorizationSignedResponseAlg ?? 'PS256' } };
}
