import { auditEventsOf, type AuditSource } from '#libs/audit';

/**
 * Part of WITH: writes one audit event for each client whose rows a statement revokes: a removal may revoke thousands
 * of tokens.
 * @param source relation of the same statement, revoked rows with the column client_id
 * @param what the rows are
 */
export function revocationsOf(
  source: string,
  { what, ...request }: AuditSource & { readonly what: 'token' | 'refresh-grant' },
): string {
  return auditEventsOf(`${source} GROUP BY client_id`, {
    ...request,
    action: `'${what}.revoke'`,
    details: `jsonb_build_object('count', count(*))`,
  });
}
