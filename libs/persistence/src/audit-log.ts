import { randomUUID } from 'node:crypto';
import type { StatementRunner } from './database.js';

/** An action whose actor must be known later. */
export interface AuditEvent {
  /** who did it */
  actor: string;
  /** the action in two words with a dot: `client.suspend` */
  action: string;
  /** whom it concerns */
  clientId?: string;
  /** of the request that caused it */
  interactionId?: string;
  /** never a secret */
  details: Readonly<Record<string, unknown>>;
  occurredAt: Date;
}

const recordSql = `
  INSERT INTO audit_events (event_id, occurred_at, actor, action, client_id, details, interaction_id)
  VALUES ($1, $2, $3, $4, $5, $6, $7)`;

/**
 * Writes an audit event in the transaction of its action: both happen, or neither.
 * @param runner the transaction
 */
export async function recordAuditEvent(runner: StatementRunner, event: AuditEvent): Promise<void> {
  const { actor, action, clientId, details, interactionId, occurredAt } = event;
  await runner.query('record-audit-event', recordSql, [
    randomUUID(),
    occurredAt,
    actor,
    action,
    clientId ?? null,
    JSON.stringify(details),
    interactionId ?? null,
  ]);
}
