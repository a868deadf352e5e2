import type { AuditEvent } from './audit-log.js';
import type { StatementRunner } from './database.js';

/** For more events than a person reads, export the trail. */
const mostEvents = 1_000;

const listOfClientSql = `
  SELECT actor, action, client_id, details, occurred_at FROM audit_events
  WHERE client_id = $1 ORDER BY occurred_at DESC, event_id DESC LIMIT ${mostEvents}`;

/** @returns the last thousand events of one client, the oldest of them first */
export async function listAuditEventsOfClient(runner: StatementRunner, clientId: string): Promise<AuditEvent[]> {
  const { rows } = await runner.query<{
    actor: string;
    action: string;
    client_id: string;
    details: Record<string, unknown>;
    occurred_at: Date;
  }>('list-audit-events-of-client', listOfClientSql, [clientId]);
  return rows.toReversed().map(({ client_id, occurred_at, ...event }) => ({
    ...event,
    clientId: client_id,
    occurredAt: occurred_at,
  }));
}
