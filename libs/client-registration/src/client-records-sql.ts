import { auditEventsOf, type AuditSource } from '#libs/audit';

/**
 * Part of WITH: the event of the audit trail of each client whose status changed.
 * @param source relation of the same statement, changed rows with the column client_id
 * @param change SQL: the status that it had, and the one that it has
 */
export function changedStatusOf(
  source: string,
  { from, to, ...request }: AuditSource & { readonly from: string; readonly to: string },
): string {
  const details = `jsonb_build_object('from', ${from}, 'to', ${to})`;
  return auditEventsOf(source, { ...request, action: `'registration.status'`, details });
}

/**
 * Part of WITH: the same of each client whose registration changed.
 * @param change SQL: whether its secret did, and its metadata
 */
export function changedRegistrationsOf(
  source: string,
  { secret, metadata, ...request }: AuditSource & { readonly secret: string; readonly metadata: string },
): string {
  const details = `jsonb_build_object('secret', ${secret}, 'metadata', ${metadata})`;
  return auditEventsOf(source, { ...request, action: `'registration.change'`, details });
}
