import { parseCompactJws, parseJsonPayload } from '#libs/jws';
import { InvalidRequestObjectError, isJwtId, REQUEST_OBJECT_MAX_LENGTH } from '#libs/oauth';

/**
 * The `jti` of a verified request object, and how long to remember it. A request object with a `jti` can be used once
 * (RFC 9101 s10.3, RFC 7519 s4.1.7).
 * @returns undefined if there is none
 * @throws InvalidRequestObjectError unless it has 1 to 255 characters and no control characters
 */
export function findRequestObjectId(request: string | undefined): { jti: string; expiresAt: Date } | undefined {
  if (request === undefined) return undefined;
  const { jti, exp } = parseJsonPayload(parseCompactJws(request, { maxLength: REQUEST_OBJECT_MAX_LENGTH }));
  if (jti === undefined || typeof exp !== 'number') return undefined;
  if (!isJwtId(jti))
    throw new InvalidRequestObjectError('jti of the request object is not an identifier', { member: 'jti' });
  return { jti, expiresAt: new Date(exp * 1_000) };
}
