import { UnsupportedGrantTypeError } from '../errors/protocol-errors.js';
import { parseScope } from '../scope.js';
import type { ClientCredentialsPresented } from './client-credentials-presented.js';
import { type ClientForm, readClientCredentials, readForm, readParameter, requireParameter } from './read-form.js';

/** RFC 6749 s4.1.3. A `scope` sent with it is ignored: the code decides. */
export interface AuthorizationCodeTokenRequest {
  grantType: 'authorization_code';
  credentials: ClientCredentialsPresented;
  code: string;
  redirectUri: string;
  codeVerifier?: string;
}

/** RFC 6749 s4.4.2. `scope` absent or empty is legal; then it is undefined. */
export interface ClientCredentialsTokenRequest {
  grantType: 'client_credentials';
  credentials: ClientCredentialsPresented;
  scope?: string[];
}

/** RFC 6749 s6. `scope` absent or empty means what was granted. */
export interface RefreshTokenRequest {
  grantType: 'refresh_token';
  credentials: ClientCredentialsPresented;
  refreshToken: string;
  scope?: string[];
}

export type TokenRequest = AuthorizationCodeTokenRequest | ClientCredentialsTokenRequest | RefreshTokenRequest;

/**
 * Reads a token request (RFC 6749 s3.2, s4.1.3, s4.4.2, s6) with whatever client credentials it carries. `body` is the
 * form as text, `authorization` the header or headers. Credentials in the query are never looked at. Throws
 * InvalidRequestError, InvalidClientError, UnsupportedGrantTypeError or InvalidScopeError.
 */
export function parseTokenRequest({ body, authorization }: ClientForm): TokenRequest {
  const values = readForm(body);
  const credentials = readClientCredentials(values, authorization);
  switch (requireParameter(values, 'grant_type')) {
    case 'authorization_code':
      return { grantType: 'authorization_code', credentials, ...parseAuthorizationCodeParameters(values) };
    case 'client_credentials':
      return { grantType: 'client_credentials', credentials, scope: parseOptionalScope(values.get('scope')) };
    case 'refresh_token':
      return {
        grantType: 'refresh_token',
        credentials,
        refreshToken: requireParameter(values, 'refresh_token'),
        scope: parseOptionalScope(values.get('scope')),
      };
    default:
      throw new UnsupportedGrantTypeError();
  }
}

function parseAuthorizationCodeParameters(values: ReadonlyMap<string, string>) {
  return {
    code: requireParameter(values, 'code'),
    // RFC 6749 s4.1.3: required, because every request object here carries one.
    redirectUri: requireParameter(values, 'redirect_uri'),
    codeVerifier: readParameter(values, 'code_verifier'),
  };
}

// `scope=` and a scope of blanks are the same as no scope.
function parseOptionalScope(text: string | undefined): string[] | undefined {
  const scope = text === undefined ? [] : parseScope(text);
  return scope.length === 0 ? undefined : scope;
}
