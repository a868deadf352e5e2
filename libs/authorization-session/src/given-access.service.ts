import { Injectable } from '@nestjs/common';
import { accessOfPsu, isAccessGood, type AccessAccount, type AccessTerms } from '#libs/access-consent';
import { Database, rowByKey } from '#libs/persistence';

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
  /** when it ended, whoever ended it */
  readonly endedAt?: Date;
}

interface GivenAccessRow {
  consent_id: string;
  client_name: string;
  org_name: string;
  on_behalf_of_org: string | null;
  terms: AccessTerms;
  accounts: AccessAccount[] | null;
  authorised_at: Date;
  ended_at: Date | null;
}

/** $1 PSU, $2 now. Valid access comes first; access of deleted clients is left out. */
const findOfPsuSql = `
  SELECT consent.consent_id, client.client_name, client.org_name, client.on_behalf_of_org, consent.terms,
    consent.accounts,
    consent.authorised_at,
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
    const { rows } = await this.database.query<GivenAccessRow>('find-access-of-psu', findOfPsuSql, parameters);
    return rows.map(toGivenAccess);
  }
}

function toGivenAccess(row: GivenAccessRow): GivenAccess {
  return {
    consentId: row.consent_id,
    clientName: row.client_name,
    orgName: row.org_name,
    ...(row.on_behalf_of_org !== null && { onBehalfOfOrg: row.on_behalf_of_org }),
    terms: row.terms,
    accounts: row.accounts ?? [],
    authorisedAt: row.authorised_at,
    ...(row.ended_at !== null && { endedAt: row.ended_at }),
  };
}
