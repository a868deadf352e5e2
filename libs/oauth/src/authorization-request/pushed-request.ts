import { JwsError, parseJsonObject } from '#libs/jws';
import { InvalidRequestError, InvalidRequestObjectError } from '../errors/protocol-errors.js';
import { OAuthError } from '../errors/oauth-error.js';
import { REQUEST_OBJECT_MAX_LENGTH } from '../limits.js';

/** What a client has pushed (RFC 9126): a request object, or parameters that it has not signed. */
export type PushedRequest =
  | { readonly kind: 'object'; readonly request: string }
  | { readonly kind: 'parameters'; readonly parameters: Readonly<Record<string, string>> };

/**
 * @returns the text in which a pushed request is stored; a request object unchanged. Throws InvalidRequestError if it
 * is too long.
 */
export function formatPushedRequest(pushed: PushedRequest): string {
  const text = pushed.kind === 'object' ? pushed.request : JSON.stringify(pushed.parameters);
  if (text.length > REQUEST_OBJECT_MAX_LENGTH) throw new InvalidRequestError('request is too long');
  return text;
}

/** Reads what formatPushedRequest wrote. No request object begins with a brace: it is Base64url. */
export function parsePushedRequest(text: string): PushedRequest {
  if (!text.startsWith('{')) return { kind: 'object', request: text };
  return { kind: 'parameters', parameters: JSON.parse(text) as Record<string, string> };
}

/**
 * Parameters as the claims of a request object would be: `claims` is a JSON object (OIDC Core s5.5). Throws
 * InvalidRequestError.
 */
export function claimsOfParameters(parameters: Readonly<Record<string, string>>): Record<string, unknown> {
  if (parameters['claims'] === undefined) return { ...parameters };
  try {
    return { ...parameters, claims: parseJsonObject(Buffer.from(parameters['claims']), 'claims') };
  } catch (cause) {
    if (!(cause instanceof JwsError)) throw cause;
    throw new InvalidRequestError(cause.message, { member: 'claims', cause });
  }
}

/** Runs a check of request objects on plain parameters, and adapts the wording of its errors. */
export async function withoutRequestObject<T>(step: () => T | Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (!(error instanceof InvalidRequestObjectError || error instanceof InvalidRequestError)) throw error;
    throw toParameterError(error);
  }
}

function toParameterError(error: OAuthError): InvalidRequestError {
  const description = error.description.replace(' in the request object', '');
  const { member, limitSeconds } = error;
  const told = new InvalidRequestError(description, {
    reason: error.reason === 'request-object' ? 'request' : error.reason,
    ...(member !== undefined && { member }),
    ...(limitSeconds !== undefined && { limitSeconds }),
    cause: error,
  });
  if (error.redirect !== undefined) told.redirect = error.redirect;
  return told;
}
