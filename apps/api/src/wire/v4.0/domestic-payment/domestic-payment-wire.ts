import { format40 } from '#libs/file-payment';
import type { FilePayment } from '#libs/payment-order';
import { createDomesticPaymentWire } from '../../domestic-payment/create-domestic-payment-wire.js';
import type { PaymentText } from '../../file-payment/documents/document-text.js';
import { example40 } from '../file-payment/example.js';
import { paymentIn40 } from '../file-payment/in-members-of-40.js';
import { singleReasons, toStatusDetail } from '../file-payment/status-reasons.js';
import { paymentVersion40, stateName, text40 } from '../payment-version.js';
import { domesticBodies40 } from './bodies.js';

/** The description of 4.0 has 409 only for an existing payment, and 422 for any fault of a key. */
const { IdempotencyKeyReused } = paymentVersion40.refusals;
const writeAnswers: PaymentText['writeAnswers'] = (there) => {
  const { 409: _there, ...ofKeys } = text40.writeAnswers(there);
  return there === undefined ? ofKeys : text40.writeAnswers(there);
};

const asMembers = (sent: object) => paymentIn40(sent as Readonly<Record<string, unknown>>);

/** A payment that its scheme does not have yet: first RCVD, whatever is awaited (4.0.1, domestic payments, status). */
function stateOfPayment({ only, payment, isNew }: Pick<FilePayment, 'only' | 'payment' | 'isNew'>) {
  const { status, statusUpdatedAt: at } = only ?? payment;
  const { approvalsReceived, approvalsRequired, approvalsUpdatedAt, batchAcceptedAt, heldAt, stoppedAt } = payment;
  if (status !== 'Pending') return { status: stateName(status), at };
  if (isNew) return { status: 'RCVD', at };
  // Also while it is stopped, because it waits for them again afterwards.
  if (approvalsReceived < approvalsRequired) return { status: 'PATC', at };
  const approvedAt = approvalsRequired > 1 ? approvalsUpdatedAt : at;
  const atBank = batchAcceptedAt ?? heldAt ?? stoppedAt;
  if (atBank === null) return { status: 'RCVD', at: approvedAt };
  return { status: 'PDNG', at: approvalsRequired > 1 && approvedAt > atBank ? approvedAt : atBank };
}

/** Single domestic payments in the Read/Write API 4.0.1. */
export const domesticPaymentWire40 = createDomesticPaymentWire({
  ...paymentVersion40,
  refusals: { ...paymentVersion40.refusals, IdempotencyKeyInUse: IdempotencyKeyReused },
  document: { name: 'domestic-payments-4.0', title: 'Domestic payments v4.0', edition: '4.0.1' },
  forms: { ...domesticBodies40, format: format40, known: asMembers },
  words: { stateName, ...singleReasons, statusDetail: toStatusDetail, initiation: asMembers, stateOfPayment },
  text: {
    ...text40,
    writeAnswers,
    classes: { ...domesticBodies40, ...text40.classes },
    example: { initiation: example40.payments[0] ?? {} },
    firstState: 'RCVD',
    bodyFaults: [],
  },
});
