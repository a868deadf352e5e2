/** Who does it, on whose request and when: SQL, mostly parameters of the statement. */
export interface AuditSource {
  /** the process, as its connections name it */
  readonly actor: string;
  /** of the request that caused it; NULL where none did */
  readonly interactionId: string;
  readonly at: string;
}

/**
 * Part of WITH: an event of the audit trail of each row of a relation, written by the statement that makes the change.
 * @param source relation of the same statement with the column client_id, whom it concerns
 * @param event SQL on its rows: what was done, and a JSON object that says more
 */
export function auditEventsOf(
  source: string,
  { action, details, actor, interactionId, at }: AuditSource & { readonly action: string; readonly details: string },
): string {
  return `
    INSERT INTO audit_events (event_id, occurred_at, actor, action, client_id, details, interaction_id)
    SELECT gen_random_uuid(), ${at}, ${actor}, ${action}, client_id, ${details}, ${interactionId} FROM ${source}`;
}
