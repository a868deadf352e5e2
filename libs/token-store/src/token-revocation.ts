import { Injectable } from '@nestjs/common';
import { Database } from '#libs/persistence';
import type { ClientAssertionId } from './access-token.js';
import { revokeOfCodeSql } from './redeem-code-sql.js';
import { revokeTokenSql } from './refresh-token-sql.js';

/** Revocation by the client itself (RFC 7009). */
@Injectable()
export class TokenRevocation {
  constructor(private readonly database: Database) {}

  /**
   * Ends a token of the client, and redeems the client's assertion with it. A refresh token ends with its whole grant.
   * An unknown, ended or foreign token changes nothing, and the answer does not say which (RFC 7009 s2.2). Resolves
   * when that is durable.
   * @param revocation `tokenHash` is the hash of an access or a refresh token (`hashToken`)
   */
  async revokeToken(revocation: {
    tokenHash: Buffer;
    clientId: string;
    assertion?: ClientAssertionId;
    now: Date;
    interactionId: string;
  }): Promise<'Revoked' | 'AssertionReplayed'> {
    const { tokenHash, clientId, assertion, now, interactionId } = revocation;
    const { applicationName } = this.database;
    const { rows } = await this.database.query<{ assertion_redeemed: boolean; code_hash: Buffer | null }>(
      'revoke-token',
      revokeTokenSql,
      [tokenHash, clientId, now, assertion?.jti ?? null, assertion?.expiresAt ?? null, interactionId, applicationName],
    );
    if (!rows[0]?.assertion_redeemed) return 'AssertionReplayed';
    const codeHash = rows[0].code_hash;
    // Afterwards, because only now a simultaneously issued access token is visible.
    if (codeHash !== null) {
      const parameters = [codeHash, clientId, now, interactionId, applicationName];
      await this.database.query('revoke-tokens-of-code', revokeOfCodeSql, parameters);
    }
    return 'Revoked';
  }
}
