import { errorPageUrl } from '#libs/error-catalogue';
import type { SigningKey } from '#libs/jws';
import type { OAuthError } from '../errors/oauth-error.js';
import type { AuthorizationResponseTarget } from './authorization-response-target.js';
import { signAuthorizationResponse } from './sign-authorization-response.js';

/** Who answers, where to, and the keys that sign a JWT if one is requested. */
interface ResponseContext {
  target: AuthorizationResponseTarget;
  issuer: string;
  keys: readonly SigningKey[];
  now: Date;
}

/**
 * The URL of a successful response: the code, with the ID token for `code id_token` (OIDC Core s3.3.2.5), the state of
 * the request object and `iss`; or a JWT of them (JARM s2.1). Returns the value of the Location header. Throws
 * ServerError if there is no key for the JWT.
 */
export function createAuthorizationResponse({
  code,
  idToken,
  ...context
}: ResponseContext & {
  code: string;
  idToken?: string;
}): Promise<string> {
  return deliver(context, { code, id_token: idToken, state: context.target.state });
}

/**
 * The URL of an error response (RFC 6749 s4.1.2.1, OIDC Core s3.3.2.6), in the same part of the redirect URI as a
 * success would be. `baseUrl` is where the pages of the error catalogue are. `target` is `error.redirect`, or the
 * verified authorization request when the error arises later. Returns the value of the Location header. Throws
 * ServerError if there is no key for the JWT (JARM s2.2).
 */
export function createErrorResponse({
  baseUrl,
  error,
  ...context
}: ResponseContext & {
  baseUrl: string;
  error: OAuthError;
}): Promise<string> {
  const parameters = {
    error: error.error,
    error_description: error.description,
    error_uri: errorPageUrl(baseUrl, error.error),
    state: context.target.state,
  };
  return deliver(context, parameters);
}

// As they are, with `iss` (RFC 9207 s2), or all in a JWT, which has an `iss` of its own (RFC 9207 s2.4, JARM s2.3).
async function deliver(
  { target, issuer, keys, now }: ResponseContext,
  parameters: Record<string, string | undefined>,
): Promise<string> {
  const { signed } = target;
  if (signed === undefined) return appendParameters(target, { ...parameters, iss: issuer });
  const response = await signAuthorizationResponse({ parameters, issuer, signed, keys, now });
  return appendParameters(target, { response });
}

// RFC 6749 s3.1.2: an existing query is kept. The URI is never parsed and written again: it must stay the registered
// one, byte by byte.
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
