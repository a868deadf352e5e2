import type { ClientAssertionId, NewAccessToken } from './access-token.js';

/** One request for a client credentials token. */
export interface TokenIssue {
  token: NewAccessToken;
  /** of the two JWT methods; undefined for the others */
  assertion: ClientAssertionId | undefined;
}

/**
 * Answers several requests, one for each row. A token is stored only if its jti is new: of two simultaneous uses
 * exactly one succeeds, because the index waits for the other transaction before it decides. An expired jti conflicts
 * as well, until its row is deleted. All batches order their rows alike, so that two never deadlock. One jti must not
 * occur twice.
 */
export const issueTokensSql = `
  WITH request AS MATERIALIZED (
    SELECT * FROM unnest($1::bytea[], $2::uuid[], $3::text[], $4::text[], $5::timestamptz[], $6::timestamptz[],
      $7::text[],
      $8::timestamptz[]) AS request (token_hash, client_id, scope, thumbprint, issued_at, expires_at, jti,
        jti_expires_at)),
  assertion AS (
    INSERT INTO used_jwt_ids (purpose, issuer, jti, expires_at)
    SELECT 'client-assertion', client_id::text, jti, jti_expires_at FROM request WHERE jti IS NOT NULL
      ORDER BY client_id, jti
    ON CONFLICT DO NOTHING RETURNING issuer, jti)
  INSERT INTO access_tokens (token_hash, client_id, grant_type, scope, certificate_thumbprint, issued_at, expires_at)
  SELECT request.token_hash, request.client_id, 'client_credentials', request.scope, request.thumbprint,
    request.issued_at,
    request.expires_at
  FROM request LEFT JOIN assertion ON assertion.issuer = request.client_id::text AND assertion.jti = request.jti
  WHERE request.jti IS NULL OR assertion.jti IS NOT NULL
  RETURNING token_hash`;

/** @returns the values of $1 to $8 */
export function issueTokensParameters(issues: readonly TokenIssue[]): unknown[] {
  return [
    issues.map(({ token }) => token.tokenHash),
    issues.map(({ token }) => token.clientId),
    issues.map(({ token }) => token.scope.join(' ')),
    issues.map(({ token }) => token.certificateThumbprint),
    issues.map(({ token }) => token.issuedAt),
    issues.map(({ token }) => token.expiresAt),
    issues.map(({ assertion }) => assertion?.jti ?? null),
    issues.map(({ assertion }) => assertion?.expiresAt ?? null),
  ];
}

/** @returns the requests without those whose assertion an earlier one of them has already used */
export function withoutRepeatedAssertions<
  Request extends Pick<TokenIssue, 'assertion'> & { token: { clientId: string } },
>(requests: readonly Request[]): Request[] {
  const seen = new Set<string>();
  return requests.filter(({ token, assertion }) => {
    if (assertion === undefined) return true;
    const id = JSON.stringify([token.clientId, assertion.jti]);
    if (seen.has(id)) return false;
    seen.add(id);
    return true;
  });
}
