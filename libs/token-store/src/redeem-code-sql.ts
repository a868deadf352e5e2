import { accessConsentOf, isStillGood } from '#libs/access-consent';
import { lockedRowByKey, rowByKey, rowsByKey } from '#libs/persistence';
import type { ClientAssertionId, NewAccessToken } from './access-token.js';
import type { NewRefreshToken } from './refresh-token.js';
import { lockedInOrder, revocationsOf } from './revocation-sql.js';

/** One exchange of a code for a token. */
export interface CodeRedemptionRequest {
  /** the hash of the code (`hashToken`) */
  codeHash: Buffer;
  /** must belong to the client of the code; issued at redemption */
  token: NewAccessToken;
  /** if the customer's approval lasts */
  refreshToken: NewRefreshToken | undefined;
  /** of the two JWT methods; undefined for the others */
  assertion: ClientAssertionId | undefined;
  /** of the request, for revocations by a second use of the code */
  interactionId: string;
}

/**
 * Several redemptions at once, each a row. The first of simultaneous requests with one code locks its row, and the
 * others then see `redeemed_at`; within one batch an UPDATE takes one of them. The assertion comes
 * first, so that a replayed one changes nothing; one jti must not occur twice. The consent is read here because it may
 * have been withdrawn since the code was issued; a consent consumed meanwhile with the client's own token is still
 * valid. A refresh grant lasts no longer than its consent. Returns the requests that were authenticated.
 */
export const redeemCodesSql = `
  WITH request AS MATERIALIZED (
    SELECT * FROM unnest($1::bytea[], $2::uuid[], $3::bytea[], $4::text[], $5::text[], $6::timestamptz[],
      $7::timestamptz[],
      $8::text[], $9::timestamptz[], $10::bytea[], $11::text[], $12::timestamptz[])
    AS request (code_hash, client_id, token_hash, scope, thumbprint, issued_at, expires_at, jti, jti_expires_at,
      refresh_token_hash, certificate_subject, grant_expires_at)),
  assertion AS (
    INSERT INTO used_jwt_ids (purpose, issuer, jti, expires_at)
    SELECT 'client-assertion', client_id::text, jti, jti_expires_at FROM request WHERE jti IS NOT NULL
      ORDER BY client_id, jti
    ON CONFLICT DO NOTHING RETURNING issuer, jti),
  authenticated AS MATERIALIZED (
    SELECT request.* FROM request
    LEFT JOIN assertion ON assertion.issuer = request.client_id::text AND assertion.jti = request.jti
    WHERE request.jti IS NULL OR assertion.jti IS NOT NULL ORDER BY request.code_hash),
  entitled AS MATERIALIZED (
    SELECT request.*, access.consent_id AS access_consent_id, access.expires_at AS access_expires_at
      FROM authenticated AS request
    CROSS JOIN ${lockedRowByKey('authorization_codes', 'code_hash = request.code_hash')} AS code
    LEFT JOIN ${rowByKey('payment_consents', 'consent_id = code.consent_id')} AS consent ON true
    LEFT JOIN ${accessConsentOf('code.consent_id')} AS access ON true
    WHERE code.client_id = request.client_id AND code.redeemed_at IS NULL AND code.expires_at > request.issued_at
      AND (code.consent_id IS NULL
        OR (consent.client_id = request.client_id AND consent.status IN ('Authorised', 'Consumed'))
        OR (access.client_id = request.client_id AND
          ${isStillGood('access', { now: 'request.issued_at', since: 'code.consented_at' })}))),
  code AS (
    UPDATE authorization_codes AS code SET redeemed_at = request.issued_at FROM entitled AS request
    WHERE code.code_hash = request.code_hash
    RETURNING request.*, code.consent_id, code.psu_id, code.consented_at),
  token AS (
    INSERT INTO access_tokens (token_hash, client_id, grant_type, scope, certificate_thumbprint, consent_id, psu_id,
      code_hash,
      issued_at, expires_at)
    SELECT token_hash, client_id, 'authorization_code', scope, thumbprint, consent_id, psu_id, code_hash, issued_at,
      expires_at
    FROM code RETURNING token_hash),
  refresh_grant AS (
    INSERT INTO refresh_grants (code_hash, client_id, scope, certificate_subject, psu_id, consented_at, issued_at,
      expires_at, consent_id)
    SELECT code_hash, client_id, scope, certificate_subject, psu_id, consented_at, issued_at, least(grant_expires_at,
      access_expires_at),
      access_consent_id
    FROM code WHERE refresh_token_hash IS NOT NULL),
  refresh_token AS (
    INSERT INTO refresh_tokens (token_hash, code_hash, issued_at)
    SELECT refresh_token_hash, code_hash, issued_at FROM code WHERE refresh_token_hash IS NOT NULL)
  SELECT request.token_hash, token.token_hash IS NOT NULL AS token_issued
  FROM authenticated AS request LEFT JOIN token USING (token_hash)`;

/**
 * @returns the values of $1 to $12, in the order of the codes: two batches that share codes take them in the same order
 */
export function redeemCodesParameters(requests: readonly CodeRedemptionRequest[]): unknown[] {
  const ordered = [...requests].sort((one, other) => one.codeHash.compare(other.codeHash));
  return [
    ordered.map(({ codeHash }) => codeHash),
    ordered.map(({ token }) => token.clientId),
    ordered.map(({ token }) => token.tokenHash),
    ordered.map(({ token }) => token.scope.join(' ')),
    ordered.map(({ token }) => token.certificateThumbprint),
    ordered.map(({ token }) => token.issuedAt),
    ordered.map(({ token }) => token.expiresAt),
    ordered.map(({ assertion }) => assertion?.jti ?? null),
    ordered.map(({ assertion }) => assertion?.expiresAt ?? null),
    ordered.map(({ refreshToken }) => refreshToken?.tokenHash ?? null),
    ordered.map(({ refreshToken }) => refreshToken?.certificateSubject ?? null),
    ordered.map(({ refreshToken }) => refreshToken?.expiresAt ?? null),
  ];
}

const ofRequest = { interactionId: '$4::text', actor: '$5::text', at: '$3::timestamptz' };

/**
 * $1 code hash, $2 client, $3 now, $4 interaction id, $5 actor. From then on no refresh token of the grant is valid.
 */
export const revokeGrantOfCodeSql = `
  WITH ended AS (
    UPDATE refresh_grants SET revoked_at = $3::timestamptz
    WHERE code_hash = $1 AND client_id = $2 AND revoked_at IS NULL
    RETURNING client_id),
  ended_audit AS (${revocationsOf('ended', { ...ofRequest, what: 'refresh-grant' })})
  SELECT FROM ended`;

/**
 * Revokes the access tokens of a code, in a statement of its own: together with the redemption it could not see the
 * token of the request that was faster. $1 code hash, $2 client, $3 now, $4 interaction id, $5 actor.
 */
export const revokeOfCodeSql = `
  WITH revoked AS (
    UPDATE access_tokens SET revoked_at = $3::timestamptz
    WHERE token_hash = ANY (${lockedInOrder('access_tokens', 'token_hash', {
      rows: `SELECT token_hash FROM ${rowsByKey('access_tokens', 'code_hash = $1')} AS token WHERE client_id = $2`,
      isGood: 'revoked_at IS NULL',
    })})
    RETURNING client_id),
  revoked_audit AS (${revocationsOf('revoked', { ...ofRequest, what: 'token' })})
  SELECT FROM revoked`;
