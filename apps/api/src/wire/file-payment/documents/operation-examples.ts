import { exampleAddresses } from '#libs/api-description';
import { examplePaymentIds } from '../example-file.js';
import type { DocumentText, PaymentText } from './document-text.js';

/** @returns the absolute address of a resource in the examples */
export function addressOf({ prefix }: Pick<PaymentText, 'prefix'>, path: string): string {
  return `${exampleAddresses.baseUrl}/${prefix}/${path}`;
}

/** @returns the payments of the example in their response form */
export function storedPayments({ example }: DocumentText): object[] {
  return example.payments.map((payment, index) => ({ ...payment, PaymentId: examplePaymentIds[index] }));
}
