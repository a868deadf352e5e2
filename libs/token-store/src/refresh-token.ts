import { membersOf, type RowOf } from '#libs/persistence';

/** A refresh token to be issued with the first access token of a grant. */
export interface NewRefreshToken {
  /** the hash of the token (`hashToken`) */
  tokenHash: Buffer;
  /** RFC 4514 text: every use must come over a certificate of this subject */
  certificateSubject: string;
  /** when the grant ends; every later token of it ends then as well */
  expiresAt: Date;
}

/** A stored refresh token with its grant. */
export interface RefreshToken {
  /** the hash of the code that the grant began with: names the grant */
  grantHash: Buffer;
  clientId: string;
  psuId: string;
  scope: string[];
  certificateSubject: string;
  consentedAt: Date;
  expiresAt: Date;
  revokedAt?: Date;
  usedAt?: Date;
}

export type RefreshTokenRow = RowOf<Omit<RefreshToken, 'scope'>> & { scope: string };

export function toRefreshToken(row: RefreshTokenRow): RefreshToken {
  return { ...membersOf<Omit<RefreshToken, 'scope'>>(row), scope: row.scope.split(' ') };
}
