/** SQL, mostly parameters, for who makes a change, for which request, and when. */
export interface AuditSource {
  /** the process, as its connections name it */
  readonly actor: string;
  /** of the request that caused the change; NULL if none did */
  readonly interactionId: string;
  readonly at: string;
}

/**
 * Part of WITH: writes an audit event for each row of a relation, in the statement that makes the change.
 * @param source relation of the same statement; its column client_id names the client concerned
 * @param event SQL on its rows: the action, and a JSON object with details
 */
export function auditEventsOf(
  source: string,
  { action, details, actor, interactionId, at }: AuditSource & { readonly action: string; readonly details: string },
): string {
  return `
    INSERT INTO audit_events (event_id, occurred_at, actor, action, client_id, details, interaction_id)
    SELECT gen_random_uuid(), ${at}, ${actor}, ${action}, client_id, ${details}, ${interactionId} FROM ${source}`;
}
