import { findPayments, paymentIdOf, type PaymentFileEntity } from '#libs/file-payment';
import { parseStoredJson } from '#libs/obie-rules';

/**
 * The stored file in the response form: the nesting and every value as uploaded, each payment with the PaymentId that
 * was given to it. The octets are no longer those of FileHash (ReadFileResponse).
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
    // Set on the item itself, so that the document shows it too. An id sent by the TPP counts for nothing.
    return Object.assign(payment, { PaymentId: file.paymentIds?.[index] ?? paymentIdOf(file.consentId, index + 1) });
  });
  return { document, payments };
}
