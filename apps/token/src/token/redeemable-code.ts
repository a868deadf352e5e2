import {
  AuthorizationCodeReusedError,
  verifyAuthorizationCode,
  type AuthorizationCodeTokenRequest,
  type OAuthClient,
  type ProfileSettings,
} from '#libs/oauth';
import type { AuthorizationCode } from '#libs/token-store';

/**
 * @returns the code if it may be redeemed; undefined if its own client has redeemed it before
 * @throws InvalidGrantError for every other one (RFC 6749 s4.1.3)
 */
export function redeemableCode({
  code,
  client,
  tokenRequest,
  profile,
  now,
}: {
  code: AuthorizationCode | undefined;
  client: OAuthClient;
  tokenRequest: AuthorizationCodeTokenRequest;
  profile: ProfileSettings;
  now: Date;
}): AuthorizationCode | undefined {
  const { redirectUri, codeVerifier } = tokenRequest;
  try {
    return verifyAuthorizationCode({ code, client, redirectUri, codeVerifier, profile, now });
  } catch (error) {
    if (error instanceof AuthorizationCodeReusedError) return undefined;
    throw error;
  }
}
