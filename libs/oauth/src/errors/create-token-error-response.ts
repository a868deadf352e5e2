import { errorPageUrl, type OAuthErrorCode } from '#libs/error-catalogue';
import type { OAuthError } from './oauth-error.js';
import { BearerTokenError, InvalidClientError } from './protocol-errors.js';

/** The JSON error answer of the token endpoint and its siblings (RFC 6749 s5.2). */
export interface TokenErrorResponse {
  status: number;
  headers: Record<string, string>;
  body: { error: OAuthErrorCode; error_description: string; error_uri: string };
}

/** Seconds after which an unavailable key set is fetched again. */
const retryAfterSeconds = '5';

/**
 * Builds the error answer: 401 with a challenge (RFC 9110 s15.5.2), 503 with Retry-After, never cached.
 * @param baseUrl where the pages of the error catalogue are
 */
export function createTokenErrorResponse(error: OAuthError, baseUrl: string): TokenErrorResponse {
  const hasChallenge = error instanceof InvalidClientError || error instanceof BearerTokenError;
  const challenge = hasChallenge ? error.wwwAuthenticate : undefined;
  return {
    status: error.status,
    headers: {
      'cache-control': 'no-store',
      pragma: 'no-cache',
      ...(error.status === 503 && { 'retry-after': retryAfterSeconds }),
      ...(challenge !== undefined && { 'www-authenticate': challenge }),
    },
    body: {
      error: error.error,
      error_description: error.description,
      error_uri: errorPageUrl(baseUrl, error.error),
    },
  };
}
