/**
 * Part of WITH: queues the files that a statement has changed for another comparison with the bank's book. Several
 * changes of one file count once. All statements use the same order, so that two never deadlock. A file already in the
 * queue only gets a new time, to the minute. Use this once in a statement: PostgreSQL refuses to update the same row
 * twice.
 * @param source relation of the same statement with the columns consent_id, client_id and status_updated_at
 */
export function noteReconciliationsOf(source: string): string {
  return `
    INSERT INTO reconciliations AS known (consent_id, changed_at, due_at)
    SELECT consent_id, max(status_updated_at), min(status_updated_at) FROM ${source} GROUP BY consent_id
      ORDER BY consent_id
    ON CONFLICT (consent_id) DO UPDATE
       SET changed_at = greatest(known.changed_at, excluded.changed_at), due_at = least(known.due_at, excluded.due_at)
     WHERE known.due_at IS NULL OR known.due_at > excluded.due_at
        OR excluded.changed_at - known.changed_at > interval '1 minute'`;
}
