import { Injectable } from '@nestjs/common';
import { Database } from '#libs/persistence';

/** A `jti` is kept longer than any clock tolerance with which its document might still be accepted. */
const jwtIdMarginMilliseconds = 300_000;

// SKIP LOCKED: two workers share the work instead of waiting for each other. An array, since PostgreSQL expects a short one: of a subquery
// with LIMIT it expects a tenth of the table, and then reads it all.
const deleteTokensSql = `
  DELETE FROM access_tokens WHERE token_hash = ANY (ARRAY(
    SELECT token_hash FROM access_tokens WHERE expires_at < $1 ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED))`;

// A used code stays as long as its tokens, so that a second use is still noticed and still revokes them (RFC 6749 s4.1.2).
const deleteCodesSql = `
  DELETE FROM authorization_codes WHERE code_hash = ANY (ARRAY(
    SELECT code_hash FROM authorization_codes AS code
    WHERE expires_at < $1 AND (SELECT token_hash FROM access_tokens AS token WHERE token.code_hash = code.code_hash LIMIT 1) IS NULL
      AND (SELECT client_id FROM refresh_grants AS refresh_grant WHERE refresh_grant.code_hash = code.code_hash) IS NULL
    ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED))`;

// Their refresh tokens go with them.
const deleteRefreshGrantsSql = `
  DELETE FROM refresh_grants WHERE code_hash = ANY (ARRAY(
    SELECT code_hash FROM refresh_grants WHERE expires_at < $1 ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED))`;

// What is locked stays in its place.
const deleteJwtIdsSql = `
  DELETE FROM used_jwt_ids WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM used_jwt_ids WHERE expires_at < $1 ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED))`;

/** Deletes what has expired, in batches small enough not to hold up the requests. */
@Injectable()
export class TokenHousekeeping {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Deletes one batch of expired tokens, of expired grants with their refresh tokens, of expired codes and of expired JWT ids.
   * @param batchSize most rows of each kind
   * @returns how many rows went; a batch that was full may have successors
   */
  async deleteExpired({ now, batchSize }: { now: Date; batchSize: number }): Promise<{
    accessTokens: number;
    refreshGrants: number;
    authorizationCodes: number;
    usedJwtIds: number;
  }> {
    const parameters = [now, batchSize];
    const jwtIdsBefore = new Date(now.getTime() - jwtIdMarginMilliseconds);
    const database = this.#database;
    const tokens = await database.query('delete-expired-access-tokens', deleteTokensSql, parameters);
    const grants = await database.query('delete-expired-refresh-grants', deleteRefreshGrantsSql, parameters);
    const codes = await database.query('delete-expired-authorization-codes', deleteCodesSql, parameters);
    const jwtIds = await database.query('delete-expired-jwt-ids', deleteJwtIdsSql, [jwtIdsBefore, batchSize]);
    return {
      accessTokens: tokens.rowCount ?? 0,
      refreshGrants: grants.rowCount ?? 0,
      authorizationCodes: codes.rowCount ?? 0,
      usedJwtIds: jwtIds.rowCount ?? 0,
    };
  }
}
