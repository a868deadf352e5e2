import { InvalidClientError } from '../errors/protocol-errors.js';
import { decodeFormComponent } from '../form-parameters.js';
import { CLIENT_ID_MAX_LENGTH, CLIENT_SECRET_MAX_LENGTH } from '../limits.js';
import { isPrintable } from '../syntax.js';

const MAX_LENGTH = 2048;

/**
 * Client id and secret of an Authorization header (RFC 6749 s2.3.1, RFC 7617): scheme case-insensitively, strict
 * Base64, split at the first colon, both halves form-decoded. Several headers may be handed over as an array. Throws
 * InvalidClientError with a challenge.
 */
export function parseBasicAuthorization(authorization: string | readonly string[]): {
  clientId: string;
  clientSecret: string;
} {
  const [value, ...others] = Array.isArray(authorization) ? (authorization as readonly unknown[]) : [authorization];
  if (typeof value !== 'string' || others.length > 0) throw refused('not exactly one Authorization header');
  if (value.length > MAX_LENGTH) throw refused('Authorization is too long');
  const [, token] = /^basic +([^ ]+) *$/i.exec(value) ?? [];
  if (token === undefined) throw refused('Authorization scheme is not Basic');
  return parseBasicCredentials(token);
}

/**
 * The part after the scheme; registration management also accepts it on its own. Throws InvalidClientError with a
 * challenge.
 */
export function parseBasicCredentials(token: string): { clientId: string; clientSecret: string } {
  const bytes = Buffer.from(token, 'base64');
  // Buffer.from skips foreign characters; encoding again shows them.
  if (bytes.toString('base64') !== token) throw refused('Basic credentials are not Base64');
  const text = bytes.toString('utf8');
  const colon = text.indexOf(':');
  if (colon === -1) throw refused('Basic credentials have no colon');

  const clientId = decodeFormComponent(text.slice(0, colon));
  const clientSecret = decodeFormComponent(text.slice(colon + 1));
  if (!isPrintable(clientId, CLIENT_ID_MAX_LENGTH) || !isPrintable(clientSecret, CLIENT_SECRET_MAX_LENGTH)) {
    throw refused('client id or secret in Basic credentials is empty, too long or malformed');
  }
  return { clientId, clientSecret };
}

function refused(detail: string): InvalidClientError {
  return new InvalidClientError({ reason: 'client-credentials', detail });
}
