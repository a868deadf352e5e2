import { randomUUID } from 'node:crypto';
import { filePaymentStep } from '#libs/obie-rules';
import type { StatementRunner } from '#libs/persistence';
import { consentAndClient, isWaitingSql, type StopCause, stopCauseSql, stoppedDetail } from './stop-cause-sql.js';

const pending = filePaymentStep('InitiationPending', 'InitiationCompleted').from;

/** Of what nothing may leave: one file payment, all of a client, all that a customer has approved, or everything. */
export type StopTarget =
  | { readonly scope: 'FilePayment' | 'Client' | 'Psu'; readonly target: string }
  | { readonly scope: 'All'; readonly target: '' };

/** Somebody's order that nothing may leave. */
export interface PaymentStop extends Readonly<Record<string, unknown>> {
  readonly scope: StopTarget['scope'];
  readonly target: string;
  readonly reason: string;
  readonly actor: string;
  readonly orderedAt: Date;
}

/** File payments put aside or let go by one statement. */
const batchSize = 500;

/** @returns whether there is such a file payment or client; a customer is known to the bank alone */
export async function isStopTarget(runner: StatementRunner, { scope, target }: StopTarget): Promise<boolean> {
  if (scope === 'All' || scope === 'Psu') return true;
  const { rowCount } = await (scope === 'Client'
    ? runner.query('find-client-to-stop', 'SELECT FROM clients WHERE client_id = $1', [target])
    : runner.query('find-payment-to-stop', 'SELECT FROM file_payments WHERE file_payment_id = $1', [target]));
  return rowCount === 1;
}

/** @returns false if the same was ordered before and still counts */
export async function orderStop(
  runner: StatementRunner,
  { scope, target }: StopTarget,
  { actor, reason, now }: { actor: string; reason: string; now: Date },
): Promise<boolean> {
  const { rowCount } = await runner.query(
    'order-payment-stop',
    `INSERT INTO payment_stops (stop_id, scope, target, reason, actor, ordered_at) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (scope, target) WHERE ended_at IS NULL DO NOTHING`,
    [randomUUID(), scope, target, reason, actor, now],
  );
  return rowCount === 1;
}

/** @returns false if there was no such order */
export async function endStop(runner: StatementRunner, { scope, target }: StopTarget, now: Date): Promise<boolean> {
  const { rowCount } = await runner.query(
    'end-payment-stop',
    'UPDATE payment_stops SET ended_at = $3 WHERE scope = $1 AND target = $2 AND ended_at IS NULL',
    [scope, target, now],
  );
  return rowCount === 1;
}

/** @returns the orders that count, the oldest first, at most 500 */
export async function findStops(runner: StatementRunner): Promise<PaymentStop[]> {
  const { rows } = await runner.query<PaymentStop & { [column: string]: unknown }>(
    'find-payment-stops',
    `SELECT scope, target, reason, actor, ordered_at AS "orderedAt" FROM payment_stops WHERE ended_at IS NULL
      ORDER BY ordered_at LIMIT 500`,
    [],
  );
  return rows;
}

/** A file payment that is put aside. */
export interface StoppedPayment {
  readonly filePaymentId: string;
  readonly clientId: string;
  readonly stoppedAt: Date;
  readonly stopCause: StopCause;
  /** attempts at it so far, this stop included: the bank is to refuse lower ones */
  readonly handOverAttempt: number;
}

const stoppedColumns = `
  file_payment_id AS "filePaymentId", client_id AS "clientId", stopped_at AS "stoppedAt", stop_cause AS "stopCause",
  hand_over_attempt AS "handOverAttempt"`;
const isStopped = `stopped_at IS NOT NULL AND status = '${pending}'`;

/** @returns the file payments that are put aside, the oldest first, at most 500 */
export async function findStoppedFilePayments(runner: StatementRunner): Promise<StoppedPayment[]> {
  const { rows } = await runner.query<StoppedPayment & { [column: string]: unknown }>(
    'find-stopped-file-payments',
    `SELECT ${stoppedColumns} FROM file_payments WHERE ${isStopped} ORDER BY stopped_at LIMIT ${batchSize}`,
    [],
  );
  return rows;
}

/**
 * Some worker has taken these on before they were put aside: what it has sent may still arrive at the bank.
 * @param after the last one of the page before
 * @returns the next page, the oldest first, at most {@link batchSize}
 */
export async function findBegunStoppedFilePayments(
  runner: StatementRunner,
  after?: Pick<StoppedPayment, 'stoppedAt' | 'filePaymentId'>,
): Promise<StoppedPayment[]> {
  const { rows } = await runner.query<StoppedPayment & { [column: string]: unknown }>(
    'find-begun-stopped-file-payments',
    `SELECT ${stoppedColumns} FROM file_payments
      WHERE ${isStopped} AND (hand_over_attempt > 1 OR attempts > 0 OR batch_accepted_at IS NOT NULL)
        AND stopped_at >= $1 AND (stopped_at, file_payment_id) > ($1, $2)
      ORDER BY stopped_at, file_payment_id LIMIT ${batchSize}`,
    [after?.stoppedAt ?? new Date(0), after?.filePaymentId ?? '00000000-0000-0000-0000-000000000000'],
  );
  return rows;
}

/** How many file payments are put aside, by the cause, of 10,000 at most. No parameters. */
export const countStoppedSql = `
  SELECT count(*) FILTER (WHERE stop_cause = 'Operator')::int AS operator, count(*) FILTER (WHERE stop_cause = 'Client')::int AS client
    FROM (SELECT stop_cause FROM file_payments WHERE ${isStopped} ORDER BY stopped_at LIMIT 10000) AS stopped`;

