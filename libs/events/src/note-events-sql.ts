/**
 * Part of WITH: an event for the webhook of each row of a relation, written by the statement that changes the state.
 * Unchanged rows are not in the relation.
 * @param source relation of the same statement with the columns client_id, status and api_version
 * @param event SQL on its rows: the kind of change, the resource and its id, when it changed, and the id of the event
 */
export function noteEventsOf(
  source: string,
  event: {
    readonly type: string;
    readonly resourceType: string;
    readonly resourceId: string;
    readonly at: string;
    readonly ids?: string | undefined;
  },
): string {
  const { type, resourceType, resourceId, at, ids = 'gen_random_uuid()' } = event;
  return `
    INSERT INTO domain_events
      (event_id, event_type, resource_type, resource_id, client_id, status, occurred_at, next_attempt_at, api_version)
    SELECT ${ids}, ${type}, ${resourceType}, ${resourceId}, client_id, status, ${at}, now(), api_version
      FROM ${source}`;
}
