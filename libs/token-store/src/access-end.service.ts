import { Injectable } from '@nestjs/common';
import { type AccessEndSql, endOfConsent, withdrawalOfConsent } from '#libs/access-consent';
import { Database, rowsByKey, type StatementRunner } from '#libs/persistence';
import { lockedInOrder, revocationsOf } from './revocation-sql.js';

/**
 * Ends the refresh grants of an ended consent, and records both. A grant that is issued at the same moment may stay as
 * it is: its tokens are invalid anyway, because they need the consent.
 */
const withGrants = ({ parts, by }: AccessEndSql): string => `
  WITH ${parts},
  ended_grants AS (
    UPDATE refresh_grants SET revoked_at = ${by.at}
    WHERE consent_id = (SELECT consent_id FROM ended) AND code_hash = ANY (${lockedInOrder(
      'refresh_grants',
      'code_hash',
      {
        rows: `SELECT code_hash FROM ${rowsByKey('refresh_grants', 'consent_id = (SELECT consent_id FROM ended)')}
        AS given`,
        isGood: 'revoked_at IS NULL',
      },
    )})
    RETURNING client_id),
  ended_grants_audit AS (${revocationsOf('ended_grants', { ...by, what: 'refresh-grant' })})
  SELECT FROM ended`;

const endAccessConsentSql = withGrants(endOfConsent);
const withdrawAccessConsentSql = withGrants(withdrawalOfConsent);

/** Ends an access consent and its refresh grants, when the client or the customer asks for it. */
@Injectable()
export class AccessEndService {
  constructor(private readonly database: Database) {}

  /** The client deletes a consent. An ended one does not change. */
  async endOfClient(end: { consentId: string; clientId: string; now: Date; interactionId: string }): Promise<void> {
    const { consentId, clientId, now, interactionId } = end;
    const parameters = [consentId, clientId, now, 'ClientWithdrew', interactionId, this.database.applicationName];
    await this.database.query('end-access-consent', endAccessConsentSql, parameters);
  }

  /**
   * Withdraws access for its customer: its tokens are invalid until the customer authorises it again. Does not change
   * access of another customer, or access that has ended.
   * @param end.actor who does it for the customer; default: this process
   * @returns whether it was valid
   */
  async endOfPsu(
    end: { consentId: string; psuId: string; now: Date; interactionId: string | null; actor?: string },
    runner: StatementRunner = this.database,
  ): Promise<boolean> {
    const { consentId, psuId, now, interactionId, actor = this.database.applicationName } = end;
    const parameters = [consentId, psuId, now, 'CustomerWithdrew', interactionId, actor];
    const { rowCount } = await runner.query('withdraw-access-consent', withdrawAccessConsentSql, parameters);
    return rowCount === 1;
  }
}
