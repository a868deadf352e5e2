import { Injectable } from '@nestjs/common';
import { Database } from '#libs/persistence';
import type { ClientAssertionId, NewAccessToken } from './access-token.js';
import { revokeOfCodeSql } from './redeem-code-sql.js';
import { toRefreshToken, type RefreshToken, type RefreshTokenRow } from './refresh-token.js';
import { findRefreshTokenSql, revokeReusedGrantSql, useRefreshTokenSql } from './refresh-token-sql.js';

/**
 * How a use ended. 'AssertionReplayed': the client did not authenticate, nothing changed. 'TokenUsed': the token is no
 * longer valid; if it was used before, its whole grant has ended.
 */
export type RefreshTokenUse = 'Used' | 'AssertionReplayed' | 'TokenUsed';

/**
 * Refresh tokens (RFC 6749 s6): valid until the grant ends or, with rotation, for one use, which issues the next one
 * (RFC 9700 s4.14.2).
 */
@Injectable()
export class RefreshTokenStore {
  constructor(private readonly database: Database) {}

  /** @returns the token, also of another client, used or revoked: the caller verifies it */
  async findRefreshToken(tokenHash: Buffer): Promise<RefreshToken | undefined> {
    const { rows } = await this.database.query<RefreshTokenRow>('find-refresh-token', findRefreshTokenSql, [tokenHash]);
    return rows[0] && toRefreshToken(rows[0]);
  }

  /**
   * Redeems the client's assertion, stores the access token and, with a next refresh token, uses this one up, all in
   * one statement or not at all. Call it for a used token too: that ends its grant.
   * @param use `token` must belong to the client of the refresh token; `nextTokenHash` is the hash of the next refresh
   * token, where tokens rotate
   */
  async useRefreshToken(use: {
    tokenHash: Buffer;
    token: NewAccessToken;
    nextTokenHash?: Buffer;
    assertion?: ClientAssertionId;
    now: Date;
    interactionId: string;
  }): Promise<RefreshTokenUse> {
    const { tokenHash, token, nextTokenHash, assertion, now } = use;
    const { rows } = await this.database.query<{ assertion_redeemed: boolean; token_issued: boolean }>(
      'use-refresh-token',
      useRefreshTokenSql,
      [
        tokenHash,
        token.clientId,
        now,
        assertion?.jti ?? null,
        assertion?.expiresAt ?? null,
        token.tokenHash,
        token.scope.join(' '),
        token.certificateThumbprint,
        token.expiresAt,
        nextTokenHash ?? null,
      ],
    );
    if (rows[0]?.token_issued) return 'Used';
    if (!rows[0]?.assertion_redeemed) return 'AssertionReplayed';
    await this.#revokeReusedGrant(use);
    return 'TokenUsed';
  }

  async #revokeReusedGrant(reuse: {
    tokenHash: Buffer;
    token: NewAccessToken;
    now: Date;
    interactionId: string;
  }): Promise<void> {
    const { tokenHash, token, now, interactionId } = reuse;
    const { clientId } = token;
    const { applicationName } = this.database;
    const { rows } = await this.database.query<{ code_hash: Buffer }>(
      'revoke-reused-refresh-grant',
      revokeReusedGrantSql,
      [tokenHash, clientId, now, interactionId, applicationName],
    );
    const codeHash = rows[0]?.code_hash;
    if (codeHash === undefined) return;
    // Afterwards, because only now the access token of the faster use is visible.
    const parameters = [codeHash, clientId, now, interactionId, applicationName];
    await this.database.query('revoke-tokens-of-code', revokeOfCodeSql, parameters);
  }
}
