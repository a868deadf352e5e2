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
 * @param event SQL on its rows: the action, a JSON object with details, and the id of the event
 */
export function auditEventsOf(
  source: string,
  {
    action,
    details,
    ids = 'gen_random_uuid()',
    actor,
    interactionId,
    at,
  }: AuditSource & { readonly action: string; readonly details: string; readonly ids?: string | undefined },
): string {
  return `
    INSERT INTO audit_events (event_id, occurred_at, actor, action, client_id, details, interaction_id)
    SELECT ${ids}, ${at}, ${actor}, ${action}, client_id, ${details}, ${interactionId} FROM ${source}`;
}
