import { Injectable } from '@nestjs/common';
import { Database } from '#libs/persistence';

/** A `jti` is kept longer than any clock tolerance with which its document might still be accepted. */
const jwtIdMarginMilliseconds = 300_000;
/** Pause before a code is checked again whose tokens have expired but are not deleted yet. */
const retryMilliseconds = 60_000;

// SKIP LOCKED: two workers share the work instead of waiting for each other. An array, since PostgreSQL expects a short
// one: of a subquery with LIMIT it expects a tenth of the table, and then reads it all.
const deleteTokensSql = `
  DELETE FROM access_tokens WHERE token_hash = ANY (ARRAY(
    SELECT token_hash FROM access_tokens WHERE expires_at < $1 ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED))`;

// A used code stays as long as its grant and its tokens, so that a second use is noticed and still revokes them (RFC
// 6749 s4.1.2). The time of the next check is stored, so that a code kept for long is not checked at every step. While
// there is a grant, it decides alone; the check after it finds a token that has outlived it. $3: when to look again at
// a code whose grant or tokens have expired, but are still there.
const deleteCodesSql = `
  WITH due AS MATERIALIZED (
    SELECT code_hash FROM authorization_codes
    WHERE COALESCE(kept_until, expires_at) < $1 ORDER BY COALESCE(kept_until, expires_at) LIMIT $2
      FOR UPDATE SKIP LOCKED),
  judged AS MATERIALIZED (
    SELECT code_hash, coalesce(
      (SELECT expires_at FROM refresh_grants AS refresh_grant WHERE refresh_grant.code_hash = due.code_hash),
      (SELECT max(expires_at) FROM access_tokens AS token WHERE token.code_hash = due.code_hash)) AS needed_until
        FROM due),
  kept AS (
    UPDATE authorization_codes AS code SET kept_until = greatest(judged.needed_until, $3::timestamptz) FROM judged
    WHERE code.code_hash = ANY (ARRAY(SELECT code_hash FROM judged WHERE needed_until IS NOT NULL))
      AND code.code_hash = judged.code_hash),
  deleted AS (
    DELETE FROM authorization_codes
    WHERE code_hash = ANY (ARRAY(SELECT code_hash FROM judged WHERE needed_until IS NULL)) RETURNING code_hash)
  SELECT (SELECT count(*)::int FROM due) AS due, (SELECT count(*)::int FROM deleted) AS deleted`;

// Their refresh tokens go with them.
const deleteRefreshGrantsSql = `
  DELETE FROM refresh_grants WHERE code_hash = ANY (ARRAY(
    SELECT code_hash FROM refresh_grants WHERE expires_at < $1 ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED))`;

// Arrays again: PostgreSQL expects few keys in them, and looks each up by its index.
const deleteJwtIdsSql = `
  WITH due AS MATERIALIZED (
    SELECT array_agg(purpose) AS purposes, array_agg(issuer) AS issuers, array_agg(jti) AS jtis FROM (
      SELECT purpose, issuer, jti FROM used_jwt_ids WHERE expires_at < $1 ORDER BY expires_at LIMIT $2
        FOR UPDATE SKIP LOCKED) AS locked)
  DELETE FROM used_jwt_ids AS used USING due, unnest(due.purposes, due.issuers, due.jtis) AS key (purpose, issuer, jti)
  WHERE used.purpose = key.purpose AND used.issuer = key.issuer AND used.jti = key.jti`;

/** Deletes what has expired, in batches small enough not to hold up the requests. */
@Injectable()
export class TokenHousekeeping {
  constructor(private readonly database: Database) {}

  /**
   * Deletes one batch of expired tokens, of expired grants with their refresh tokens, of expired codes and of expired
   * JWT ids.
   * @param batchSize most rows of each kind
   * @returns how many rows were deleted
   */
  async deleteExpired({ now, batchSize }: { now: Date; batchSize: number }): Promise<{
    accessTokens: number;
    refreshGrants: number;
    authorizationCodes: number;
    usedJwtIds: number;
    /** whether a batch was full, so that there may be more, even if codes were checked and kept */
    isMore: boolean;
  }> {
    const parameters = [now, batchSize];
    const jwtIdsBefore = new Date(now.getTime() - jwtIdMarginMilliseconds);
    const database = this.database;
    const tokens = await database.query('delete-expired-access-tokens', deleteTokensSql, parameters);
    const grants = await database.query('delete-expired-refresh-grants', deleteRefreshGrantsSql, parameters);
    const codes = await database.query<{ due: number; deleted: number }>(
      'delete-expired-authorization-codes',
      deleteCodesSql,
      [...parameters, new Date(now.getTime() + retryMilliseconds)],
    );
    const { due = 0, deleted = 0 } = codes.rows[0] ?? {};
    const jwtIds = await database.query('delete-expired-jwt-ids', deleteJwtIdsSql, [jwtIdsBefore, batchSize]);
    const looked = [tokens.rowCount, grants.rowCount, due, jwtIds.rowCount];
    return {
      accessTokens: tokens.rowCount ?? 0,
      refreshGrants: grants.rowCount ?? 0,
      authorizationCodes: deleted,
      usedJwtIds: jwtIds.rowCount ?? 0,
      isMore: looked.some((count) => (count ?? 0) >= batchSize),
    };
  }
}
