import { paymentOrderStep, isUnsettled, type PaymentStatus } from '#libs/obie-rules';
import { statement, type StatementRunner } from '#libs/persistence';
import { isDueTooLate } from './due-too-late.js';
import { noteResultsOf, resultValues } from './payment-result.js';
import { isUnsettledSql } from './settlement-watch.js';

const completed = paymentOrderStep('InitiationPending', 'InitiationCompleted').to;

const isHeld = `${isUnsettledSql} AND payments.next_attempt_at IS NULL AND payments.handed_over_at IS NOT NULL
  AND EXISTS (
  SELECT FROM payment_orders AS file WHERE file.payment_order_id = payments.payment_order_id
     AND file.held_at IS NOT NULL AND file.status = '${completed}')`;

const retrySettlement = statement<{ filePaymentId: string; now: Date; settleBy: Date }>('retry-held-settlement', [
  'filePaymentId',
])`
  WITH resumed AS (
    UPDATE payment_orders SET held_at = NULL, last_fault = NULL, settle_by = :settleBy
     WHERE payment_order_id = :filePaymentId AND status = '${completed}' AND (held_at IS NOT NULL OR EXISTS (
           SELECT FROM payments WHERE payments.payment_order_id = :filePaymentId
             AND ${isDueTooLate('payments', ':now')}))
    RETURNING payment_order_id, client_id),
  asked AS (
    UPDATE payments SET next_attempt_at = :now, attempts = 0, status_detail = NULL FROM resumed
     WHERE payments.payment_order_id = resumed.payment_order_id AND ${isUnsettledSql}
       AND (payments.next_attempt_at IS NULL OR ${isDueTooLate('payments', ':now')}))
  SELECT client_id FROM resumed`;

/**
 * Lets the bank be asked again about the accepted payments of a file payment that is held, or whose payments are due
 * too late.
 * @param decision.settleBy the new time by which their final state is expected
 * @returns its client; undefined if no file payment of this id is held for that
 */
export async function retryHeldSettlement(
  runner: StatementRunner,
  { filePaymentId, now, settleBy }: { filePaymentId: string; now: Date; settleBy: Date },
): Promise<string | undefined> {
  const { rows } = await runner.query<{ client_id: string }>(...retrySettlement.with({ filePaymentId, now, settleBy }));
  return rows[0]?.client_id;
}

/** A final status that a person can set. */
export type FinalPaymentStatus = Exclude<PaymentStatus, 'Pending' | 'AcceptedSettlementInProcess'>;

const releaseSettled = statement<{ paymentId: string }>('release-settled-file-payment', ['paymentId'])`
  UPDATE payment_orders AS file
    SET held_at = CASE WHEN EXISTS (
          SELECT FROM payments WHERE payments.payment_order_id = file.payment_order_id AND ${isUnsettledSql})
          THEN held_at END
  WHERE payment_order_id = (SELECT payment_order_id FROM payments WHERE payment_id = :paymentId)
  RETURNING client_id, payment_order_id`;

const noteConclusion = noteResultsOf('conclude-held-payment', isHeld);

/**
 * Records how a payment of a held file payment ended, as a person at the bank has found out. The file payment is no
 * longer held once none of its payments is open.
 * @returns the client and the file payment; undefined if no such payment is held
 */
export async function concludeHeldPayment(
  runner: StatementRunner,
  { paymentId, status, now }: { paymentId: string; status: FinalPaymentStatus; now: Date },
): Promise<{ clientId: string; filePaymentId: string } | undefined> {
  if (isUnsettled(status)) throw new TypeError('A payment can be concluded only with a final status.');
  const values = { ...resultValues([{ paymentId, status }]), now, askedInSeconds: undefined };
  const { rowCount } = await runner.query(...noteConclusion.with(values));
  if (rowCount !== 1) return undefined;
  const { rows } = await runner.query<{ client_id: string; payment_order_id: string }>(
    ...releaseSettled.with({ paymentId }),
  );
  return rows[0] && { clientId: rows[0].client_id, filePaymentId: rows[0].payment_order_id };
}
