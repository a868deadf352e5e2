import { errorPageUrl } from '#libs/error-catalogue';
import type { OAuthError } from '../errors/oauth-error.js';
import type { AuthorizationResponseTarget } from './authorization-response-target.js';

/**
 * The URL of a successful response: the code, with the ID token for `code id_token` (OIDC Core s3.3.2.5), the state of the request object
 * and `iss` (RFC 9207 s2). Returns the value of the Location header.
 */
export function createAuthorizationResponse({
  target,
  issuer,
  code,
  idToken,
}: {
  target: AuthorizationResponseTarget;
  issuer: string;
  code: string;
  idToken?: string;
}): string {
  return appendParameters(target, { code, id_token: idToken, state: target.state, iss: issuer });
}

/**
 * The URL of an error response (RFC 6749 s4.1.2.1, OIDC Core s3.3.2.6), in the same part of the redirect URI as a success would be.
 * `baseUrl` is where the pages of the error catalogue are.
 * `target` is `error.redirect`, or the verified authorization request when the error arises later. Returns the value of the Location header.
 */
export function createErrorResponse({
  target,
  issuer,
  baseUrl,
  error,
}: {
  target: AuthorizationResponseTarget;
  issuer: string;
  baseUrl: string;
  error: OAuthError;
}): string {
  const parameters = {
    error: error.error,
    error_description: error.description,
    error_uri: errorPageUrl(baseUrl, error.error),
    state: target.state,
    iss: issuer,
  };
  return appendParameters(target, parameters);
}

// RFC 6749 s3.1.2: an existing query is kept. The URI is never parsed and written again: it must stay the registered one, byte by byte.
function appendParameters(
  { redirectUri, responseMode }: AuthorizationResponseTarget,
  parameters: Record<string, string | undefined>,
): string {
  const text = Object.entries(parameters)
    .filter((entry): entry is [string, string] => entry[1] !== undefined)
    // %20 and not +, because not every client decodes a fragment by the rules of forms.
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
  return `${redirectUri}${responseMode === 'fragment' ? '#' : querySeparator(redirectUri)}${text}`;
}

function querySeparator(redirectUri: string): string {
  if (!redirectUri.includes('?')) return '?';
  return /[?&]$/.test(redirectUri) ? '' : '&';
}
