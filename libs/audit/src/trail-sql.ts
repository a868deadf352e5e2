/** The columns of an event in the form in which it is hashed. */
const eventColumns = `event_id, to_char(occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS occurred_at,
  actor, action, client_id, interaction_id, details`;

/** Only the worker that holds this row seals. Writing events does not need the row. */
export const tryLockSql = `SELECT FROM works WHERE name = 'audit-seals' FOR UPDATE SKIP LOCKED`;

export const findLastSealSql = `SELECT seal_number, seal FROM audit_seals ORDER BY seal_number DESC LIMIT 1`;

/** $1 limit, $2 time and $3 id of the last event of the previous page */
export const findUnsealedSql = `
  SELECT ${eventColumns} FROM audit_events
  WHERE seal_number IS NULL AND (audit_events.occurred_at, event_id) > ($2::text::timestamptz, $3::uuid)
  ORDER BY audit_events.occurred_at, event_id LIMIT $1`;

/** $1 seal, $2 events, $3 their hashes; positions follow the order of the arrays */
export const noteSealedSql = `
  UPDATE audit_events AS event SET seal_number = $1::bigint, seal_position = sealed.position, event_hash = sealed.hash
  FROM unnest($2::uuid[], $3::bytea[]) WITH ORDINALITY AS sealed (event_id, hash, position)
  WHERE event.event_id = sealed.event_id`;

/** $1 number, $2 time, $3 seal */
export const insertSealSql = `INSERT INTO audit_seals (seal_number, sealed_at, seal) VALUES ($1, $2, $3)`;

/** $1 last seal of the previous page, $2 limit */
export const readSealsSql = `
  SELECT seal_number, seal FROM audit_seals WHERE seal_number > $1 ORDER BY seal_number LIMIT $2`;

/** $1 first, $2 last seal */
export const readSealedEventsSql = `
  SELECT ${eventColumns}, seal_number, seal_position, event_hash FROM audit_events
  WHERE seal_number BETWEEN $1 AND $2 ORDER BY seal_number, seal_position`;

/** $1 last existing seal. Events that name a later one have lost their seal. */
export const readOrphanedEventsSql = `
  SELECT ${eventColumns}, seal_number, seal_position, event_hash FROM audit_events
  WHERE seal_number > $1 ORDER BY seal_number, seal_position LIMIT 1`;

/** $1 time before which events are erased, $2 limit. The oldest seals whose events are all older. */
export const findErasableSealsSql = `
  SELECT max(seal_number)::bigint AS through FROM audit_events
  WHERE seal_number <= (SELECT min(seal_number) FROM audit_events) + $2
    AND seal_number < (
      SELECT coalesce(min(seal_number), 9223372036854775807) FROM audit_events
      WHERE occurred_at >= $1 AND seal_number <= (SELECT min(seal_number) FROM audit_events) + $2)`;

/** $1 last seal whose events are deleted */
export const eraseEventsSql = `DELETE FROM audit_events WHERE seal_number <= $1`;

/** A row of the queries above. */
export interface EventRow {
  event_id: string;
  occurred_at: string;
  actor: string;
  action: string;
  client_id: string | null;
  interaction_id: string | null;
  details: unknown;
  seal_number?: string;
  seal_position?: number;
  event_hash?: Buffer;
}
