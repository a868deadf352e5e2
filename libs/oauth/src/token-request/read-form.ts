import { InvalidRequestError } from '../errors/protocol-errors.js';
import { parseFormParameters, repeatedParameterError } from '../form-parameters.js';
import {
  CLIENT_ASSERTION_MAX_LENGTH,
  CLIENT_ID_MAX_LENGTH,
  CLIENT_SECRET_MAX_LENGTH,
  CODE_MAX_LENGTH,
  CODE_VERIFIER_MAX_LENGTH,
  REDIRECT_URI_MAX_LENGTH,
  TOKEN_MAX_LENGTH,
  TOKEN_REQUEST_MAX_LENGTH,
} from '../limits.js';
import { isPrintable } from '../syntax.js';
import type { ClientCredentialsPresented } from './client-credentials-presented.js';
import { parseClientCredentials } from './parse-client-credentials.js';

/**
 * Every parameter that is read, with its longest value. Others are ignored, but may not be repeated either (RFC 6749
 * s3.2).
 */
const MAX_LENGTHS = {
  grant_type: 128,
  code: CODE_MAX_LENGTH,
  redirect_uri: REDIRECT_URI_MAX_LENGTH,
  code_verifier: CODE_VERIFIER_MAX_LENGTH,
  refresh_token: TOKEN_MAX_LENGTH,
  client_id: CLIENT_ID_MAX_LENGTH,
  client_secret: CLIENT_SECRET_MAX_LENGTH,
  client_assertion: CLIENT_ASSERTION_MAX_LENGTH,
  client_assertion_type: 256,
} as const;

type ParameterName = keyof typeof MAX_LENGTHS;

/**
 * The parameters of a back-channel request (RFC 6749 s3.2, RFC 7009 s2.1, RFC 7662 s2.1, RFC 9126 s2.1). Throws
 * InvalidRequestError if one is repeated, or for more than `maxLength` characters.
 */
export function readForm(body: string, maxLength = TOKEN_REQUEST_MAX_LENGTH): ReadonlyMap<string, string> {
  const { values, repeated } = parseFormParameters(body, { maxLength });
  if (repeated.size > 0) throw repeatedParameterError(repeated);
  return values;
}

/** The form of a client, as text, and its Authorization header or headers. */
export interface ClientForm {
  body: string;
  authorization?: string | readonly string[];
}

/**
 * Whatever client credentials a form and its Authorization header carry. Throws InvalidRequestError or
 * InvalidClientError.
 */
export function readClientCredentials(
  values: ReadonlyMap<string, string>,
  authorization: string | readonly string[] | undefined,
): ClientCredentialsPresented {
  return parseClientCredentials(
    {
      clientId: readParameter(values, 'client_id'),
      clientSecret: readParameter(values, 'client_secret'),
      clientAssertion: readParameter(values, 'client_assertion'),
      clientAssertionType: readParameter(values, 'client_assertion_type'),
    },
    authorization,
  );
}

/** Throws InvalidRequestError if the parameter is missing, too long or malformed. */
export function requireParameter(values: ReadonlyMap<string, string>, name: ParameterName): string {
  const value = readParameter(values, name);
  if (value === undefined) throw new InvalidRequestError(`${name} is missing`, { member: name });
  return value;
}

/** Throws InvalidRequestError if the parameter is too long or malformed. */
export function readParameter(values: ReadonlyMap<string, string>, name: ParameterName): string | undefined {
  const value = values.get(name);
  if (value !== undefined && !isPrintable(value, MAX_LENGTHS[name])) {
    throw new InvalidRequestError(`${name} is too long or malformed`, { member: name });
  }
  return value;
}

/**
 * The `token` of a revocation or introspection request. A token that cannot have been issued here is no error: it is
 * unknown like any other (RFC 7009 s2.2, RFC 7662 s2.2). Throws InvalidRequestError if it is missing.
 */
export function requireToken(values: ReadonlyMap<string, string>): string {
  const token = values.get('token');
  if (token === undefined) throw new InvalidRequestError('token is missing', { member: 'token' });
  return token;
}
