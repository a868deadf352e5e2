import type { PushedRequest } from '../authorization-request/pushed-request.js';
import { InvalidRequestError, InvalidRequestObjectError } from '../errors/protocol-errors.js';
import { PUSHED_REQUEST_MAX_LENGTH, REQUEST_OBJECT_MAX_LENGTH } from '../limits.js';
import type { ClientCredentialsPresented } from './client-credentials-presented.js';
import { type ClientForm, readClientCredentials, readForm } from './read-form.js';

/** RFC 9126 s2.1, s3: an authorization request, signed or not, and the client's authentication. */
export interface PushedAuthorizationRequest {
  credentials: ClientCredentialsPresented;
  /** not verified */
  pushed: PushedRequest;
}

/** What authenticates the client is not a part of its authorization request (RFC 9126 s2.1). */
const credentialNames = new Set(['client_secret', 'client_assertion', 'client_assertion_type']);

/**
 * Reads a pushed authorization request. Beside a request object no parameter counts: only signed ones do (RFC 9126 s3).
 * Throws InvalidRequestError, InvalidRequestObjectError or InvalidClientError.
 */
export function parsePushedAuthorizationRequest({ body, authorization }: ClientForm): PushedAuthorizationRequest {
  const values = readForm(body, PUSHED_REQUEST_MAX_LENGTH);
  const credentials = readClientCredentials(values, authorization);
  // RFC 9126 s2.1: a reference is the answer here.
  if (values.has('request_uri')) throw new InvalidRequestError('request_uri must not be pushed');
  const request = values.get('request');
  if (request === undefined) {
    const parameters = Object.fromEntries([...values].filter(([name]) => !credentialNames.has(name)));
    return { credentials, pushed: { kind: 'parameters', parameters } };
  }
  if (request.length > REQUEST_OBJECT_MAX_LENGTH) throw new InvalidRequestObjectError('request object is too long');
  return { credentials, pushed: { kind: 'object', request } };
}
