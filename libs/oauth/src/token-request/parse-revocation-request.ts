import type { ClientCredentialsPresented } from './client-credentials-presented.js';
import { type ClientForm, readClientCredentials, readForm, requireToken } from './read-form.js';

/** RFC 7009 s2.1. The hint about the type is not needed to find a token, so it is not read. */
export interface RevocationRequest {
  credentials: ClientCredentialsPresented;
  token: string;
}

/** Reads a revocation request. Throws InvalidRequestError or InvalidClientError. */
export function parseRevocationRequest({ body, authorization }: ClientForm): RevocationRequest {
  const values = readForm(body);
  return { credentials: readClientCredentials(values, authorization), token: requireToken(values) };
}
