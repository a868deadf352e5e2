import { accessConsentOf, isStillGood } from '#libs/access-consent';
import { lockedRowByKey, rowByKey } from '#libs/persistence';
import { revocationsOf } from './revocation-sql.js';

/** $1 token hash */
export const findRefreshTokenSql = `
  SELECT refresh_grant.code_hash AS grant_hash, refresh_grant.client_id, refresh_grant.psu_id, refresh_grant.scope,
    refresh_grant.certificate_subject,
    refresh_grant.consented_at, refresh_grant.expires_at, refresh_grant.revoked_at, token.used_at
  FROM ${rowByKey('refresh_tokens', 'token_hash = $1')} AS token
  CROSS JOIN ${rowByKey('refresh_grants', 'code_hash = token.code_hash')} AS refresh_grant`;

/**
 * $1 token hash, $2 client, $3 now, $4 jti or null, $5 its expiry, $6 hash of the access token, $7 its scope, $8
 * thumbprint, $9 its end, $10 hash of the next refresh token, or null if the token stays valid. The grant is locked
 * first: simultaneous uses see `used_at` one after the other, and a revocation either comes before or waits, so that it
 * sees the access token. A use that already sees `used_at` does not wait, because each wait lasts as long as another
 * commit. If the grant is for access, its consent must be valid.
 */
export const useRefreshTokenSql = `
  WITH assertion AS (
    INSERT INTO used_jwt_ids (purpose, issuer, jti, expires_at)
    SELECT 'client-assertion', $2::uuid::text, $4::text, $5::timestamptz WHERE $4::text IS NOT NULL
    ON CONFLICT DO NOTHING RETURNING jti),
  authenticated AS MATERIALIZED (
    SELECT $4::text IS NULL OR EXISTS (SELECT FROM assertion) AS value),
  held AS MATERIALIZED (
    SELECT refresh_grant.code_hash, refresh_grant.psu_id, refresh_grant.consent_id
    FROM ${rowByKey('refresh_tokens', 'token_hash = $1::bytea')} AS token
    CROSS JOIN ${lockedRowByKey('refresh_grants', 'code_hash = token.code_hash')} AS refresh_grant
    LEFT JOIN ${accessConsentOf('refresh_grant.consent_id')} AS access ON true
    WHERE token.used_at IS NULL AND refresh_grant.client_id = $2::uuid
      AND refresh_grant.revoked_at IS NULL AND refresh_grant.expires_at > $3::timestamptz AND (SELECT value
        FROM authenticated)
      AND (refresh_grant.consent_id IS NULL OR
        ${isStillGood('access', { now: '$3::timestamptz', since: 'refresh_grant.consented_at' })})),
  rotated AS (
    UPDATE refresh_tokens AS token SET used_at = $3::timestamptz FROM held
    WHERE $10::bytea IS NOT NULL AND token.token_hash = $1::bytea AND token.code_hash = held.code_hash
      AND token.used_at IS NULL
    RETURNING held.code_hash, held.psu_id, held.consent_id),
  next AS (
    INSERT INTO refresh_tokens (token_hash, code_hash, issued_at)
    SELECT $10::bytea, code_hash, $3::timestamptz FROM rotated),
  used AS (
    SELECT code_hash, psu_id, consent_id FROM rotated
    UNION ALL SELECT code_hash, psu_id, consent_id FROM held WHERE $10::bytea IS NULL),
  token AS (
    INSERT INTO access_tokens (token_hash, client_id, grant_type, scope, certificate_thumbprint, psu_id, consent_id,
      code_hash, issued_at,
      expires_at)
    SELECT $6::bytea, $2::uuid, 'authorization_code', $7::text, $8::text, psu_id, consent_id, code_hash,
      $3::timestamptz, $9::timestamptz
    FROM used RETURNING token_hash)
  SELECT (SELECT value FROM authenticated) AS assertion_redeemed, EXISTS (SELECT FROM token) AS token_issued`;

/**
 * $1 token hash, $2 client, $3 now, $4 interaction id, $5 actor. A second use ends the grant (RFC 9700 s4.14.2);
 * returns it, ended before or now, so that its access tokens end after it.
 */
export const revokeReusedGrantSql = `
  WITH reused AS (
    SELECT token.code_hash
    FROM ${rowByKey('refresh_tokens', 'token_hash = $1::bytea')} AS token
    CROSS JOIN ${rowByKey('refresh_grants', 'code_hash = token.code_hash')} AS refresh_grant
    WHERE token.used_at IS NOT NULL AND refresh_grant.client_id = $2::uuid),
  ended AS (
    UPDATE refresh_grants SET revoked_at = $3::timestamptz
    WHERE revoked_at IS NULL AND code_hash = (SELECT code_hash FROM reused)
    RETURNING client_id),
  ended_audit AS (${revocationsOf('ended', {
    what: 'refresh-grant',
    interactionId: '$4::text',
    actor: '$5::text',
    at: '$3::timestamptz',
  })})
  SELECT code_hash FROM reused`;

const ofRevocation = { interactionId: '$6::text', actor: '$7::text', at: '$3::timestamptz' };

/**
 * Revocation (RFC 7009). $1 token hash, $2 client, $3 now, $4 jti or null, $5 its expiry, $6 interaction id, $7 actor.
 * An access token ends alone; a refresh token ends its grant, whose access tokens the caller ends afterwards.
 */
export const revokeTokenSql = `
  WITH assertion AS (
    INSERT INTO used_jwt_ids (purpose, issuer, jti, expires_at)
    SELECT 'client-assertion', $2::uuid::text, $4::text, $5::timestamptz WHERE $4::text IS NOT NULL
    ON CONFLICT DO NOTHING RETURNING jti),
  authenticated AS MATERIALIZED (
    SELECT $4::text IS NULL OR EXISTS (SELECT FROM assertion) AS value),
  access AS (
    UPDATE access_tokens SET revoked_at = $3::timestamptz
    WHERE revoked_at IS NULL AND (SELECT value FROM authenticated) AND token_hash = (
      SELECT token_hash FROM ${rowByKey('access_tokens', 'token_hash = $1::bytea')} AS token WHERE client_id = $2::uuid)
    RETURNING client_id),
  access_audit AS (${revocationsOf('access', { ...ofRevocation, what: 'token' })}),
  of_token AS MATERIALIZED (
    SELECT refresh_grant.code_hash FROM ${rowByKey('refresh_tokens', 'token_hash = $1::bytea')} AS token
    CROSS JOIN ${rowByKey('refresh_grants', 'code_hash = token.code_hash')} AS refresh_grant
    WHERE refresh_grant.client_id = $2::uuid AND (SELECT value FROM authenticated)),
  refresh AS (
    UPDATE refresh_grants SET revoked_at = $3::timestamptz
    WHERE revoked_at IS NULL AND code_hash = (SELECT code_hash FROM of_token)
    RETURNING client_id),
  refresh_audit AS (${revocationsOf('refresh', { ...ofRevocation, what: 'refresh-grant' })})
  SELECT (SELECT value FROM authenticated) AS assertion_redeemed, (SELECT code_hash FROM of_token) AS code_hash`;
