import { Injectable } from '@nestjs/common';
import { Batch, Database, type StatementRunner } from '#libs/persistence';
import type { ClientAssertionId, NewAccessToken } from './access-token.js';
import {
  issueTokensParameters,
  issueTokensSql,
  withoutRepeatedAssertions,
  type TokenIssue,
} from './issue-tokens-sql.js';
import { revocationsOf } from './revocation-records-sql.js';

/** 'AssertionReplayed': the client has used this `jti` before, and nothing was stored. */
export type TokenIssueOutcome = 'Issued' | 'AssertionReplayed';

/** A transaction stays short whatever the load. */
const maxBatchSize = 50;

const ofRequest = { interactionId: '$3::text', actor: '$4::text', at: '$2::timestamptz' };

/** $1 client, $2 now, $3 interaction id or null, $4 actor. Its codes count as redeemed from now on: they buy nothing any more. */
const revokeOfClientSql = `
  WITH codes AS (
    UPDATE authorization_codes SET redeemed_at = $2::timestamptz WHERE client_id = $1::uuid AND redeemed_at IS NULL),
  refresh AS (
    UPDATE refresh_grants SET revoked_at = $2::timestamptz, revision = revision + 1
    WHERE client_id = $1::uuid AND revoked_at IS NULL RETURNING client_id),
  refresh_audit AS (${revocationsOf('refresh', { ...ofRequest, what: 'refresh-grant' })}),
  access AS (
    UPDATE access_tokens SET revoked_at = $2::timestamptz, revision = revision + 1
    WHERE client_id = $1::uuid AND revoked_at IS NULL RETURNING client_id),
  access_audit AS (${revocationsOf('access', { ...ofRequest, what: 'token' })})
  SELECT count(*)::int AS revoked FROM access`;

/** Access tokens of the client credentials grant, and revocation. */
@Injectable()
export class AccessTokenStore {
  readonly #database: Database;
  readonly #issues: Batch<TokenIssue, TokenIssueOutcome>;

  constructor(database: Database) {
    this.#database = database;
    this.#issues = new Batch((issues) => this.#issueTogether(issues), {
      maxSize: maxBatchSize,
      keyOf: () => this.#database.inBatchesOf(({ token }) => token.clientId),
    });
  }

  /**
   * Stores a token of the client credentials grant (RFC 6749 s4.4) and redeems the client's assertion with it, both or neither. Resolves
   * when that is durable. Requests of the same moment share the one statement.
   * @param token the token; its client must exist
   * @param assertion of the two JWT methods; undefined for the others
   */
  issueAccessToken(token: NewAccessToken, assertion?: ClientAssertionId): Promise<TokenIssueOutcome> {
    return this.#issues.add({ token, assertion });
  }

  /**
   * Revokes every token and every unused code of a client, for the deletion of its registration (RFC 7592 s2.3).
   * @param runner the transaction that deletes the client
   * @param end `interactionId` of the request that deletes it, where one does
   */
  async revokeAllOfClient(
    runner: StatementRunner,
    { clientId, now, interactionId }: { clientId: string; now: Date; interactionId?: string },
  ): Promise<void> {
    const parameters = [clientId, now, interactionId ?? null, this.#database.applicationName];
    await runner.query('revoke-tokens-of-client', revokeOfClientSql, parameters);
  }

  async #issueTogether(issues: readonly TokenIssue[]): Promise<TokenIssueOutcome[]> {
    const { rows } = await this.#database.query<{ token_hash: Buffer }>(
      'issue-access-tokens',
      issueTokensSql,
      issueTokensParameters(withoutRepeatedAssertions(issues)),
    );
    const issued = new Set(rows.map((row) => row.token_hash.toString('hex')));
    return issues.map(({ token }) => (issued.has(token.tokenHash.toString('hex')) ? 'Issued' : 'AssertionReplayed'));
  }
}
