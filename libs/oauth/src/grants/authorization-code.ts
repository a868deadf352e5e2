import { AuthorizationCodeReusedError, InvalidGrantError } from '../errors/protocol-errors.js';
import type { OAuthClient } from '../oauth-client.js';
import { verifyCodeVerifier } from '../pkce.js';
import { isDemanded, type ProfiledClient, type ProfileSettings } from '../security-profile/profile-table.js';

type RedeemingClient = Pick<OAuthClient, 'clientId' | 'scope' | 'redirectUris'> & ProfiledClient;

/**
 * What is stored about an issued authorization code. A redeemed one is kept until it expires, so that its reuse is
 * seen.
 */
export interface AuthorizationCodeRecord {
  clientId: string;
  redirectUri: string;
  scope: readonly string[];
  expiresAt: Date;
  redeemedAt?: Date | null;
  codeChallenge?: string | null;
}

/**
 * Decides whether a code may be redeemed (RFC 6749 s4.1.3, RFC 7636 s4.6). Redeeming is a conditional update that the
 * caller does afterwards; if that finds the code already redeemed, it throws AuthorizationCodeReusedError itself.
 * `code` undefined: not known. Returns the code. Throws InvalidGrantError, or AuthorizationCodeReusedError, on which
 * the tokens issued from the code have to be revoked.
 */
export function verifyAuthorizationCode<Code extends AuthorizationCodeRecord>(options: {
  code: Code | undefined;
  client: RedeemingClient;
  redirectUri: string;
  codeVerifier: string | undefined;
  profile: ProfileSettings;
  now: Date;
}): Code {
  const { code, client, redirectUri, codeVerifier, profile, now } = options;
  if (code === undefined) throw new InvalidGrantError({ detail: 'the authorization code is unknown' });
  // The code is bound to its client (RFC 6749 s4.1.3). This comes before reuse, or anybody with a leaked code could
  // revoke another's tokens.
  if (code.clientId !== client.clientId)
    throw new InvalidGrantError({ detail: 'the authorization code belongs to a different client' });
  if (code.redeemedAt) throw new AuthorizationCodeReusedError();
  if (code.expiresAt <= now) throw new InvalidGrantError({ detail: 'the authorization code has expired' });
  // Identical, not equivalent (RFC 6749 s4.1.3).
  if (code.redirectUri !== redirectUri)
    throw new InvalidGrantError({
      reason: 'code-redirect-uri',
      detail: 'redirect_uri differs from the one in the authorization request',
    });
  // A code gives nothing that the client has deregistered since (CVE-2024-8995: a code outlived what it stood for).
  if (!client.redirectUris.includes(code.redirectUri)) {
    throw new InvalidGrantError({ detail: 'the redirect URI of the code is no longer registered' });
  }
  if (!code.scope.every((word) => client.scope.includes(word))) {
    throw new InvalidGrantError({ detail: 'a scope of the code is no longer registered' });
  }
  // The client may have changed to this profile since the code was issued.
  if (!code.codeChallenge && isDemanded('pkce', client, profile)) {
    throw new InvalidGrantError({ detail: 'the code was issued without PKCE' });
  }
  verifyCodeVerifier({ codeChallenge: code.codeChallenge ?? undefined, codeVerifier });
  return code;
}
