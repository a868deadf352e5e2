import { auditEventsOf, type AuditSource } from '#libs/audit';

/**
 * Part of WITH: writes an audit event for each client whose status changed.
 * @param source relation of the same statement, changed rows with the column client_id
 * @param request.from SQL of the former status; `to` is the current one
 */
export function changedStatusOf(
  source: string,
  { from, to, ...request }: AuditSource & { readonly from: string; readonly to: string },
): string {
  const details = `jsonb_build_object('from', ${from}, 'to', ${to})`;
  return auditEventsOf(source, { ...request, action: `'registration.status'`, details });
}

/**
 * The same for each client whose registration changed.
 * @param request.secret SQL: whether the secret changed; `metadata`: whether the metadata did
 */
export function changedRegistrationsOf(
  source: string,
  { secret, metadata, ...request }: AuditSource & { readonly secret: string; readonly metadata: string },
): string {
  const details = `jsonb_build_object('secret', ${secret}, 'metadata', ${metadata})`;
  return auditEventsOf(source, { ...request, action: `'registration.change'`, details });
}
