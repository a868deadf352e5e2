import { InvalidRefreshTokenError, InvalidScopeError, RefreshTokenReusedError } from '../errors/protocol-errors.js';
import type { OAuthClient } from '../oauth-client.js';

/**
 * What is stored about a refresh token and the grant of the customer that it stands for. A used one is kept until the
 * grant ends.
 */
export interface RefreshTokenRecord {
  clientId: string;
  scope: readonly string[];
  /** subject of the certificate over which the grant began, RFC 4514 text */
  certificateSubject: string;
  expiresAt: Date;
  revokedAt?: Date | null;
  usedAt?: Date | null;
}

/**
 * Whether a customer's approval lasts beyond one access token: if it is not for payments, and the client registered the
 * grant. A payment consent is spent once, so nothing is left to refresh.
 */
export function isRefreshable({
  client,
  scope,
}: {
  client: Pick<OAuthClient, 'grantTypes'>;
  scope: readonly string[];
}): boolean {
  return client.grantTypes.includes('refresh_token') && !scope.includes('payments');
}

/**
 * Decides whether a refresh token may be used (RFC 6749 s6, RFC 8705 s7.1, RFC 9700 s4.14). Using it up is a
 * conditional update that the caller does afterwards. `isCertificateSubject` compares a stored name with the
 * certificate of the connection: a renewed certificate of the same subject is fine. Throws InvalidRefreshTokenError, or
 * RefreshTokenReusedError, on which the whole grant has to be revoked.
 */
export function verifyRefreshToken<Token extends RefreshTokenRecord>(options: {
  token: Token | undefined;
  client: Pick<OAuthClient, 'clientId'>;
  isCertificateSubject: (name: string) => boolean;
  now: Date;
}): Token {
  const { token, client, isCertificateSubject, now } = options;
  if (token === undefined) throw new InvalidRefreshTokenError({ detail: 'the refresh token is unknown' });
  // Before reuse, or anybody with a leaked token could end another client's grant.
  if (token.clientId !== client.clientId)
    throw new InvalidRefreshTokenError({ detail: 'the refresh token belongs to a different client' });
  if (!isCertificateSubject(token.certificateSubject)) {
    throw new InvalidRefreshTokenError({ detail: 'the refresh token is bound to a different certificate' });
  }
  if (token.usedAt) throw new RefreshTokenReusedError();
  if (token.revokedAt) throw new InvalidRefreshTokenError({ detail: 'the refresh token was revoked' });
  if (token.expiresAt <= now) throw new InvalidRefreshTokenError({ detail: 'the refresh token has expired' });
  return token;
}

/**
 * The scope of the new access token (RFC 6749 s6): the requested one, if it was granted, or else all that was granted.
 * Scopes that the client has deregistered since are dropped. Throws InvalidScopeError, or InvalidRefreshTokenError if
 * nothing is left.
 */
export function resolveRefreshedScope(options: {
  requested: readonly string[] | undefined;
  granted: readonly string[];
  client: Pick<OAuthClient, 'scope'>;
}): string[] {
  const { requested, granted, client } = options;
  const isBeyond = requested?.some((word) => !granted.includes(word)) === true;
  if (isBeyond) throw new InvalidScopeError('scope exceeds what the customer approved');
  const scope = (requested ?? granted).filter((word) => client.scope.includes(word));
  if (scope.length === 0) throw new InvalidRefreshTokenError({ detail: 'no scope of the grant is still registered' });
  return scope;
}
