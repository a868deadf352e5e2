import { randomUUID } from 'node:crypto';
import { paymentOrderStep } from '#libs/obie-rules';
import { withKind } from './kind-sql.js';
import { noteReconciliationsOf } from './note-reconciliations-sql.js';
import {
  firstPlace,
  type PageOutcome,
  type Place,
  rowByKey,
  statement,
  type StatementRunner,
  walk,
} from '#libs/persistence';
import type { PaymentStatusDetail } from './payment.entity.js';
import { consentAndClient, isWaitingSql, type StopCause, stopCauseSql, heldByBank } from './stop-cause-sql.js';

const pending = paymentOrderStep('InitiationPending', 'InitiationCompleted').from;

/** What may not leave: one file payment, those of a client, those that a customer has approved, or all. */
export type StopTarget =
  | { readonly scope: 'PaymentOrder' | 'Client' | 'Psu'; readonly target: string }
  | { readonly scope: 'All'; readonly target: '' };

/** An order of an operator that payments may not leave. */
export interface PaymentStop extends Readonly<Record<string, unknown>> {
  readonly scope: StopTarget['scope'];
  readonly target: string;
  readonly reason: string;
  readonly actor: string;
  readonly orderedAt: Date;
}

/** File payments that one statement reads. */
const batchSize = 500;

const findClient = statement<{ target: string }>('find-client-to-stop')`SELECT FROM clients WHERE client_id = :target`;
const findOrder = statement<{ target: string }>('find-payment-to-stop')`
  SELECT FROM payment_orders WHERE payment_order_id = :target`;

/** @returns whether there is such a file payment or client; only the bank knows its customers */
export async function isStopTarget(runner: StatementRunner, { scope, target }: StopTarget): Promise<boolean> {
  if (scope === 'All' || scope === 'Psu') return true;
  const { rowCount } = await (scope === 'Client'
    ? runner.query(...findClient.with({ target }))
    : runner.query(...findOrder.with({ target })));
  return rowCount === 1;
}

const addStop = statement<StopTarget & { stopId: string; reason: string; actor: string; now: Date }>(
  'order-payment-stop',
)`
  INSERT INTO payment_stops (stop_id, scope, target, reason, actor, ordered_at) VALUES (:stopId, :scope, :target,
    :reason, :actor, :now)
  ON CONFLICT (scope, target) WHERE ended_at IS NULL DO NOTHING`;

/** @returns false if there is such an order already */
export async function orderStop(
  runner: StatementRunner,
  to: StopTarget,
  by: { actor: string; reason: string; now: Date },
): Promise<boolean> {
  const { rowCount } = await runner.query(...addStop.with({ stopId: randomUUID(), ...to, ...by }));
  return rowCount === 1;
}

const endStopOf = statement<Pick<PaymentStop, 'scope' | 'target'> & { now: Date }>('end-payment-stop')`
  UPDATE payment_stops SET ended_at = :now WHERE scope = :scope AND target = :target AND ended_at IS NULL`;

/** @returns false if there was no such order */
export async function endStop(runner: StatementRunner, { scope, target }: StopTarget, now: Date): Promise<boolean> {
  const { rowCount } = await runner.query(...endStopOf.with({ scope, target, now }));
  return rowCount === 1;
}

const findOpenStops = statement<object>('find-payment-stops')`
  SELECT scope, target, reason, actor, ordered_at AS "orderedAt" FROM payment_stops WHERE ended_at IS NULL
  ORDER BY ordered_at LIMIT 500`;

/** @returns the orders in force, the oldest first, at most 500 */
export async function findStops(runner: StatementRunner): Promise<PaymentStop[]> {
  const { rows } = await runner.query<PaymentStop & { [column: string]: unknown }>(...findOpenStops.with({}));
  return rows;
}

/** A file payment that is put aside. */
export interface StoppedPayment {
  readonly filePaymentId: string;
  readonly clientId: string;
  readonly stoppedAt: Date;
  readonly stopCause: StopCause;
  /** attempts so far, this stop included: the bank must refuse lower ones */
  readonly handOverAttempt: number;
}

const stoppedColumns = `
  payment_order_id AS "filePaymentId", client_id AS "clientId", stopped_at AS "stoppedAt", stop_cause AS "stopCause",
  hand_over_attempt AS "handOverAttempt"`;
const isStopped = `stopped_at IS NOT NULL AND status = '${pending}'`;

const findStopped = statement<object>('find-stopped-file-payments')`${withKind(
  `SELECT ${stoppedColumns}, consent_id AS "consentId" FROM payment_orders WHERE ${isStopped}
    ORDER BY stopped_at LIMIT ${batchSize}`,
  '"stoppedAt"',
)}`;

/** A payment order that is put aside, with the name of its kind of consent. */
export interface StoppedPaymentOfKind extends StoppedPayment {
  readonly consentId: string;
  readonly kind: string;
}

