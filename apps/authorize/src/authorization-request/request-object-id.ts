import { parseCompactJws, parseJsonPayload } from '#libs/jws';
import { InvalidRequestObjectError, isJwtId, REQUEST_OBJECT_MAX_LENGTH } from '#libs/oauth';

/**
 * The `jti` of a request object that has been verified before, and how long it has to be remembered. A client that gives
 * its request objects an identifier wants each to count once (RFC 9101 s10.3, RFC 7519 s4.1.7).
 * @returns undefined if there is none
 * @throws InvalidRequestObjectError if it is none that can be remembered whole: 1 to 255 characters, no control characters
 */
export function findRequestObjectId(request: string | undefined): { jti: string; expiresAt: Date } | undefined {
  if (request === undefined) return undefined;
  const { jti, exp } = parseJsonPayload(parseCompactJws(request, { maxLength: REQUEST_OBJECT_MAX_LENGTH }));
  if (jti === undefined || typeof exp !== 'number') return undefined;
  if (!isJwtId(jti))
    throw new InvalidRequestObjectError('jti of the request object is not an identifier', { member: 'jti' });
  return { jti, expiresAt: new Date(exp * 1_000) };
}
