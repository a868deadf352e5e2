import { AuthorizationCodeReusedError, RefreshTokenReusedError } from '#libs/oauth';

/** @returns what the rule accepts; undefined for a code or refresh token that its own client has used before */
export function unlessReused<Accepted>(verify: () => Accepted): Accepted | undefined {
  try {
    return verify();
  } catch (error) {
    if (error instanceof AuthorizationCodeReusedError || error instanceof RefreshTokenReusedError) return undefined;
    throw error;
  }
}
