/** A refresh token to be issued with the first access token of a grant. */
export interface NewRefreshToken {
  /** SHA-256 of the token */
  tokenHash: Buffer;
  /** RFC 4514 text: every use must come over a certificate of this subject */
  certificateSubject: string;
  /** when the grant ends; every later token of it ends then as well */
  expiresAt: Date;
}

/** A stored refresh token with its grant. */
export interface RefreshToken {
  /** SHA-256 of the code that the grant began with: names the grant */
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

/** A row of refresh_tokens with its grant. */
export interface RefreshTokenRow {
  code_hash: Buffer;
  client_id: string;
  psu_id: string;
  scope: string;
  certificate_subject: string;
  consented_at: Date;
  expires_at: Date;
  revoked_at: Date | null;
  used_at: Date | null;
}

/** Converts a row of the database; absent values become undefined. */
export function toRefreshToken(row: RefreshTokenRow): RefreshToken {
  return {
    grantHash: row.code_hash,
    clientId: row.client_id,
    psuId: row.psu_id,
    scope: row.scope.split(' '),
    certificateSubject: row.certificate_subject,
    consentedAt: row.consented_at,
    expiresAt: row.expires_at,
    ...(row.revoked_at !== null && { revokedAt: row.revoked_at }),
    ...(row.used_at !== null && { usedAt: row.used_at }),
  };
}
