import { parseCompactJws, parseJsonPayload } from '#libs/jws';
import { REQUEST_OBJECT_MAX_LENGTH } from '#libs/oauth';

/**
 * The `jti` of a verified request object, and how long to remember it. A request object with a `jti` can be used once
 * (RFC 9101 s10.3, RFC 7519 s4.1.7).
 * @returns undefined if there is none
 */
export function findRequestObjectId(request: string | undefined): { jti: string; expiresAt: Date } | undefined {
  if (request === undefined) return undefined;
  const { jti, exp } = parseJsonPayload(parseCompactJws(request, { maxLength: REQUEST_OBJECT_MAX_LENGTH }));
  return typeof jti === 'string' && typeof exp === 'number' ? { jti, expiresAt: new Date(exp * 1_000) } : undefined;
}
