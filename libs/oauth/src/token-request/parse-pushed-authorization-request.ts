import { InvalidRequestError, InvalidRequestObjectError } from '../errors/protocol-errors.js';
import { PUSHED_REQUEST_MAX_LENGTH, REQUEST_OBJECT_MAX_LENGTH } from '../limits.js';
import type { ClientCredentialsPresented } from './client-credentials-presented.js';
import { readClientCredentials, readForm } from './read-form.js';

/** RFC 9126 s3: a request object and the client's authentication. Parameters beside it do not count: only signed ones do. */
export interface PushedAuthorizationRequest {
  credentials: ClientCredentialsPresented;
  /** not verified */
  request: string;
}

/** Reads a pushed authorization request. Throws InvalidRequestError, InvalidRequestObjectError or InvalidClientError. */
export function parsePushedAuthorizationRequest({
  body,
  authorization,
}: {
  body: string;
  authorization?: string | readonly string[];
}): PushedAuthorizationRequest {
  const values = readForm(body, PUSHED_REQUEST_MAX_LENGTH);
  const credentials = readClientCredentials(values, authorization);
  // RFC 9126 s2.1: a reference is what is asked for here.
  if (values.has('request_uri')) throw new InvalidRequestError('request_uri must not be pushed');
  const request = values.get('request');
  // FAPI 1.0 Advanced s5.2.2 item 1: a signed request object is required.
  if (request === undefined) throw new InvalidRequestError('request is missing');
  if (request.length > REQUEST_OBJECT_MAX_LENGTH) throw new InvalidRequestObjectError('request object is too long');
  return { credentials, request };
}
