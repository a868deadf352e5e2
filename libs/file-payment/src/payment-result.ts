import { isUnsettled, paymentTransitions, type PaymentStatus, stepsOf } from '#libs/obie-rules';
import type { PaymentStatusDetail } from './payment.entity.js';

/** What the scheme said of a payment. */
export interface PaymentResult {
  readonly paymentId: string;
  readonly status: PaymentStatus;
  readonly statusDetail?: PaymentStatusDetail;
}

/** What a StatusReason may say up to 3.1 (OBWritePaymentDetailsResponse1); a scheme's own words are Proprietary. */
const statusReasons = [
  'Cancelled',
  'PendingFailingSettlement',
  'PendingSettlement',
  'Proprietary',
  'ProprietaryRejection',
  'Suspended',
  'Unmatched',
];

/** Codes of ISO 20022 and of the schemes, which 4.0 tells as they are. */
const codeForm = /^[A-Z0-9]{4}$/;

function isStatusReason(reason: string): boolean {
  return statusReasons.includes(reason) || codeForm.test(reason);
}

/**
 * @param outcome in the bank's words
 * @param localInstrument where it is known
 * @returns the same in the standard's
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

/** What the scheme may say of a payment in each state: a step of the table, or the same again. */
const changes = stepsOf(paymentTransitions)
  .flatMap((step) => [step, { from: step.from, to: step.from }])
  .map(({ from, to }) => `('${from}', '${to}')`);

const possibleChanges = [...new Set(changes)].join(', ');

/**
 * A statement that notes results. The state changes by the table of transitions only, and one that stays the same keeps
 * its time. What the scheme said of an earlier state does not stand beside a later one.
 *
 * $1 ids, $2 states, $3 details, $4 whether each is unsettled, $5 now, $6 when to ask next, or null to leave that as it is
 * @param condition SQL on `payments` that must hold as well; may use further parameters
 */
export function noteResultsSql(condition = 'true'): string {
  return `
    UPDATE payments
       SET status = result.status,
           status_detail = CASE WHEN payments.status = result.status
             THEN coalesce(result.status_detail, payments.status_detail) ELSE result.status_detail END,
           status_updated_at = CASE WHEN payments.status = result.status THEN payments.status_updated_at ELSE $5 END,
           handed_over_at = coalesce(payments.handed_over_at, $5),
           next_attempt_at = CASE WHEN result.is_unsettled THEN coalesce($6::timestamptz, payments.next_attempt_at) END
      FROM unnest($1::text[], $2::text[], $3::text[], $4::boolean[])
        AS result (payment_id, status, status_detail, is_unsettled)
     WHERE payments.payment_id = result.payment_id AND (payments.status, result.status) IN (${possibleChanges})
       AND ${condition}
     RETURNING payments.payment_id`;
}

/** @returns $1 to $4 of {@link noteResultsSql}, in one order: two statements about the same payments do not wait for each other */
export function resultParameters(unordered: readonly PaymentResult[]): unknown[] {
  const results = unordered.toSorted((one, other) => (one.paymentId < other.paymentId ? -1 : 1));
  return [
    results.map(({ paymentId }) => paymentId),
    results.map(({ status }) => status),
    results.map(({ statusDetail }) => (statusDetail === undefined ? null : JSON.stringify(statusDetail))),
    results.map(({ status }) => isUnsettled(status)),
  ];
}