// Each of these has an index of its own: what is to be handed over, what waits for approvals, and what is held.
const openFilePayments = `
  SELECT file_payment_id FROM file_payments WHERE next_attempt_at IS NOT NULL AND stopped_at IS NULL
   UNION
  SELECT file_payment_id FROM file_payments WHERE status = '${pending}' AND approvals_received < approvals_required AND stopped_at IS NULL
   UNION
  SELECT file_payment_id FROM file_payments WHERE held_at IS NOT NULL AND status = '${pending}' AND stopped_at IS NULL`;

/**
 * Takes what an order stops out of the queue, also from a worker that has it: its lease is lost, and whatever attempt
 * it makes is an old one.
 * @returns how many, at most {@link batchSize}: repeat it until there are none
 */
export async function putAsideStopped(runner: StatementRunner, now: Date): Promise<number> {
  const { rows } = await runner.query<{ put_aside: number }>(
    'put-aside-stopped',
    `WITH judged AS MATERIALIZED (
       SELECT payment.file_payment_id FROM file_payments AS payment ${consentAndClient}
        WHERE payment.file_payment_id IN (${openFilePayments}) AND ${stopCauseSql} = 'Operator' LIMIT ${batchSize}),
     aside AS (
       UPDATE file_payments AS payment
          SET stopped_at = $1, stop_cause = 'Operator', next_attempt_at = NULL, hand_over_attempt = hand_over_attempt + 1
         FROM judged WHERE payment.file_payment_id = judged.file_payment_id AND payment.status = '${pending}'
          AND payment.stopped_at IS NULL
       RETURNING payment.file_payment_id),
     told AS (
       UPDATE payments SET status_detail = $2 FROM aside
        WHERE payments.file_payment_id = aside.file_payment_id AND ${isWaitingSql})
     SELECT count(*)::int AS put_aside FROM aside`,
    [now, JSON.stringify(stoppedDetail)],
  );
  return rows[0]?.put_aside ?? 0;
}

/**
 * Lets a file payment go on although the bank has shut its client out.
 * @returns the client; undefined when no such file payment is stopped for that
 */
export async function releaseFilePayment(
  runner: StatementRunner,
  { filePaymentId, now }: { filePaymentId: string; now: Date },
): Promise<string | undefined> {
  const { rows } = await runner.query<{ client_id: string }>(
    'release-file-payment',
    `UPDATE file_payments AS released SET released_at = $2
       FROM file_payments AS payment ${consentAndClient}
      WHERE payment.file_payment_id = $1 AND released.file_payment_id = payment.file_payment_id
        AND released.stopped_at IS NOT NULL AND released.status = '${pending}' AND ${stopCauseSql} = 'Client'
     RETURNING released.client_id`,
    [filePaymentId, now],
  );
  return rows[0]?.client_id;
}

/**
 * Puts back what nothing stops any more: what was to be handed over is due at once, and the bank is asked first what
 * it has of it.
 * @returns how many, at most {@link batchSize}: repeat it until there are none
 */
export async function putBackReleased(runner: StatementRunner, now: Date): Promise<number> {
  const { rows } = await runner.query<{ put_back: number }>(
    'put-back-released',
    `WITH judged AS MATERIALIZED (
       SELECT payment.file_payment_id FROM file_payments AS payment ${consentAndClient}
        WHERE payment.stopped_at IS NOT NULL AND payment.status = '${pending}' AND ${stopCauseSql} IS NULL
        LIMIT ${batchSize} FOR UPDATE OF payment SKIP LOCKED),
     back AS (
       UPDATE file_payments AS payment
          SET stopped_at = NULL, stop_cause = NULL,
              faults = CASE WHEN hand_over_attempt > 0 THEN greatest(faults, 1) ELSE faults END,
              next_attempt_at = CASE WHEN held_at IS NULL AND approvals_received >= approvals_required THEN $1::timestamptz END
         FROM judged WHERE payment.file_payment_id = judged.file_payment_id
       RETURNING payment.file_payment_id, payment.held_at),
     told AS (
       UPDATE payments SET status_detail = NULL FROM back
        WHERE back.held_at IS NULL AND payments.file_payment_id = back.file_payment_id AND ${isWaitingSql})
     SELECT count(*)::int AS put_back FROM back`,
    [now],
  );
  return rows[0]?.put_back ?? 0;
}

/** Puts back all that nothing stops any more, in small steps. */
export async function putBackAllReleased(runner: StatementRunner, now: Date): Promise<number> {
  let total = 0;
  let count: number;
  do {
    count = await putBackReleased(runner, now);
    total += count;
  } while (count > 0);
  return total;
}

/**
 * Removes what a second person was asked to confirm, confirmed or not: the audit trail keeps who did what.
 * @returns how many were removed, at most so many
 */
export async function deleteExpiredOperatorRequests(
  runner: StatementRunner,
  { now, batchSize: limit }: { now: Date; batchSize: number },
): Promise<number> {
  const { rowCount } = await runner.query(
    'delete-expired-operator-requests',
    `DELETE FROM operator_requests WHERE request_id = ANY (ARRAY(
       SELECT request_id FROM operator_requests WHERE expires_at < $1 ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED))`,
    [now, limit],
  );
  return rowCount ?? 0;
}
