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
export function redeemableCode(options: {
  code: AuthorizationCode | undefined;
  client: OAuthClient;
  tokenRequest: AuthorizationCodeTokenRequest;
  profile: ProfileSettings;
  now: Date;
}): AuthorizationCode | undefined {
  const { code, client, tokenRequest, profile, now } = options;
  const { redirectUri, codeVerifier } = tokenRequest;
  try {
    return verifyAuthorizationCode({ code, client, redirectUri, codeVerifier, profile, now });
  } catch (error) {
    if (error instanceof AuthorizationCodeReusedError) return undefined;
    throw error;
  }
}
