import type { ConsentStatus } from '#libs/obie-rules';
import { lockedRowByKey, rowByKey } from '#libs/persistence';

/**
 * The relation `consent`: the consent of the given id and kind, locked, if it belongs to the client $1, has the given
 * status and has not ended at $7. The client must be Active when the statement begins: it may have been removed since
 * its token was checked, however long ago a frozen process did that.
 * @param id parameter with the id
 * @param kind SQL of the name of its kind
 */
export function lockConsent(id: string, kind: string, status: ConsentStatus): string {
  return `
  consent AS MATERIALIZED (
    SELECT consent_id FROM ${lockedRowByKey('payment_consents', `consent_id = ${id}`)} AS locked
     WHERE client_id = $1 AND kind = ${kind} AND status = '${status}' AND expires_at > $7
       AND EXISTS (SELECT FROM ${rowByKey('clients', 'client_id = $1')} AS client WHERE client.status = 'Active'))`;
}
