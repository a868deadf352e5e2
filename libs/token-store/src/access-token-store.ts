import { Injectable } from '@nestjs/common';
import { Database, type StatementRunner } from '#libs/persistence';
import type { ClientAssertionId, NewAccessToken } from './access-token.js';

const insertToken = `
  INSERT INTO access_tokens (token_hash, client_id, grant_type, scope, certificate_thumbprint, issued_at, expires_at)`;

const issueSql = `${insertToken}
  VALUES ($1, $2, 'client_credentials', $3, $4, $5, $6)`;

// The token exists only if the jti was new: one statement, so of two simultaneous uses exactly one succeeds. The index waits for the other
// transaction before it decides. An expired jti conflicts as well, until its row is deleted.
const issueWithAssertionSql = `
  WITH assertion AS (
    INSERT INTO used_jwt_ids (purpose, issuer, jti, expires_at) VALUES ('client-assertion', $2::uuid::text, $7, $8)
    ON CONFLICT DO NOTHING RETURNING jti)
  ${insertToken}
  SELECT $1::bytea, $2::uuid, 'client_credentials', $3::text, $4::text, $5::timestamptz, $6::timestamptz FROM assertion`;

// Codes of the client count as redeemed from now on: they buy nothing any more.
const revokeOfClientSql = `
  WITH codes AS (
    UPDATE authorization_codes SET redeemed_at = $2::timestamptz WHERE client_id = $1::uuid AND redeemed_at IS NULL)
  UPDATE access_tokens SET revoked_at = $2::timestamptz WHERE client_id = $1::uuid AND revoked_at IS NULL`;

/** Access tokens of the client credentials grant, and revocation. */
@Injectable()
export class AccessTokenStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Stores a token of the client credentials grant (RFC 6749 s4.4) and redeems the client's assertion with it: one round trip.
   * @param token the token; its client must exist
   * @param assertion of the two JWT methods; undefined for the others
   * @returns 'AssertionReplayed' if the client has used this `jti` before; nothing is stored then
   */
  async issueAccessToken(
    token: NewAccessToken,
    assertion?: ClientAssertionId,
  ): Promise<'Issued' | 'AssertionReplayed'> {
    const values = [
      token.tokenHash,
      token.clientId,
      token.scope.join(' '),
      token.certificateThumbprint,
      token.issuedAt,
      token.expiresAt,
    ];
    const { rowCount } =
      assertion === undefined
        ? await this.#database.query('issue-access-token', issueSql, values)
        : await this.#database.query('issue-access-token-with-assertion', issueWithAssertionSql, [
            ...values,
            assertion.jti,
            assertion.expiresAt,
          ]);
    return rowCount === 1 ? 'Issued' : 'AssertionReplayed';
  }

  /**
   * Revokes every token and every unused code of a client, for the deletion of its registration (RFC 7592 s2.3).
   * @param runner the transaction that deletes the client
   */
  async revokeAllOfClient(runner: StatementRunner, { clientId, now }: { clientId: string; now: Date }): Promise<void> {
    await runner.query('revoke-tokens-of-client', revokeOfClientSql, [clientId, now]);
  }
}
