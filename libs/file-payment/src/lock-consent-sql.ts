import type { ConsentStatus } from '#libs/obie-rules';

/**
 * The relation `consent`: the consent of the given id, locked, if it belongs to the client $1, has the given status and has not ended at $7.
 * It is found by its id alone. Asked for the rest at the same time, PostgreSQL may take the index of open consents by their end instead, of
 * which it expects next to none, and read them all.
 * @param id parameter with the id
 */
export function lockConsent(id: string, status: ConsentStatus): string {
  return `
  locked AS MATERIALIZED (
    SELECT consent_id, client_id, status, expires_at FROM file_payment_consents WHERE consent_id = ${id} FOR UPDATE),
  consent AS MATERIALIZED (
    SELECT consent_id FROM locked WHERE client_id = $1 AND status = '${status}' AND expires_at > $7)`;
}
