import { auditEventsOf, type AuditSource } from '#libs/audit';
import { noteEventsOf } from './note-events-sql.js';

/**
 * Parts of WITH: the event for the webhook and the event of the audit trail of consents that have changed, of whatever kind.
 * @param source relation of the same statement, consents as they are now: consent_id, client_id, kind, api_version, status, psu_id and `former`,
 *   the state they had. One that was authorised again has the same, and nothing for the webhook.
 * @param records.details SQL of a JSON object, what the audit trail says besides; members that are null are left out
 */
export function consentRecords(
  source: string,
  { details, ...by }: AuditSource & { readonly details?: string },
): string {
  const own = `jsonb_build_object('consentId', consent_id, 'from', former, 'psuId', psu_id)`;
  return `
  consent_event AS (${noteEventsOf(`${source} WHERE former <> status`, {
    type: `'consent.status'`,
    resourceType: `kind || '-consent'`,
    resourceId: 'consent_id',
    at: by.at,
  })}),
  consent_audit AS (${auditEventsOf(source, {
    ...by,
    action: `'consent.' || lower(status)`,
    details: details === undefined ? own : `${own} || jsonb_strip_nulls(${details})`,
  })})`;
}
