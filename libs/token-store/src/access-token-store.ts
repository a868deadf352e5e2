import { Injectable } from '@nestjs/common';
import type { StatementTime } from '#libs/config';
import { Batch, Database, type StatementRunner } from '#libs/persistence';
import type { ClientAssertionId, NewAccessToken } from './access-token.js';
import {
  issueTokensParameters,
  issueTokensSql,
  withoutRepeatedAssertions,
  type TokenIssue,
} from './issue-tokens-sql.js';
import { lockedInOrder, revocationsOf } from './revocation-sql.js';

/** 'AssertionReplayed': the client has used this `jti` before, and nothing was stored. */
export type TokenIssueOutcome = 'Issued' | 'AssertionReplayed';

/** Keeps a transaction short under any load. */
const maxBatchSize = 50;

const ofRequest = { interactionId: '$3::text', actor: '$4::text', at: '$2::timestamptz' };

/** Rows of each kind that one statement ends: a busy client has too many for one. */
const mostEnded = 2_000;

/** The first of a client's rows that are still good, found by the client's index alone. */
const goodOfClient = (table: string, key: string, isGood: string): string =>
  lockedInOrder(table, key, {
    rows: `SELECT ${key} FROM (SELECT * FROM ${table} WHERE client_id = $1::uuid OFFSET 0) AS own WHERE ${isGood}`,
    isGood,
    limit: mostEnded,
  });

/** $1 client, $2 now, $3 interaction id or null, $4 actor. Its codes count as redeemed from now on. */
const revokeOfClientSql = `
  WITH codes AS (
    UPDATE authorization_codes SET redeemed_at = $2::timestamptz
    WHERE client_id = $1::uuid
      AND code_hash = ANY (${goodOfClient('authorization_codes', 'code_hash', 'redeemed_at IS NULL')})
    RETURNING client_id),
  refresh AS (
    UPDATE refresh_grants SET revoked_at = $2::timestamptz
    WHERE client_id = $1::uuid
      AND code_hash = ANY (${goodOfClient('refresh_grants', 'code_hash', 'revoked_at IS NULL')})
    RETURNING client_id),
  refresh_audit AS (${revocationsOf('refresh', { ...ofRequest, what: 'refresh-grant' })}),
  access AS (
    UPDATE access_tokens SET revoked_at = $2::timestamptz
    WHERE client_id = $1::uuid
      AND token_hash = ANY (${goodOfClient('access_tokens', 'token_hash', 'revoked_at IS NULL')})
    RETURNING client_id),
  access_audit AS (${revocationsOf('access', { ...ofRequest, what: 'token' })})
  SELECT ((SELECT count(*) FROM codes) + (SELECT count(*) FROM refresh) + (SELECT count(*) FROM access))::int AS ended`;

/** Access tokens of the client credentials grant, and revocation. */
@Injectable()
export class AccessTokenStore {
  readonly #issues: Batch<TokenIssue, TokenIssueOutcome>;

  constructor(private readonly database: Database) {
    this.#issues = new Batch((issues) => this.#issueTogether(issues), {
      maxSize: maxBatchSize,
      keyOf: () => this.database.inBatchesOf(({ token }) => token.clientId),
    });
  }

  /**
   * Stores a token of the client credentials grant (RFC 6749 s4.4) and redeems the client's assertion with it, both or
   * neither. Resolves when that is durable. Simultaneous requests share one statement.
   * @param token the token; its client must exist
   * @param assertion of the two JWT methods; undefined for the others
   */
  issueAccessToken(token: NewAccessToken, assertion?: ClientAssertionId): Promise<TokenIssueOutcome> {
    return this.#issues.add({ token, assertion });
  }

  /**
   * Revokes tokens and unused codes of a client whose registration is deleted (RFC 7592 s2.3); its status has made them
   * invalid already. This is one step; the worker does the others.
   * @param runner the transaction that deletes the client, or the database afterwards
   * @param end `interactionId` of the request that deletes it, if any; `actor`, if it is not this process
   * @returns how many ended; 0 when nothing is left
   */
  async revokeOfClient(
    runner: StatementRunner,
    {
      clientId,
      now,
      interactionId,
      actor,
    }: { clientId: string; now: StatementTime; interactionId?: string | null; actor?: string },
  ): Promise<number> {
    const parameters = [clientId, now, interactionId ?? null, actor ?? this.database.applicationName];
    const { rows } = await runner.query<{ ended: number }>('revoke-tokens-of-client', revokeOfClientSql, parameters);
    return rows[0]?.ended ?? 0;
  }

  async #issueTogether(issues: readonly TokenIssue[]): Promise<TokenIssueOutcome[]> {
    const { rows } = await this.database.query<{ token_hash: Buffer }>(
      'issue-access-tokens',
      issueTokensSql,
      issueTokensParameters(withoutRepeatedAssertions(issues)),
    );
    const issued = new Set(rows.map((row) => row.token_hash.toString('hex')));
    return issues.map(({ token }) => (issued.has(token.tokenHash.toString('hex')) ? 'Issued' : 'AssertionReplayed'));
  }
}
