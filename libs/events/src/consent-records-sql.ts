import { auditEventsOf, type AuditSource } from '#libs/audit';
import { noteEventsOf } from './note-events-sql.js';

/**
 * Parts of WITH: write the webhook event and the audit event of changed consents of any kind.
 * @param source relation of the same statement, consents as they are now: consent_id, client_id, kind, api_version,
 *   status, psu_id and `former`, their previous state. A consent that was authorised again has the same state, and gets
 *   no webhook event.
 * @param records.details SQL of a JSON object, further details for the audit trail; null members are left out
 * @param records.ids SQL of the ids of the events
 */
export function consentRecords(
  source: string,
  { details, ids, ...by }: AuditSource & { readonly details?: string; readonly ids?: string | undefined },
): string {
  const own = `jsonb_build_object('consentId', consent_id, 'from', former, 'psuId', psu_id)`;
  return `
  consent_event AS (${noteEventsOf(`${source} WHERE former <> status`, {
    type: `'consent.status'`,
    resourceType: `kind || '-consent'`,
    resourceId: 'consent_id',
    at: by.at,
    ids,
  })}),
  consent_audit AS (${auditEventsOf(source, {
    ...by,
    ids,
    action: `'consent.' || lower(status)`,
    details: details === undefined ? own : `${own} || jsonb_strip_nulls(${details})`,
  })})`;
}
