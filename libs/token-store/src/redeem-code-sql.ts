/**
 * $1 code hash, $2 client, $3 now, $4 jti or null, $5 its expiry, $6 token hash, $7 scope, $8 thumbprint, $9 issued at, $10 expires at.
 * Of simultaneous requests with one code the first locks the row, and the others see `redeemed_at` set when they get it. The assertion
 * comes first, so that a replayed one changes nothing. The consent is read here because it may have been withdrawn since the code was
 * issued; a consent that was consumed meanwhile with the client's own token is still the PSU's will.
 */
export const redeemCodeSql = `
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
    RETURNING code_hash, client_id, consent_id, psu_id),
  token AS (
    INSERT INTO access_tokens (token_hash, client_id, grant_type, scope, certificate_thumbprint, consent_id, psu_id, code_hash,
      issued_at, expires_at)
    SELECT $6::bytea, client_id, 'authorization_code', $7::text, $8::text, consent_id, psu_id, code_hash,
      $9::timestamptz, $10::timestamptz
    FROM code RETURNING token_hash)
  SELECT (SELECT value FROM authenticated) AS assertion_redeemed, EXISTS (SELECT FROM token) AS token_issued`;
