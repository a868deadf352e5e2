import type { ConsentStatus } from '#libs/obie-rules';
import { lockedRowByKey, rowByKey } from '#libs/persistence';

/**
 * The relation `consent`: the consent of the given id and kind, locked, if it belongs to `:clientId`, has the given
 * status and has not ended at `:now`. The client must be Active when the statement begins: it may have been removed
 * since its token was checked, because a frozen process can resume at any time.
 * @param id SQL of its id
 * @param kind SQL of the name of its kind
 */
export function lockConsent(id: string, kind: string, status: ConsentStatus): string {
  return `
  consent AS MATERIALIZED (
    SELECT consent_id FROM ${lockedRowByKey('payment_consents', `consent_id = ${id}`)} AS locked
     WHERE client_id = :clientId AND kind = ${kind} AND status = '${status}' AND expires_at > :now
       AND EXISTS (SELECT FROM ${rowByKey('clients', 'client_id = :clientId')} AS client
         WHERE client.status = 'Active'))`;
}
