import { membersOf, type RowOf } from '#libs/persistence';

/** An authorization code and everything it was issued for (RFC 6749 s4.1.2, OIDC Core s3.1.3.2, RFC 7636 s4.4). */
export interface AuthorizationCode {
  /** the hash of the code (`hashToken`) */
  codeHash: Buffer;
  clientId: string;
  /** the intent the PSU approved; undefined if a scope needs none */
  consentId?: string;
  /** as in the authorization request; the token request must repeat it */
  redirectUri: string;
  scope: string[];
  psuId: string;
  /** `sub` of the ID token, pairwise */
  subject: string;
  nonce?: string;
  acr: string;
  /** `auth_time` of the ID token */
  authenticatedAt: Date;
  /** when the PSU agreed */
  consentedAt: Date;
  /** S256 challenge; if present, a verifier is required */
  codeChallenge?: string;
  expiresAt: Date;
  redeemedAt?: Date;
}

export type AuthorizationCodeRow = RowOf<Omit<AuthorizationCode, 'scope'>> & { scope: string };

export function toAuthorizationCode(row: AuthorizationCodeRow): AuthorizationCode {
  const scope = row.scope.split(' ').filter((value) => value !== '');
  return { ...membersOf<Omit<AuthorizationCode, 'scope'>>(row), scope };
}
