import { parseCompactJws, parseJsonPayload } from '#libs/jws';
import { REQUEST_OBJECT_MAX_LENGTH } from '#libs/oauth';

/**
 * The `jti` of a request object that has been verified before, and how long it has to be remembered. A client that gives
 * its request objects an identifier wants each to count once (RFC 9101 s10.3, RFC 7519 s4.1.7).
 * @returns undefined if there is none
 */
export function findRequestObjectId(request: string | undefined): { jti: string; expiresAt: Date } | undefined {
  if (request === undefined) return undefined;
  const { jti, exp } = parseJsonPayload(parseCompactJws(request, { maxLength: REQUEST_OBJECT_MAX_LENGTH }));
  if (typeof jti !== 'string' || jti === '' || typeof exp !== 'number') return undefined;
  return { jti: jti.slice(0, maxLength), expiresAt: new Date(exp * 1_000) };
}

/** What goes into an index; nobody's identifiers differ only beyond it. */
const maxLength = 255;
