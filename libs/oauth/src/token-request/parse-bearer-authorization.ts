/**
 * The access token of an Authorization header (RFC 6750 s2.1: scheme, one or more spaces, token); the scheme is
 * compared case-insensitively (RFC 9110 s11.1).
 * @returns undefined for any other scheme, and for text that cannot be a token
 */
export function parseBearerAuthorization(authorization: string): string | undefined {
  return /^bearer +([A-Za-z0-9._~+/-]{1,512}=*)$/i.exec(authorization)?.[1];
}
