import type { OneAnswer } from '#libs/customer-session';

/** The reference of a pushed request, by its hash. */
export interface Reference {
  readonly requestUriHash: Buffer;
  readonly expiresAt: Date;
}

/** Tolerated in `exp` of a request object, and how long a browser keeps the cookie of an ended session. */
const marginMilliseconds = 10_000 + 3_600_000;

/**
 * A request with a `jti` (RFC 9101 s10.3) or a reference (RFC 9126 s4) gets one answer. It is remembered until no
 * session is left that was started with the request.
 * @returns undefined for any other request
 */
export function oneAnswer(options: {
  reference?: Reference | undefined;
  requestObjectId?: { readonly jti: string; readonly expiresAt: Date } | undefined;
  sessionSeconds: number;
}): OneAnswer | undefined {
  const { reference, requestObjectId, sessionSeconds } = options;
  const known = [
    ...(reference ? [{ id: reference.requestUriHash.toString('base64url'), expiresAt: reference.expiresAt }] : []),
    ...(requestObjectId ? [{ id: requestObjectId.jti, expiresAt: requestObjectId.expiresAt }] : []),
  ];
  if (known.length === 0) return undefined;
  const latest = Math.max(...known.map(({ expiresAt }) => expiresAt.getTime()));
  const until = new Date(latest + sessionSeconds * 1_000 + marginMilliseconds);
  return { ids: known.map(({ id }) => id), until: until.toISOString() };
}
