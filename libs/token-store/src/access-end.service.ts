import { Injectable } from '@nestjs/common';
import { Database } from '#libs/persistence';
import { endAccessConsentSql, withdrawAccessConsentSql } from './access-end-sql.js';

/** Ends an access consent and the refresh grants that rest on it, when the client or the customer asks for it. */
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
   */
  async endOfPsu(end: { consentId: string; psuId: string; now: Date; interactionId: string }): Promise<void> {
    const { consentId, psuId, now, interactionId } = end;
    const parameters = [consentId, psuId, now, 'CustomerWithdrew', interactionId, this.database.applicationName];
    await this.database.query('withdraw-access-consent', withdrawAccessConsentSql, parameters);
  }
}
