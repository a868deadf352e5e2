import { BankAnswerError, parsePaymentOutcome } from '#libs/bank';
import { type Fault, fieldInvalid } from '#libs/error-catalogue';
import { ObError } from '#libs/error-envelope';
import { type PaymentResult, toPaymentResult } from '#libs/payment-order';

/** Maximum number of payments in one report. */
const mostPayments = 200;
const paymentIdForm = /^[0-9A-Za-z-]{1,35}$/;

/**
 * @param payments `payments` of the report: each a PaymentId with the members of PaymentOutcome
 * @throws ObError 400 with every fault; none of the report is stored then
 */
export function readOutcomes(payments: unknown): PaymentResult[] {
  if (!Array.isArray(payments) || payments.length < 1 || payments.length > mostPayments) {
    throw refused([fieldInvalid('payments', `must be an array of 1 to ${mostPayments} payments`)]);
  }
  const faults: Fault[] = [];
  const results = payments.flatMap((payment: unknown, index) => {
    const read = readOutcome(payment);
    if (typeof read !== 'string') return [read];
    faults.push(fieldInvalid(`payments[${index}]`, read));
    return [];
  });
  // Two states of one payment in one report would have no order.
  if (new Set(results.map(({ paymentId }) => paymentId)).size < results.length) {
    faults.push(fieldInvalid('payments', 'must name each payment once'));
  }
  if (faults.length > 0) throw refused(faults);
  return results;
}

/** @returns the result, or its fault */
function readOutcome(payment: unknown): PaymentResult | string {
  if (typeof payment !== 'object' || payment === null) return 'must be an object';
  const paymentId: unknown = Reflect.get(payment, 'paymentId');
  if (typeof paymentId !== 'string' || !paymentIdForm.test(paymentId)) return 'must have a paymentId';
  try {
    return toPaymentResult(paymentId, parsePaymentOutcome(payment as Record<string, unknown>));
  } catch (error) {
    if (error instanceof BankAnswerError) return 'must have a valid status and, if present, a valid statusDetail';
    throw error;
  }
}

function refused(faults: readonly Fault[]): ObError {
  return new ObError(400, 'The report cannot be read; none of it was stored.', faults);
}
