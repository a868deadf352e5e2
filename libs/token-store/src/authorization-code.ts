/** An authorization code and everything it was issued for (RFC 6749 s4.1.2, OIDC Core s3.1.3.2, RFC 7636 s4.4). */
export interface AuthorizationCode {
  /** SHA-256 of the code */
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

/** A row of authorization_codes. */
export interface AuthorizationCodeRow {
  code_hash: Buffer;
  client_id: string;
  consent_id: string | null;
  redirect_uri: string;
  scope: string;
  psu_id: string;
  subject: string;
  nonce: string | null;
  acr: string;
  authenticated_at: Date;
  consented_at: Date;
  code_challenge: string | null;
  expires_at: Date;
  redeemed_at: Date | null;
}

/** Takes a row as the database returns it; absent values become undefined. */
export function toAuthorizationCode(row: AuthorizationCodeRow): AuthorizationCode {
  return {
    codeHash: row.code_hash,
    clientId: row.client_id,
    redirectUri: row.redirect_uri,
    scope: row.scope.split(' ').filter((value) => value !== ''),
    psuId: row.psu_id,
    subject: row.subject,
    acr: row.acr,
    authenticatedAt: row.authenticated_at,
    consentedAt: row.consented_at,
    expiresAt: row.expires_at,
    ...(row.consent_id !== null && { consentId: row.consent_id }),
    ...(row.nonce !== null && { nonce: row.nonce }),
    ...(row.code_challenge !== null && { codeChallenge: row.code_challenge }),
    ...(row.redeemed_at !== null && { redeemedAt: row.redeemed_at }),
  };
}
