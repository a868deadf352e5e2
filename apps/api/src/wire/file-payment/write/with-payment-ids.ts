import { findPayments, type PaymentFileEntity } from '#libs/file-payment';
import { paymentIdOf } from '#libs/payment-order';
import { parseStoredJson } from '#libs/obie-rules';

/**
 * The stored file in the response form (ReadFileResponse): nesting and values as uploaded, each payment with its
 * PaymentId. The bytes no longer match FileHash.
 * @returns the whole document and its payments in file order
 */
export function withPaymentIds(file: PaymentFileEntity): {
  document: Record<string, unknown>;
  payments: Record<string, unknown>[];
} {
  const document = parseStoredJson(file.content) as Record<string, unknown>;
  const found = findPayments(document);
  if (found === undefined) throw new TypeError('The stored file has no payments.');
  const payments = found.items.map((item, index) => {
    const payment = item as Record<string, unknown>;
    // Sets it on the item itself, so that the document has it too. A PaymentId sent by the TPP is ignored.
    return Object.assign(payment, { PaymentId: paymentIdOf(file.consentId, index + 1) });
  });
  return { document, payments };
}