/** @returns the payment orders that are put aside, the oldest first, at most 500 */
export async function findStoppedOrders(runner: StatementRunner): Promise<StoppedPaymentOfKind[]> {
  const { rows } = await runner.query<StoppedPaymentOfKind & { [column: string]: unknown }>(...findStopped.with({}));
  return rows;
}

const findBegun = statement<Place>('find-begun-stopped-file-payments')`
  SELECT ${stoppedColumns}, stopped_at::text AS at, payment_order_id AS id FROM payment_orders
  WHERE ${isStopped} AND (hand_over_attempt > 1 OR attempts > 0 OR batch_accepted_at IS NOT NULL)
    AND stopped_at >= :at::text::timestamptz AND (stopped_at, payment_order_id) > (:at::text::timestamptz, :id)
  ORDER BY stopped_at, payment_order_id LIMIT ${batchSize}`;

/**
 * A worker took these before they were put aside, so what it sent may still reach the bank.
 * @param after the last one of the previous page
 * @returns the next page, the oldest first, at most {@link batchSize}
 */
export async function findBegunStoppedOrders(
  runner: StatementRunner,
  { at, id }: Place = firstPlace,
): Promise<(StoppedPayment & Place)[]> {
  const { rows } = await runner.query<StoppedPayment & Place & { [column: string]: unknown }>(
    ...findBegun.with({ at, id }),
  );
  return rows;
}

/** How many file payments are put aside, by the cause, of 10,000 at most. No parameters. */
export const countStoppedSql = `
  SELECT count(*) FILTER (WHERE stop_cause = 'Operator')::int AS operator,
    count(*) FILTER (WHERE stop_cause = 'Client')::int AS client
    FROM (SELECT stop_cause FROM payment_orders WHERE ${isStopped} ORDER BY stopped_at LIMIT 10000) AS stopped`;

/** Lists of file payments that can still be stopped, each with an index on the time that orders it. */
export const openLists = ['due', 'waiting', 'held'] as const;
type OpenList = (typeof openLists)[number];

const after = (moment: string): string =>
  `${moment} >= :at::text::timestamptz AND (${moment}, payment_order_id) > (:at::text::timestamptz, :id::uuid)
   ORDER BY ${moment}, payment_order_id LIMIT ${batchSize}`;

/** One page of the list that `:list` names, after the place `:at`, `:id`. The other two cost nothing. */
const pageOfOpen = `
  (SELECT next_attempt_at AS at, payment_order_id FROM payment_orders
    WHERE :list = 'due' AND next_attempt_at IS NOT NULL AND ${after('next_attempt_at')})
  UNION ALL
  (SELECT created_at AS at, payment_order_id FROM payment_orders
    WHERE :list = 'waiting' AND status = '${pending}' AND approvals_received < approvals_required
      AND ${after('created_at')})
  UNION ALL
  (SELECT held_at AS at, payment_order_id FROM payment_orders
    WHERE :list = 'held' AND held_at IS NOT NULL AND ${after('held_at')})`;

/** How many rows the CTE `page` has, and its last one. */
const lastOfPage = `
  (SELECT count(*)::int FROM page) AS seen, last.at::text AS at, last.payment_order_id AS id
   FROM (SELECT count(*)::int AS changed FROM changed) AS done
   LEFT JOIN (SELECT at, payment_order_id FROM page ORDER BY at DESC, payment_order_id DESC LIMIT 1) AS last ON true`;

interface PageRow extends Record<string, unknown> {
  readonly changed: number;
  readonly seen: number;
  readonly at: string;
  readonly id: string;
}

function toOutcome([row]: readonly PageRow[]): PageOutcome {
  const { changed = 0, seen = 0, at = '', id = '' } = row ?? {};
  return { changed, next: seen < batchSize ? undefined : { at, id } };
}

const putAside = statement<Place & { now: Date; detail: PaymentStatusDetail; list: OpenList }>('put-aside-stopped', [
  'now',
])`
  WITH page AS MATERIALIZED (${pageOfOpen}),
  judged AS MATERIALIZED (
    SELECT payment.payment_order_id
      FROM page CROSS JOIN ${rowByKey('payment_orders', 'payment_order_id = page.payment_order_id')} AS payment
        ${consentAndClient}
     WHERE ${stopCauseSql} = 'Operator'),
  changed AS (
    UPDATE payment_orders AS payment
       SET stopped_at = :now, stop_cause = 'Operator', next_attempt_at = NULL, hand_over_attempt = hand_over_attempt + 1
      FROM judged WHERE payment.payment_order_id = judged.payment_order_id AND payment.status = '${pending}'
       AND payment.stopped_at IS NULL
    RETURNING payment.payment_order_id, payment.consent_id, payment.client_id, payment.status_updated_at),
  reconciliation AS (${noteReconciliationsOf('changed')}),
  told AS (
    UPDATE payments SET status_detail = :detail FROM changed
     WHERE payments.payment_order_id = changed.payment_order_id AND ${isWaitingSql})
  SELECT done.changed, ${lastOfPage}`;

