import { Injectable } from '@nestjs/common';
import { Database, membersOf, recordAuditEvent, rowByKey, type RowOf } from '#libs/persistence';
import { revokeGrantOfCodeSql, revokeOfCodeSql } from './redeem-code-sql.js';
import { revocationsOf } from './revocation-sql.js';

/** A customer's approval that lasts: a client may renew its access token until it ends. */
export interface RefreshGrant {
  /** the hash of its code (`hashToken`): identifies the grant */
  readonly grantHash: Buffer;
  readonly clientName: string;
  readonly orgName: string;
  /** for whom the client acts as an agent */
  readonly onBehalfOfOrg?: string;
  readonly scope: readonly string[];
  readonly consentedAt: Date;
  readonly expiresAt: Date;
  /** when a refresh token was last issued for it */
  readonly usedAt: Date;
  /** when it ended early, whoever ended it */
  readonly revokedAt?: Date;
}

type RefreshGrantRow = RowOf<Omit<RefreshGrant, 'scope'>> & { scope: string };

/** More than anybody reads. */
const mostGrants = 100;

/**
 * $1 PSU, $2 now. Current ones first; without grants of consents, which are listed with their consents, and without
 * those of deleted clients.
 */
const findOfPsuSql = `
  SELECT refresh_grant.code_hash AS grant_hash, client.client_name, client.org_name, client.on_behalf_of_org,
    refresh_grant.scope, refresh_grant.consented_at, refresh_grant.expires_at, refresh_grant.revoked_at,
    (SELECT max(token.issued_at) FROM refresh_tokens AS token
      WHERE token.code_hash = refresh_grant.code_hash) AS used_at
  FROM refresh_grants AS refresh_grant JOIN clients AS client ON client.client_id = refresh_grant.client_id
  WHERE refresh_grant.psu_id = $1 AND refresh_grant.consent_id IS NULL AND refresh_grant.expires_at > $2
    AND client.status <> 'Deleted'
  ORDER BY refresh_grant.revoked_at IS NOT NULL, refresh_grant.consented_at DESC LIMIT ${mostGrants}`;

/** $1 grant, $2 PSU, $3 now, $4 interaction id, $5 actor. Somebody else's grant stays as it is. */
const endOfPsuSql = `
  WITH ended AS (
    UPDATE refresh_grants SET revoked_at = $3::timestamptz
    WHERE code_hash = $1 AND psu_id = $2 AND revoked_at IS NULL AND expires_at > $3::timestamptz
    RETURNING client_id),
  ended_audit AS (${revocationsOf('ended', {
    what: 'refresh-grant',
    interactionId: '$4::text',
    actor: '$5::text',
    at: '$3::timestamptz',
  })})
  SELECT client_id FROM ended`;

/** $1 code hash, $2 client, $3 now. From then on the code is useless. */
const spendCodeSql = `
  UPDATE authorization_codes SET redeemed_at = $3
  WHERE redeemed_at IS NULL AND code_hash = (
    SELECT code_hash FROM ${rowByKey('authorization_codes', 'code_hash = $1')} AS code WHERE client_id = $2)`;

/** The approvals of a customer that last (FAPI 1.0 Baseline s5.2.2 requires that they can be withdrawn). */
@Injectable()
export class RefreshGrantStore {
  constructor(private readonly database: Database) {}

  /** @returns the grants of a customer that have not run out, ended ones too; the latest hundred */
  async findOfPsu(psuId: string, now: Date): Promise<RefreshGrant[]> {
    const { rows } = await this.database.query<RefreshGrantRow>('find-refresh-grants-of-psu', findOfPsuSql, [
      psuId,
      now,
    ]);
    return rows.map((row) => ({ ...membersOf<Omit<RefreshGrant, 'scope'>>(row), scope: row.scope.split(' ') }));
  }

  /**
   * The customer withdraws an approval: its refresh tokens and access tokens end. Resolves when that is durable.
   * @returns false if the customer has no such grant (any more)
   */
  async endOfPsu(end: { grantHash: Buffer; psuId: string; now: Date; interactionId: string }): Promise<boolean> {
    const { grantHash, psuId, now, interactionId } = end;
    return this.database.transaction(async (runner) => {
      const { rows } = await runner.query<{ client_id: string }>('end-refresh-grant-of-psu', endOfPsuSql, [
        grantHash,
        psuId,
        now,
        interactionId,
        this.database.applicationName,
      ]);
      const clientId = rows[0]?.client_id;
      if (clientId === undefined) return false;
      // In this order: the grant stays locked, so no further access token is issued.
      await runner.query('revoke-tokens-of-code', revokeOfCodeSql, [
        grantHash,
        clientId,
        now,
        interactionId,
        this.database.applicationName,
      ]);
      await recordAuditEvent(runner, {
        actor: this.database.applicationName,
        action: 'psu.withdraw',
        clientId,
        interactionId,
        details: { psuId },
        occurredAt: now,
      });
      return true;
    });
  }

  /**
   * The bank has closed the customer: the code of an approval, if still stored, and all its tokens end. Resolves when
   * that is durable.
   */
  async endOfClosedPsu(end: {
    grantHash: Buffer;
    clientId: string;
    psuId: string;
    now: Date;
    interactionId: string;
  }): Promise<void> {
    const { grantHash, clientId, psuId, now, interactionId } = end;
    await this.database.transaction(async (runner) => {
      await runner.query('spend-authorization-code', spendCodeSql, [grantHash, clientId, now]);
      const parameters = [grantHash, clientId, now, interactionId, this.database.applicationName];
      await runner.query('revoke-grant-of-code', revokeGrantOfCodeSql, parameters);
      await runner.query('revoke-tokens-of-code', revokeOfCodeSql, parameters);
      await recordAuditEvent(runner, {
        actor: this.database.applicationName,
        action: 'psu.closed',
        clientId,
        interactionId,
        details: { psuId },
        occurredAt: now,
      });
    });
  }
}
