import { errorPageUrl, type OAuthErrorCode } from '#libs/error-catalogue';
import type { OAuthError } from './oauth-error.js';
import { BearerTokenError, InvalidClientError } from './protocol-errors.js';

/** The JSON error answer of the token endpoint and its siblings (RFC 6749 s5.2). */
export interface TokenErrorResponse {
  status: number;
  headers: Record<string, string>;
  body: { error: OAuthErrorCode; error_description: string; error_uri: string };
}

/**
 * Builds the error answer: 401 with a challenge if Basic or an access token was tried, never cached.
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
      ...(challenge !== undefined && { 'www-authenticate': challenge }),
    },
    body: {
      error: error.error,
      error_description: error.description,
      error_uri: errorPageUrl(baseUrl, error.error),
    },
  };
}
