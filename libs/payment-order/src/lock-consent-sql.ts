import type { ConsentStatus } from '#libs/obie-rules';
import { lockedRowByKey, rowByKey } from '#libs/persistence';

/**
 * The relation `consent`: those of the asked rows whose consent belongs to their client, has their kind and the given
 * status, and has not ended at `:now`. The consents are locked in the order of their ids, as in every such statement.
 * The client must be Active when the statement begins: it may have been removed since its token was checked, because a
 * frozen process can resume at any time.
 * @param asked relation of the same statement with the columns consent_id, client_id and kind
 */
export function lockConsents(asked: string, status: ConsentStatus): string {
  return `
  consent AS MATERIALIZED (
    SELECT own.* FROM (SELECT * FROM ${asked} ORDER BY consent_id LIMIT ALL) AS own
     CROSS JOIN ${lockedRowByKey('payment_consents', 'consent_id = own.consent_id')} AS locked
     CROSS JOIN ${rowByKey('clients', 'client_id = own.client_id')} AS client
     WHERE locked.client_id = own.client_id AND locked.kind = own.kind AND locked.status = '${status}'
       AND locked.expires_at > :now AND client.status = 'Active')`;
}
