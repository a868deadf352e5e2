import { exampleAddresses } from '#libs/api-description';
import { examplePaymentIds, exampleTime } from '../example-file.js';
import type { DocumentText, PaymentText } from './document-text.js';

/**
 * @param path of the resource
 * @param beside members besides Data, Links and Meta
 * @returns an answer of the examples
 */
export function exampleAnswer(
  { prefix }: Pick<PaymentText, 'prefix'>,
  path: string,
  Data: object,
  beside: object = {},
) {
  return { Data, ...beside, Links: { Self: `${exampleAddresses.baseUrl}/${prefix}/${path}` }, Meta: {} };
}

export const exampleTimes = { CreationDateTime: exampleTime, StatusUpdateDateTime: exampleTime };

/** @returns the payments of the example in their response form */
export function storedPayments({ example }: DocumentText): object[] {
  return example.payments.map((payment, index) => ({ ...payment, PaymentId: examplePaymentIds[index] }));
}
