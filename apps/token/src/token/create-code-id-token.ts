import type { Config } from '#libs/config';
import { createIdToken, getIdTokenSigningKey, type OAuthClient } from '#libs/oauth';
import type { AuthorizationCode } from '#libs/token-store';

/**
 * @returns the ID token of the token response, with `at_hash` and the same subject as the one in the authorization
 * response (OIDC Core s3.3.3.6); undefined without the scope `openid`
 */
export async function createCodeIdToken(options: {
  code: AuthorizationCode;
  client: OAuthClient;
  accessToken: string;
  config: Config;
  now: Date;
}): Promise<string | undefined> {
  const { code, client, accessToken, config, now } = options;
  if (!code.scope.includes('openid')) return undefined;
  return createIdToken({
    subject: {
      issuer: config.issuer,
      clientId: client.clientId,
      subject: code.subject,
      authenticatedAt: code.authenticatedAt,
      acr: code.acr,
      ...(code.nonce !== undefined && { nonce: code.nonce }),
      ...(code.consentId !== undefined && { intentId: code.consentId }),
    },
    companion: { channel: 'token_response', accessToken },
    key: getIdTokenSigningKey({ keys: config.signing.keys, algorithm: client.idTokenSignedResponseAlg }),
    expiresInSeconds: config.token.accessTokenSeconds,
    now,
  });
}
