import {
  InvalidClientError,
  parseBasicAuthorization,
  parseBasicCredentials,
  parseBearerAuthorization,
} from '#libs/oauth';

/** The credentials with which a TPP manages its registration. */
export type ManagementCredentials =
  { scheme: 'bearer'; token: string } | { scheme: 'basic'; clientId: string; clientSecret: string };

/** Which forms of the secret are accepted besides a token. */
export interface ManagementSchemes {
  /** `Basic` with the client's id and secret */
  managementBasic: boolean;
  /** the same value without the scheme Basic; allowed only if `Basic` is */
  schemelessBasic: boolean;
}

/**
 * Reads the Authorization header of registration management. The standard requires a client credentials token. The
 * published description has Base64 of `ClientID:ClientSecret` without a scheme, so that form is accepted too.
 * @param authorization value of the header; schemes are case-insensitive (RFC 9110 s11.1)
 * @returns undefined for anything else
 */
export function parseManagementCredentials(
  authorization: string,
  { managementBasic, schemelessBasic }: ManagementSchemes,
): ManagementCredentials | undefined {
  if (authorization.length > 2_048) return undefined;
  const token = parseBearerAuthorization(authorization);
  if (token !== undefined) return { scheme: 'bearer', token };
  const isWithoutScheme = /^[A-Za-z0-9+/]+={0,2}$/.test(authorization);
  if (!managementBasic || (isWithoutScheme && !schemelessBasic)) return undefined;
  try {
    const credentials = isWithoutScheme ? parseBasicCredentials(authorization) : parseBasicAuthorization(authorization);
    return { scheme: 'basic', ...credentials };
  } catch (error) {
    if (error instanceof InvalidClientError) return undefined;
    throw error;
  }
}
