/**
 * $1 code hash, $2 client, $3 now, $4 jti or null, $5 its expiry, $6 token hash, $7 scope, $8 thumbprint, $9 issued at, $10 expires at.
 * Of simultaneous requests with one code the first locks the row, and the others see `redeemed_at` set when they get it. The assertion
 * comes first, so that a replayed one changes nothing. The consent is read here because it may have been withdrawn since the code was
 * issued; a consent that was consumed meanwhile with the client's own token is still the PSU's will.
 */
const redeemSql = `
  WITH assertion AS (
    INSERT INTO used_jwt_ids (purpose, issuer, jti, expires_at)
    SELECT 'client-assertion', $2::uuid::text, $4::text, $5::timestamptz WHERE $4::text IS NOT NULL
    ON CONFLICT DO NOTHING RETURNING jti),
  authenticated AS MATERIALIZED (
    SELECT $4::text IS NULL OR EXISTS (SELECT FROM assertion) AS value),
  code AS (
    UPDATE authorization_codes SET redeemed_at = $3::timestamptz
    WHERE code_hash = $1::bytea AND client_id = $2::uuid AND redeemed_at IS NULL AND expires_at > $3::timestamptz
      AND (SELECT value FROM authenticated)
      AND (consent_id IS NULL OR EXISTS (
        SELECT FROM file_payment_consents AS consent
        WHERE consent.consent_id = authorization_codes.consent_id AND consent.client_id = $2::uuid
          AND consent.status IN ('Authorised', 'Consumed')))
    RETURNING code_hash, client_id, consent_id, psu_id, consented_at),
  token AS (
    INSERT INTO access_tokens (token_hash, client_id, grant_type, scope, certificate_thumbprint, consent_id, psu_id, code_hash,
      issued_at, expires_at)
    SELECT $6::bytea, client_id, 'authorization_code', $7::text, $8::text, consent_id, psu_id, code_hash,
      $9::timestamptz, $10::timestamptz
    FROM code RETURNING token_hash)`;

const outcomeSql = `
  SELECT (SELECT value FROM authenticated) AS assertion_redeemed, EXISTS (SELECT FROM token) AS token_issued`;

export const redeemCodeSql = `${redeemSql}${outcomeSql}`;

/** As above, and the customer's approval lasts: $11 hash of the refresh token, $12 subject of the certificate, $13 end of the grant. */
export const redeemCodeWithRefreshTokenSql = `${redeemSql},
  refresh_grant AS (
    INSERT INTO refresh_grants (code_hash, client_id, scope, certificate_subject, psu_id, consented_at, issued_at, expires_at)
    SELECT code_hash, client_id, $7::text, $12::text, psu_id, consented_at, $3::timestamptz, $13::timestamptz
    FROM code RETURNING code_hash),
  refresh_token AS (
    INSERT INTO refresh_tokens (token_hash, code_hash, issued_at)
    SELECT $11::bytea, code_hash, $3::timestamptz FROM refresh_grant)${outcomeSql}`;

/** $1 code hash, $2 client, $3 now. From then on no refresh token of the grant is good. */
export const revokeGrantOfCodeSql = `
  UPDATE refresh_grants SET revoked_at = $3 WHERE code_hash = $1 AND client_id = $2 AND revoked_at IS NULL`;

/**
 * The access tokens that came from a code, in a statement of its own: one that ran together with the winner's could not see the winner's
 * token. $1 code hash, $2 client, $3 now.
 */
export const revokeOfCodeSql = `
  UPDATE access_tokens SET revoked_at = $3 WHERE code_hash = $1 AND client_id = $2 AND revoked_at IS NULL`;
