/** The 200 answer of the token endpoint (RFC 6749 s5.1, OIDC Core s3.1.3.3); member names as on the wire. */
export interface TokenResponse {
  token_type: 'bearer';
  access_token: string;
  /** seconds */
  expires_in: number;
  scope: string;
  id_token?: string;
  /** only where the customer's approval lasts */
  refresh_token?: string;
  /** ISO 8601 with offset: when the PSU agreed; for a token without a PSU, when it was issued */
  consented_on: string;
}

/**
 * Builds the answer. `token_type` is compared without case (RFC 6749 s7.1); the published description has it in lower
 * case.
 */
export function createTokenResponse(options: {
  accessToken: string;
  expiresInSeconds: number;
  scope: readonly string[];
  idToken?: string;
  refreshToken?: string;
  consentedAt: Date;
}): TokenResponse {
  const { accessToken, expiresInSeconds, scope, idToken, refreshToken, consentedAt } = options;
  return {
    token_type: 'bearer',
    access_token: accessToken,
    expires_in: expiresInSeconds,
    scope: scope.join(' '),
    ...(idToken !== undefined && { id_token: idToken }),
    ...(refreshToken !== undefined && { refresh_token: refreshToken }),
    consented_on: consentedAt.toISOString().replace(/\.\d{3}Z$/, '+00:00'),
  };
}
