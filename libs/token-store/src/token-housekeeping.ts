import { Injectable } from '@nestjs/common';
import { Database } from '#libs/persistence';

/** A `jti` is kept longer than any clock tolerance with which its document might still be accepted. */
const jwtIdMarginMilliseconds = 300_000;

// SKIP LOCKED: two workers share the work instead of waiting for each other.
const deleteTokensSql = `
  DELETE FROM access_tokens WHERE token_hash IN (
    SELECT token_hash FROM access_tokens WHERE expires_at < $1 ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED)`;

// A used code stays as long as its tokens, so that a second use is still noticed and still revokes them (RFC 6749 s4.1.2).
const deleteCodesSql = `
  DELETE FROM authorization_codes WHERE code_hash IN (
    SELECT code_hash FROM authorization_codes AS code
    WHERE expires_at < $1 AND NOT EXISTS (SELECT FROM access_tokens AS token WHERE token.code_hash = code.code_hash)
      AND NOT EXISTS (SELECT FROM refresh_grants AS refresh_grant WHERE refresh_grant.code_hash = code.code_hash)
    ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED)`;

// Their refresh tokens go with them.
const deleteRefreshGrantsSql = `
  DELETE FROM refresh_grants WHERE code_hash IN (
    SELECT code_hash FROM refresh_grants WHERE expires_at < $1 ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED)`;

const deleteJwtIdsSql = `
  DELETE FROM used_jwt_ids WHERE (purpose, issuer, jti) IN (
    SELECT purpose, issuer, jti FROM used_jwt_ids WHERE expires_at < $1 ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED)`;

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
    const remove = async (name: string, sql: string, before: Date): Promise<number> =>
      (await this.#database.query(name, sql, [before, batchSize])).rowCount ?? 0;

    const jwtIdsBefore = new Date(now.getTime() - jwtIdMarginMilliseconds);
    return {
      accessTokens: await remove('delete-expired-access-tokens', deleteTokensSql, now),
      refreshGrants: await remove('delete-expired-refresh-grants', deleteRefreshGrantsSql, now),
      authorizationCodes: await remove('delete-expired-authorization-codes', deleteCodesSql, now),
      usedJwtIds: await remove('delete-expired-jwt-ids', deleteJwtIdsSql, jwtIdsBefore),
    };
  }
}
