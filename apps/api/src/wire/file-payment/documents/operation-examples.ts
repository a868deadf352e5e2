import { exampleAddresses } from '#libs/api-description';
import type { Fault } from '#libs/error-catalogue';
import { examplePaymentIds } from '../example-file.js';
import type { DocumentText } from './document-text.js';

/** @returns where the examples are */
export function addressOf({ prefix }: DocumentText, path: string): string {
  return `${exampleAddresses.baseUrl}/${prefix}/${path}`;
}

/** Headers of what is read, and of what is created. */
export const signed = ['x-jws-signature'] as const;
export const created = ['x-jws-signature', 'location'] as const;

/** @returns the payments of the example as they are read */
export function storedPayments({ example }: DocumentText): object[] {
  return example.payments.map((payment, index) => ({ ...payment, PaymentId: examplePaymentIds[index] }));
}

export const wrongStatus: Fault = {
  code: 'Resource.InvalidConsentStatus',
  detail: 'The consent is not in the state that this needs.',
  path: 'Data.Status',
};
