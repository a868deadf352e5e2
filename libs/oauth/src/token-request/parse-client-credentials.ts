import { JwsError, parseCompactJws, parseJsonPayload } from '#libs/jws';
import { InvalidClientError, InvalidRequestError } from '../errors/protocol-errors.js';
import { CLIENT_ASSERTION_MAX_LENGTH, CLIENT_ID_MAX_LENGTH } from '../limits.js';
import { isPrintable } from '../syntax.js';
import type { ClientCredentialsPresented } from './client-credentials-presented.js';
import { parseBasicAuthorization } from './parse-basic-authorization.js';

/** RFC 7523 s2.2. */
export const JWT_BEARER_ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/** The form parameters that identify or authenticate the client. */
export interface ClientCredentialParameters {
  clientId?: string;
  clientSecret?: string;
  clientAssertion?: string;
  clientAssertionType?: string;
}

/**
 * Finds which one mechanism the client used and the client id it names (RFC 6749 s2.3). The id in the form is optional
 * beside Basic and assertions, but must agree with theirs. Throws InvalidRequestError (several mechanisms, incomplete
 * parameters, form and Basic differ) or InvalidClientError (unreadable credentials, assertion of another client).
 */
export function parseClientCredentials(
  parameters: ClientCredentialParameters,
  authorization: string | readonly string[] | undefined,
): ClientCredentialsPresented {
  const { clientId, clientSecret, clientAssertion, clientAssertionType } = parameters;
  const hasAssertion = clientAssertion !== undefined || clientAssertionType !== undefined;
  // RFC 6749 s2.3: not more than one method in a request.
  if ([authorization !== undefined, clientSecret !== undefined, hasAssertion].filter(Boolean).length > 1) {
    throw new InvalidRequestError('more than one client authentication method was used', {
      reason: 'client-credentials',
    });
  }
  if (authorization !== undefined) return parseBasic(authorization, clientId);
  if (hasAssertion) return parseAssertion(parameters);
  if (clientSecret !== undefined) {
    if (clientId === undefined) throw new InvalidRequestError('client_id is missing', { reason: 'client-credentials' });
    return { mechanism: 'post', clientId, clientSecret };
  }
  // RFC 6749 s5.2: no client authentication included is invalid_client.
  if (clientId === undefined)
    throw new InvalidClientError({ reason: 'client-credentials', detail: 'no client_id and no credentials' });
  return { mechanism: 'none', clientId };
}

function parseBasic(authorization: string | readonly string[], formClientId?: string): ClientCredentialsPresented {
  const credentials = parseBasicAuthorization(authorization);
  if (formClientId !== undefined && formClientId !== credentials.clientId) {
    throw new InvalidRequestError('client_id differs from the one in the Authorization header', {
      reason: 'client-credentials',
    });
  }
  return { mechanism: 'basic', ...credentials };
}

function parseAssertion(parameters: ClientCredentialParameters): ClientCredentialsPresented {
  const { clientId, clientAssertion, clientAssertionType } = parameters;
  if (clientAssertionType !== JWT_BEARER_ASSERTION_TYPE) {
    throw new InvalidRequestError(`client_assertion_type must be ${JWT_BEARER_ASSERTION_TYPE}`, {
      reason: 'client-credentials',
    });
  }
  if (clientAssertion === undefined)
    throw new InvalidRequestError('client_assertion is missing', { reason: 'client-credentials' });

  const { assertion, claims } = readAssertion(clientAssertion);
  const { sub } = claims;
  if (!isPrintable(sub, CLIENT_ID_MAX_LENGTH))
    throw new InvalidClientError({ reason: 'assertion', member: 'sub', detail: 'assertion has no usable sub' });
  if (clientId !== undefined && clientId !== sub) {
    throw new InvalidClientError({
      reason: 'assertion',
      member: 'sub',
      detail: 'client_id differs from the sub of the assertion',
    });
  }
  return { mechanism: 'assertion', clientId: sub, assertion, claims };
}

function readAssertion(clientAssertion: string) {
  try {
    const assertion = parseCompactJws(clientAssertion, { maxLength: CLIENT_ASSERTION_MAX_LENGTH });
    return { assertion, claims: parseJsonPayload(assertion) };
  } catch (cause) {
    if (cause instanceof JwsError)
      throw new InvalidClientError({ reason: 'assertion', detail: 'assertion is not a JWT', cause });
    throw cause;
  }
}
