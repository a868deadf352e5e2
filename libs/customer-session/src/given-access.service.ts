import { Injectable } from '@nestjs/common';
import { accessOfPsu, isAccessGood, type AccessAccount, type AccessTerms } from '#libs/access-consent';
import { Database, membersOf, rowByKey, type RowOf } from '#libs/persistence';

/** Access that a customer has agreed to. */
export interface GivenAccess {
  readonly consentId: string;
  readonly clientName: string;
  readonly orgName: string;
  /** for whom the client acts as an agent */
  readonly onBehalfOfOrg?: string;
  readonly terms: AccessTerms;
  readonly accounts: readonly AccessAccount[];
  /** when the customer last authorised it */
  readonly authorisedAt: Date;
  /** the latest day on which the bank asked about a token of it */
  readonly lastUsedAt?: Date;
  /** when it ended, whoever ended it */
  readonly endedAt?: Date;
}

type Stored = Omit<GivenAccess, 'accounts'> & { accounts?: readonly AccessAccount[] };

/** $1 PSU, $2 now. Valid access comes first; access of deleted clients is left out. */
const findOfPsuSql = `
  SELECT consent.consent_id, client.client_name, client.org_name, client.on_behalf_of_org, consent.terms,
    consent.accounts,
    consent.authorised_at, consent.last_used_at,
    CASE WHEN ${isAccessGood('consent', '$2::timestamptz')} THEN NULL
      WHEN consent.status = 'Authorised' THEN consent.expires_at
      ELSE least(consent.expires_at, consent.status_updated_at) END AS ended_at
  FROM ${accessOfPsu('$1', '$2::timestamptz')} AS consent
  CROSS JOIN ${rowByKey('clients', 'client_id = consent.client_id')} AS client
  WHERE client.status <> 'Deleted'
  ORDER BY ${isAccessGood('consent', '$2::timestamptz')} DESC, consent.authorised_at DESC`;

/** The access that a customer has given by consents. */
@Injectable()
export class GivenAccessService {
  constructor(private readonly database: Database) {}

  /** @returns all valid access of the customer, and the latest hundred that ended */
  async findOfPsu(psuId: string, now: Date): Promise<GivenAccess[]> {
    const parameters = [psuId, now];
    const { rows } = await this.database.query<RowOf<Stored>>('find-access-of-psu', findOfPsuSql, parameters);
    return rows.map((row) => ({ accounts: [], ...membersOf<Stored>(row) }));
  }
}
