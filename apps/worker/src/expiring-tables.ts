import { isComparedTooLate, isDueTooLate } from '#libs/payment-order';

/**
 * Every table whose rows expire, the condition under which a row should be gone ($1: now), and the housekeeping task
 * that removes it. A test compares this with the schema.
 */
export const expiringTables: Readonly<Record<string, { readonly expired: string; readonly task: string }>> = {
  used_jwt_ids: { expired: `expires_at < $1::timestamptz - interval '5 minutes'`, task: 'tokens' },
  access_tokens: { expired: 'expires_at < $1::timestamptz', task: 'tokens' },
  refresh_grants: { expired: 'expires_at < $1::timestamptz', task: 'tokens' },
  // Codes that are kept for their tokens are looked at once these have expired.
  authorization_codes: { expired: 'COALESCE(kept_until, expires_at) < $1::timestamptz', task: 'tokens' },
  idempotency_keys: { expired: 'expires_at <= $1::timestamptz', task: 'idempotency keys' },
  authorization_sessions: { expired: `expires_at < $1::timestamptz - interval '1 hour'`, task: 'sessions' },
  approval_sessions: { expired: `expires_at < $1::timestamptz - interval '1 hour'`, task: 'sessions' },
  pushed_authorization_requests: { expired: 'expires_at < $1::timestamptz', task: 'sessions' },
  operator_requests: { expired: 'expires_at < $1::timestamptz', task: 'operator requests' },
  payment_consents: {
    expired: `expires_at <= $1::timestamptz AND status IN ('AwaitingUpload', 'AwaitingAuthorisation', 'Authorised')`,
    task: 'consents',
  },
  access_consents: {
    expired: `expires_at <= $1::timestamptz AND status IN ('AwaitingAuthorisation', 'Authorised', 'Withdrawn')`,
    task: 'access consents',
  },
};

/** Tables whose rows go with those of another one, by a foreign key that cascades. */
export const goesWithParent: readonly string[] = ['refresh_tokens'];

/** The queue that only a receiver of events empties. */
export const eventQueue = 'domain events';

/** Work that is due later than it can be. $1 now, $2 maximum count */
export const lateQueries: Readonly<Record<string, string>> = Object.fromEntries(
  (
    [
      ['payment orders', 'payment_orders', isDueTooLate],
      ['payments', 'payments', isDueTooLate],
      [eventQueue, 'domain_events', isDueTooLate],
      ['approval requests', 'approval_requests', isDueTooLate],
      ['decline notices', 'decline_notices', isDueTooLate],
      ['reconciliations', 'reconciliations', isComparedTooLate],
    ] as const
  ).map(([queue, table, isLate]) => [
    queue,
    `SELECT count(*)::int AS count FROM (SELECT FROM ${table} WHERE ${isLate(table, '$1')} LIMIT $2) AS late`,
  ]),
);

/** Events that wait for another attempt. $1 now, $2 maximum count */
export const countUndeliveredSql = `
  SELECT count(*)::int AS count, coalesce(extract(epoch FROM $1::timestamptz - min(occurred_at)),
    0)::float AS "oldestSeconds" FROM (
    SELECT occurred_at FROM domain_events WHERE next_attempt_at > $1 ORDER BY next_attempt_at LIMIT $2) AS waiting`;

/** Work that is due for the worker. $1 now, $2 maximum count */
export const backlogQueries: Readonly<Record<string, string>> = {
  'payment orders': `
    SELECT count(*)::int AS count, min(next_attempt_at) AS oldest FROM (
      SELECT next_attempt_at FROM payment_orders WHERE next_attempt_at <= $1 ORDER BY next_attempt_at LIMIT $2) AS due`,
  payments: `
    SELECT count(*)::int AS count, min(next_attempt_at) AS oldest FROM (
      SELECT next_attempt_at FROM payments WHERE next_attempt_at <= $1 ORDER BY next_attempt_at LIMIT $2) AS due`,
  [eventQueue]: `
    SELECT count(*)::int AS count, min(next_attempt_at) AS oldest FROM (
      SELECT next_attempt_at FROM domain_events WHERE next_attempt_at <= $1 ORDER BY next_attempt_at LIMIT $2) AS due`,
  'approval requests': `
    SELECT count(*)::int AS count, min(next_attempt_at) AS oldest FROM (
      SELECT next_attempt_at FROM approval_requests WHERE next_attempt_at <= $1 ORDER BY next_attempt_at
        LIMIT $2) AS due`,
  'decline notices': `
    SELECT count(*)::int AS count, min(next_attempt_at) AS oldest FROM (
      SELECT next_attempt_at FROM decline_notices WHERE next_attempt_at <= $1 ORDER BY next_attempt_at
        LIMIT $2) AS due`,
  'audit events': `
    SELECT count(*)::int AS count, min(occurred_at) AS oldest FROM (
      SELECT occurred_at FROM audit_events WHERE seal_number IS NULL AND occurred_at <= $1
      ORDER BY occurred_at LIMIT $2) AS unsealed`,
};

/** Changes of consents and payment orders. $1 since when, $2 maximum count */
export const countRecentChangesSql = `
  SELECT event_type AS event, status, count(*)::int AS count FROM (
    SELECT event_type, status FROM domain_events WHERE occurred_at > $1 ORDER BY occurred_at DESC LIMIT $2) AS recent
  GROUP BY event_type, status`;
