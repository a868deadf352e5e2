import { Injectable } from '@nestjs/common';
import { Batch, Database, rowByKey } from '#libs/persistence';
import { toAuthorizationCode, type AuthorizationCode, type AuthorizationCodeRow } from './authorization-code.js';
import { withoutRepeatedAssertions } from './issue-tokens-sql.js';
import {
  redeemCodesParameters,
  redeemCodesSql,
  revokeGrantOfCodeSql,
  revokeOfCodeSql,
  type CodeRedemptionRequest,
} from './redeem-code-sql.js';

const findSql = `
  SELECT code.code_hash, code.client_id, code.consent_id, code.redirect_uri, code.scope, code.psu_id, code.subject,
    code.nonce, code.acr,
    code.authenticated_at, code.consented_at, code.code_challenge, code.expires_at, code.redeemed_at
  FROM unnest($1::bytea[]) AS asked (code_hash)
  CROSS JOIN ${rowByKey('authorization_codes', 'code_hash = asked.code_hash')} AS code`;

/**
 * How a redemption ended. 'AssertionReplayed': the client did not authenticate, nothing changed. 'CodeUsed': the code
 * is no longer valid (used before, expired, or the PSU's consent has ended), and its tokens are revoked.
 */
export type CodeRedemption = 'Redeemed' | 'AssertionReplayed' | 'CodeUsed';

/** Authorization codes (RFC 6749 s4.1.2). The PSU's approval creates them, in libs/customer-session. */
@Injectable()
export class AuthorizationCodeStore {
  readonly #lookups = new Batch<Buffer, AuthorizationCode | undefined>((codeHashes) => this.#findTogether(codeHashes), {
    maxSize: 100,
    keyOf: () => this.database.inBatchesOf((codeHash) => codeHash.toString('latin1')),
  });
  readonly #redemptions = new Batch<CodeRedemptionRequest, CodeRedemption>(
    (requests) => this.#redeemTogether(requests),
    // Keeps a transaction short under any load.
    { maxSize: 50, keyOf: () => this.database.inBatchesOf(({ token }) => token.clientId) },
  );

  constructor(private readonly database: Database) {}

  /**
   * @param codeHash the hash of the code (`hashToken`)
   * @returns the code, also of another client, used or expired: the caller verifies it
   */
  async findAuthorizationCode(codeHash: Buffer): Promise<AuthorizationCode | undefined> {
    return this.#lookups.add(codeHash);
  }

  /** Look-ups of one turn share a statement, sent after all of them have arrived, so no result is stale. */
  async #findTogether(codeHashes: readonly Buffer[]): Promise<(AuthorizationCode | undefined)[]> {
    const { rows } = await this.database.query<AuthorizationCodeRow>('find-authorization-codes', findSql, [codeHashes]);
    const codes = new Map(rows.map((row) => [row.code_hash.toString('latin1'), toAuthorizationCode(row)]));
    return codeHashes.map((codeHash) => codes.get(codeHash.toString('latin1')));
  }

  /**
   * Consumes the code, redeems the client's assertion and stores the token, all of it or nothing. Consent and PSU of
   * the token are those of the code. Simultaneous requests share one statement. Call it for a used code too: that
   * revokes its tokens (RFC 6749 s4.1.2). Another client's code stays unchanged.
   */
  async redeemAuthorizationCode(request: CodeRedemptionRequest): Promise<CodeRedemption> {
    const outcome = await this.#redemptions.add(request);
    if (outcome === 'CodeUsed') {
      const { codeHash, token, interactionId } = request;
      const { applicationName } = this.database;
      const parameters = [codeHash, token.clientId, token.issuedAt, interactionId, applicationName];
      // Separate statements: the redemption cannot see the token of the request that was faster.
      await this.database.query('revoke-grant-of-code', revokeGrantOfCodeSql, parameters);
      await this.database.query('revoke-tokens-of-code', revokeOfCodeSql, parameters);
    }
    return outcome;
  }

  async #redeemTogether(requests: readonly CodeRedemptionRequest[]): Promise<CodeRedemption[]> {
    const { rows } = await this.database.query<{ token_hash: Buffer; token_issued: boolean }>(
      'redeem-authorization-codes',
      redeemCodesSql,
      redeemCodesParameters(withoutRepeatedAssertions(requests)),
    );
    const outcomes = new Map(rows.map((row) => [row.token_hash.toString('latin1'), row.token_issued]));
    return requests.map(({ token }) => {
      const isIssued = outcomes.get(token.tokenHash.toString('latin1'));
      if (isIssued === undefined) return 'AssertionReplayed';
      return isIssued ? 'Redeemed' : 'CodeUsed';
    });
  }
}
