import { InvalidRequestError, UnsupportedGrantTypeError } from '../errors/protocol-errors.js';
import { parseFormParameters, repeatedParameterError } from '../form-parameters.js';
import {
  CLIENT_ASSERTION_MAX_LENGTH,
  CLIENT_ID_MAX_LENGTH,
  CLIENT_SECRET_MAX_LENGTH,
  CODE_MAX_LENGTH,
  CODE_VERIFIER_MAX_LENGTH,
  REDIRECT_URI_MAX_LENGTH,
  TOKEN_REQUEST_MAX_LENGTH,
} from '../limits.js';
import { parseScope } from '../scope.js';
import { isPrintable } from '../syntax.js';
import type { ClientCredentialsPresented } from './client-credentials-presented.js';
import { parseClientCredentials } from './parse-client-credentials.js';

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

export type TokenRequest = AuthorizationCodeTokenRequest | ClientCredentialsTokenRequest;

/** Every parameter that is read, with its longest value. Others are ignored, but may not be repeated either (RFC 6749 s3.2). */
const MAX_LENGTHS = {
  grant_type: 128,
  code: CODE_MAX_LENGTH,
  redirect_uri: REDIRECT_URI_MAX_LENGTH,
  code_verifier: CODE_VERIFIER_MAX_LENGTH,
  client_id: CLIENT_ID_MAX_LENGTH,
  client_secret: CLIENT_SECRET_MAX_LENGTH,
  client_assertion: CLIENT_ASSERTION_MAX_LENGTH,
  client_assertion_type: 256,
} as const;

type ParameterName = keyof typeof MAX_LENGTHS;

/**
 * Reads a token request (RFC 6749 s3.2, s4.1.3, s4.4.2) with whatever client credentials it carries. `body` is the form as text,
 * `authorization` the header or headers. Credentials in the query are never looked at. Throws InvalidRequestError, InvalidClientError,
 * UnsupportedGrantTypeError or InvalidScopeError.
 */
export function parseTokenRequest({
  body,
  authorization,
}: {
  body: string;
  authorization?: string | readonly string[];
}): TokenRequest {
  const { values, repeated } = parseFormParameters(body, { maxLength: TOKEN_REQUEST_MAX_LENGTH });
  if (repeated.size > 0) throw repeatedParameterError(repeated);

  const credentials = parseClientCredentials(
    {
      clientId: readParameter(values, 'client_id'),
      clientSecret: readParameter(values, 'client_secret'),
      clientAssertion: readParameter(values, 'client_assertion'),
      clientAssertionType: readParameter(values, 'client_assertion_type'),
    },
    authorization,
  );
  switch (requireParameter(values, 'grant_type')) {
    case 'authorization_code':
      return { grantType: 'authorization_code', credentials, ...parseAuthorizationCodeParameters(values) };
    case 'client_credentials':
      return { grantType: 'client_credentials', credentials, scope: parseOptionalScope(values.get('scope')) };
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

function requireParameter(values: ReadonlyMap<string, string>, name: ParameterName): string {
  const value = readParameter(values, name);
  if (value === undefined) throw new InvalidRequestError(`${name} is missing`);
  return value;
}

function readParameter(values: ReadonlyMap<string, string>, name: ParameterName): string | undefined {
  const value = values.get(name);
  if (value !== undefined && !isPrintable(value, MAX_LENGTHS[name])) {
    throw new InvalidRequestError(`${name} is too long or malformed`);
  }
  return value;
}
