/**
 * Part of WITH: the files that a statement has changed are compared again with the bank's book. Several changes of one file count once; the order
 * is the same everywhere, so that two statements about the same files do not wait for each other. A file that waits for its turn already stays as
 * it is, but for its time, to the minute. A statement has this once: PostgreSQL refuses to put the same row forward twice.
 * @param source relation of the same statement with the columns consent_id, client_id and status_updated_at
 */
export function noteReconciliationsOf(source: string): string {
  return `
    INSERT INTO reconciliations AS known (consent_id, changed_at, due_at)
    SELECT consent_id, max(status_updated_at), min(status_updated_at) FROM ${source} GROUP BY consent_id ORDER BY consent_id
    ON CONFLICT (consent_id) DO UPDATE
       SET changed_at = greatest(known.changed_at, excluded.changed_at), due_at = least(known.due_at, excluded.due_at)
     WHERE known.due_at IS NULL OR known.due_at > excluded.due_at
        OR excluded.changed_at - known.changed_at > interval '1 minute'`;
}
