import { readForm, requireToken } from './read-form.js';

/**
 * Reads an introspection request (RFC 7662 s2.1). The caller is known by its certificate. Throws InvalidRequestError.
 */
export function parseIntrospectionRequest({ body }: { body: string }): { token: string } {
  return { token: requireToken(readForm(body)) };
}
