import type { StatementTime } from '#libs/config';
import { isUnsettled, paymentStatuses, paymentTransitions, type PaymentStatus, stepsOf } from '#libs/obie-rules';
import { noteReconciliationsOf } from './note-reconciliations-sql.js';
import { noteOrderEventsOf } from './order-records-sql.js';
import { lockedRowByKey, rowByKey, secondsAfter, statement } from '#libs/persistence';
import type { PaymentStatusDetail } from './payment.entity.js';

/** Values of {@link noteResults}. */
export interface NotedResults {
  readonly paymentIds: readonly string[];
  readonly statuses: readonly PaymentStatus[];
  /** JSON */
  readonly details: readonly (string | null)[];
  readonly areUnsettled: readonly boolean[];
  readonly now: StatementTime;
  /** when to ask next; undefined leaves the time as it is */
  readonly askedInSeconds: number | undefined;
}

/** What the scheme reported on a payment. */
export interface PaymentResult {
  readonly paymentId: string;
  readonly status: PaymentStatus;
  readonly statusDetail?: PaymentStatusDetail;
}

/** The values of StatusReason up to 3.1 (OBWritePaymentDetailsResponse1); a scheme's own words are Proprietary. */
export const statusReasons = [
  'Cancelled',
  'PendingFailingSettlement',
  'PendingSettlement',
  'Proprietary',
  'ProprietaryRejection',
  'Suspended',
  'Unmatched',
];

/** Codes of ISO 20022 and of the schemes, which 4.0 reports unchanged. */
const codeForm = /^[A-Z0-9]{4}$/;

function isStatusReason(reason: string): boolean {
  return statusReasons.includes(reason) || codeForm.test(reason);
}

/**
 * @param outcome in the words of the bank's API
 * @param localInstrument if it is known
 * @returns the same in the standard's words
 */
export function toPaymentResult(
  paymentId: string,
  {
    status,
    statusDetail,
  }: {
    readonly status: PaymentStatus;
    readonly statusDetail?: { readonly status: string; readonly reason?: string; readonly description?: string };
  },
  localInstrument?: string,
): PaymentResult {
  if (statusDetail === undefined) return { paymentId, status };
  return {
    paymentId,
    status,
    statusDetail: {
      ...(localInstrument === undefined ? {} : { LocalInstrument: localInstrument }),
      Status: statusDetail.status,
      ...(statusDetail.reason === undefined
        ? {}
        : { StatusReason: isStatusReason(statusDetail.reason) ? statusDetail.reason : 'Proprietary' }),
      ...(statusDetail.description === undefined ? {} : { StatusReasonDescription: statusDetail.description }),
    },
  };
}

/** The states that the scheme may report in each state: a step of the table, or the same state until it is settled. */
const possibleChanges = [
  ...stepsOf(paymentTransitions),
  ...paymentStatuses.filter(isUnsettled).map((status) => ({ from: status, to: status })),
]
  .map(({ from, to }) => `('${from}', '${to}')`)
  .join(', ');

/**
 * Parts of WITH that record results. The state changes only by the table of transitions, and an unchanged state keeps
 * its time. Details of an earlier state are removed. The payments are locked first, in the order of their ids. `noted`
 * has the payments that the bank reported, `news` the file payments of those that changed.
 *
 * A subquery reads the first list, so that its length does not change the plan.
 *
 * The values are {@link NotedResults}.
 * @param condition a further condition, SQL on `payments`; may use further values
 * @param others relation of the same statement with further file payments to reconcile: consent_id, client_id,
 * status_updated_at
 */
export function noteResults({ condition = 'true', others }: { condition?: string; others?: string } = {}): string {
  const toReconcile = 'SELECT consent_id, client_id, changed_at AS status_updated_at FROM news';
  const andOthers =
    others === undefined ? '' : ` UNION ALL SELECT consent_id, client_id, status_updated_at FROM ${others}`;
  return `
  former AS MATERIALIZED (
    SELECT result.*, payments.status AS former_status
      FROM unnest((SELECT :paymentIds::text[]), :statuses::text[], :details::text[],
        :areUnsettled::boolean[]) AS result (payment_id, status, status_detail, is_unsettled)
     CROSS JOIN ${lockedRowByKey('payments', 'payment_id = result.payment_id')} AS payments
     WHERE (payments.status, result.status) IN (${possibleChanges}) AND ${condition}),
  noted AS (
    UPDATE payments
       SET status = former.status,
           status_detail = CASE WHEN former.former_status = former.status
             THEN coalesce(former.status_detail, payments.status_detail) ELSE former.status_detail END,
           status_updated_at = CASE WHEN former.former_status = former.status THEN payments.status_updated_at
             ELSE :now END,
           handed_over_at = coalesce(payments.handed_over_at, :now),
           next_attempt_at = CASE WHEN former.is_unsettled THEN
             coalesce(${secondsAfter(':now::timestamptz', ':askedInSeconds::integer')}, payments.next_attempt_at) END
      FROM former
     WHERE payments.payment_id = former.payment_id AND payments.payment_id = ANY (ARRAY(SELECT payment_id FROM former))
    RETURNING payments.payment_id, payments.payment_order_id, payments.status_updated_at,
      former.former_status <> former.status AS is_news),
  news AS MATERIALIZED (
    SELECT file.payment_order_id, file.consent_id, file.client_id, file.status, changed.status_updated_at AS changed_at
      FROM (
        SELECT payment_order_id, max(status_updated_at) AS status_updated_at FROM noted WHERE is_news
          GROUP BY payment_order_id) AS changed
     CROSS JOIN ${rowByKey('payment_orders', 'payment_order_id = changed.payment_order_id')} AS file),
  news_event AS (${noteOrderEventsOf('news', 'payments')}),
  news_reconciliation AS (${noteReconciliationsOf(`(${toReconcile}${andOthers}) AS changed`)})`;
}

/** The first values of a statement with {@link noteResults}. */
export const resultNames = [
  'paymentIds',
  'statuses',
  'details',
  'areUnsettled',
  'now',
  'askedInSeconds',
] as const satisfies readonly (keyof NotedResults)[];

/** {@link noteResults} as a statement: a row for each payment that the bank reported. */
export const noteResultsOf = <Further extends object = object>(name: string, condition = 'true') =>
  statement<NotedResults & Further>(name, resultNames)`
  WITH ${noteResults({ condition })}
  SELECT payment_id FROM noted`;

/** In one order, so that two statements about the same payments never deadlock. */
export function resultValues(unordered: readonly PaymentResult[]): Omit<NotedResults, 'now' | 'askedInSeconds'> {
  const results = unordered.toSorted((one, other) => (one.paymentId < other.paymentId ? -1 : 1));
  return {
    paymentIds: results.map(({ paymentId }) => paymentId),
    statuses: results.map(({ status }) => status),
    details: results.map(({ statusDetail }) => (statusDetail === undefined ? null : JSON.stringify(statusDetail))),
    areUnsettled: results.map(({ status }) => isUnsettled(status)),
  };
}
