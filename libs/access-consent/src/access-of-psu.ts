import type { StatementRunner } from '#libs/persistence';
import type { AccessAccount } from './access-consent.js';
import { accessOfPsu, isAccessGood } from './access-consent-sql.js';

/** A consent to access that a customer has authorised. */
export interface AccessOfPsu {
  readonly consentId: string;
  readonly kind: string;
  readonly clientId: string;
  /** as stored; Expired as soon as its time is over */
  readonly status: string;
  readonly authorisedAt: Date;
  readonly expiresAt: Date | null;
  readonly accounts: readonly AccessAccount[] | null;
  readonly lastUsedAt: Date | null;
}

/** $1 PSU, $2 now */
const findAccessOfPsuSql = `
  SELECT consent_id AS "consentId", kind, client_id AS "clientId", authorised_at AS "authorisedAt",
    expires_at AS "expiresAt", accounts, last_used_at AS "lastUsedAt",
    CASE WHEN status = 'Authorised' AND NOT ${isAccessGood('consent', '$2::timestamptz')} THEN 'Expired'
      ELSE status END AS status
  FROM ${accessOfPsu('$1', '$2::timestamptz')} AS consent`;

/** @returns all valid access that the customer has given, and the latest hundred that ended */
export async function findAccessOfPsu(runner: StatementRunner, psuId: string, now: Date): Promise<AccessOfPsu[]> {
  const { rows } = await runner.query<AccessOfPsu & { [column: string]: unknown }>(
    'find-consents-to-access-of-psu',
    findAccessOfPsuSql,
    [psuId, now],
  );
  return rows;
}