/**
 * Takes what an order stops out of the queue, even from a worker: its lease is lost, and its attempts are outdated.
 * @param list one of the open lists
 * @param after end of the previous page
 */
export async function putAsideStopped(
  runner: StatementRunner,
  { list, now }: { list: OpenList; now: Date },
  { at, id }: Place = firstPlace,
): Promise<PageOutcome> {
  const { rows } = await runner.query<PageRow>(...putAside.with({ now, detail: heldByBank, list, at, id }));
  return toOutcome(rows);
}

const release = statement<{ filePaymentId: string; now: Date }>('release-file-payment', ['filePaymentId'])`
  UPDATE payment_orders AS released SET released_at = :now
    FROM payment_orders AS payment ${consentAndClient}
   WHERE payment.payment_order_id = :filePaymentId AND released.payment_order_id = payment.payment_order_id
     AND released.stopped_at IS NOT NULL AND released.status = '${pending}' AND ${stopCauseSql} = 'Client'
  RETURNING released.client_id`;

/**
 * Lets a file payment continue although its client is no longer permitted.
 * @returns the client; undefined if no such file payment is stopped for that
 */
export async function releaseOrder(
  runner: StatementRunner,
  { filePaymentId, now }: { filePaymentId: string; now: Date },
): Promise<string | undefined> {
  const { rows } = await runner.query<{ client_id: string }>(...release.with({ filePaymentId, now }));
  return rows[0]?.client_id;
}

const putBack = statement<Place & { now: Date }>('put-back-released', ['now'])`
  WITH page AS MATERIALIZED (
    SELECT stopped_at AS at, payment_order_id FROM payment_orders
     WHERE stopped_at >= :at::text::timestamptz AND (stopped_at, payment_order_id) > (:at::text::timestamptz, :id::uuid)
     ORDER BY stopped_at, payment_order_id LIMIT ${batchSize}),
  judged AS MATERIALIZED (
    SELECT payment.payment_order_id
      FROM page CROSS JOIN ${rowByKey('payment_orders', 'payment_order_id = page.payment_order_id')} AS payment
        ${consentAndClient}
     WHERE ${stopCauseSql} IS NULL),
  held AS MATERIALIZED (
    SELECT payment_order_id FROM payment_orders
     WHERE payment_order_id = ANY (ARRAY(SELECT payment_order_id FROM judged)) AND stopped_at IS NOT NULL
       FOR UPDATE SKIP LOCKED),
  changed AS (
    UPDATE payment_orders AS payment
       SET stopped_at = NULL, stop_cause = NULL,
           faults = CASE WHEN hand_over_attempt > 0 THEN greatest(faults, 1) ELSE faults END,
           next_attempt_at = CASE WHEN held_at IS NULL AND approvals_received >= approvals_required THEN
             :now::timestamptz END
      FROM held WHERE payment.payment_order_id = held.payment_order_id AND payment.status = '${pending}'
    RETURNING payment.payment_order_id, payment.held_at),
  told AS (
    UPDATE payments SET status_detail = NULL FROM changed
     WHERE changed.held_at IS NULL AND payments.payment_order_id = changed.payment_order_id AND ${isWaitingSql})
  SELECT done.changed, ${lastOfPage}`;

/**
 * Puts back what nothing stops any more: payments that wait are due at once, and the bank is first asked which it has.
 * @param after end of the page before
 */
export async function putBackReleased(
  runner: StatementRunner,
  now: Date,
  { at, id }: Place = firstPlace,
): Promise<PageOutcome> {
  const { rows } = await runner.query<PageRow>(...putBack.with({ now, at, id }));
  return toOutcome(rows);
}

/** Puts back everything that nothing stops any more, in small steps. */
export function putBackAllReleased(runner: StatementRunner, now: Date): Promise<number> {
  return walk((after) => putBackReleased(runner, now, after));
}

const deleteRequests = statement<{ now: Date; limit: number }>('delete-expired-operator-requests')`
  DELETE FROM operator_requests WHERE request_id = ANY (ARRAY(
  SELECT request_id FROM operator_requests WHERE expires_at < :now ORDER BY expires_at LIMIT :limit
    FOR UPDATE SKIP LOCKED))`;

/**
 * Removes requests to a second person, confirmed or not: the audit trail keeps who did what.
 * @returns how many were removed
 */
export async function deleteExpiredOperatorRequests(
  runner: StatementRunner,
  { now, batchSize: limit }: { now: Date; batchSize: number },
): Promise<number> {
  const { rowCount } = await runner.query(...deleteRequests.with({ now, limit }));
  return rowCount ?? 0;
}
