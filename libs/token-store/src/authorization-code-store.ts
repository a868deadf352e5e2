import { Injectable } from '@nestjs/common';
import { Batch, Database } from '#libs/persistence';
import type { ClientAssertionId, NewAccessToken } from './access-token.js';
import { toAuthorizationCode, type AuthorizationCode, type AuthorizationCodeRow } from './authorization-code.js';
import type { NewRefreshToken } from './refresh-token.js';
import {
  redeemCodeSql,
  redeemCodeWithRefreshTokenSql,
  revokeGrantOfCodeSql,
  revokeOfCodeSql,
} from './redeem-code-sql.js';

const findSql = `
  SELECT code_hash, client_id, consent_id, redirect_uri, scope, psu_id, subject, nonce, acr, authenticated_at, consented_at,
    code_challenge, expires_at, redeemed_at
  FROM authorization_codes WHERE code_hash = ANY ($1::bytea[])`;

/**
 * How a redemption ended. 'AssertionReplayed': the client did not authenticate, nothing changed. 'CodeUsed': the code is no longer good
 * (used before, expired, or the PSU's consent is gone), and the tokens that came from it are revoked.
 */
export type CodeRedemption = 'Redeemed' | 'AssertionReplayed' | 'CodeUsed';

/** Authorization codes (RFC 6749 s4.1.2). They come into being with the PSU's approval, in libs/authorization-session. */
@Injectable()
export class AuthorizationCodeStore {
  readonly #database: Database;
  readonly #lookups = new Batch<Buffer, AuthorizationCode | undefined>((codeHashes) => this.#findTogether(codeHashes), {
    maxSize: 100,
  });

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * @param codeHash SHA-256 of the code
   * @returns the code of whichever client, used and expired ones too: the caller verifies it
   */
  async findAuthorizationCode(codeHash: Buffer): Promise<AuthorizationCode | undefined> {
    return this.#lookups.add(codeHash);
  }

  /** Look-ups that arrive in one turn share a statement. It is sent after all of them arrived, so nothing is stale. */
  async #findTogether(codeHashes: readonly Buffer[]): Promise<(AuthorizationCode | undefined)[]> {
    const { rows } = await this.#database.query<AuthorizationCodeRow>('find-authorization-codes', findSql, [
      codeHashes,
    ]);
    const codes = new Map(rows.map((row) => [row.code_hash.toString('latin1'), toAuthorizationCode(row)]));
    return codeHashes.map((codeHash) => codes.get(codeHash.toString('latin1')));
  }

  /**
   * Consumes the code, redeems the client's assertion and stores the token, all in one statement or not at all. Consent and PSU of the
   * token are those of the code. To be called for a code that is already used as well: that is what revokes its tokens
   * (RFC 6749 s4.1.2). A code of another client is left as it is.
   * @param code its hash, its client and the moment
   * @param token must belong to the same client
   * @param refreshToken where the customer's approval lasts
   * @param assertion of the two JWT methods; undefined for the others
   */
  async redeemAuthorizationCode({
    codeHash,
    token,
    refreshToken,
    assertion,
    now,
  }: {
    codeHash: Buffer;
    token: NewAccessToken;
    refreshToken?: NewRefreshToken;
    assertion?: ClientAssertionId;
    now: Date;
  }): Promise<CodeRedemption> {
    const { rows } = await this.#database.query<{ assertion_redeemed: boolean; token_issued: boolean }>(
      refreshToken === undefined ? 'redeem-authorization-code' : 'redeem-authorization-code-with-refresh-token',
      refreshToken === undefined ? redeemCodeSql : redeemCodeWithRefreshTokenSql,
      [
        codeHash,
        token.clientId,
        now,
        assertion?.jti ?? null,
        assertion?.expiresAt ?? null,
        token.tokenHash,
        token.scope.join(' '),
        token.certificateThumbprint,
        token.issuedAt,
        token.expiresAt,
        ...(refreshToken === undefined
          ? []
          : [refreshToken.tokenHash, refreshToken.certificateSubject, refreshToken.expiresAt]),
      ],
    );
    if (rows[0]?.token_issued) return 'Redeemed';
    if (!rows[0]?.assertion_redeemed) return 'AssertionReplayed';
    // Statements of their own: the one above cannot see the token of the request that won against it.
    await this.#database.query('revoke-grant-of-code', revokeGrantOfCodeSql, [codeHash, token.clientId, now]);
    await this.#database.query('revoke-tokens-of-code', revokeOfCodeSql, [codeHash, token.clientId, now]);
    return 'CodeUsed';
  }
}
