import { JwsError, parseCompactJws, parseJsonPayload } from '#libs/jws';
import { InvalidRequestObjectError } from '../errors/protocol-errors.js';
import { REQUEST_OBJECT_MAX_LENGTH } from '../limits.js';
import type { ClientKeyFinder, OAuthClient } from '../oauth-client.js';
import { isAcceptedType } from '../syntax.js';
import { verifyClientSignature } from '../verify-client-signature.js';

/** RFC 9101 s10.8; many clients send JWT or nothing. */
const TYPES = ['jwt', 'oauth-authz-req+jwt'];

const DESCRIPTIONS = {
  malformed: 'request object is not a signed JWT',
  algorithm: 'request object is not signed with the registered algorithm',
  header: 'request object has an unsupported header',
  key: 'no key of the client matches the request object',
  signature: 'signature of the request object does not verify',
} as const;

/**
 * Verifies that the client signed the request object, with the algorithm it registered and a key of its software JWKS
 * (OIDC Core s6.3.2, FAPI 1.0 Advanced s5.2.2). Returns the claims, which are not judged yet. Throws
 * InvalidRequestObjectError, or TemporarilyUnavailableError if the keys are unavailable.
 */
export async function verifyRequestObjectSignature(options: {
  request: string;
  client: OAuthClient;
  findKeys: ClientKeyFinder;
}): Promise<Record<string, unknown>> {
  const { request, client, findKeys } = options;
  try {
    const jws = parseCompactJws(request, { maxLength: REQUEST_OBJECT_MAX_LENGTH });
    if (!isAcceptedType(jws.header.typ, TYPES))
      throw new JwsError('header', 'typ is not that of a request object', 'typ');
    await verifyClientSignature({ jws, client, algorithm: client.requestObjectSigningAlg, findKeys });
    return parseJsonPayload(jws);
  } catch (cause) {
    if (!(cause instanceof JwsError)) throw cause;
    throw new InvalidRequestObjectError(DESCRIPTIONS[cause.code], {
      reason: 'request-object-signature',
      detail: cause.message,
      cause,
    });
  }
}
