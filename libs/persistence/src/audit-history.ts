import type { AuditEvent } from './audit-log.js';
import type { StatementRunner } from './database.js';

const listOfClientSql = `
  SELECT actor, action, client_id, details, occurred_at FROM audit_events WHERE client_id = $1 ORDER BY occurred_at, event_id`;

/** @returns the events of one client, the oldest first */
export async function listAuditEventsOfClient(runner: StatementRunner, clientId: string): Promise<AuditEvent[]> {
  const { rows } = await runner.query<{
    actor: string;
    action: string;
    client_id: string;
    details: Record<string, unknown>;
    occurred_at: Date;
  }>('list-audit-events-of-client', listOfClientSql, [clientId]);
  return rows.map(({ client_id, occurred_at, ...event }) => ({
    ...event,
    clientId: client_id,
    occurredAt: occurred_at,
  }));
}
