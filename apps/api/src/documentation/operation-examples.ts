import { exampleAddresses } from '#libs/api-description';
import { examplePaymentIds, examplePayments } from '../obie-models/example-file.js';
import type { ExampleError } from './ob-answers.js';

/** Where the examples are. */
export const pisp = `${exampleAddresses.baseUrl}/open-banking/v3.1/pisp`;

/** Headers of what is read, and of what is created. */
export const signed = ['x-jws-signature'] as const;
export const created = ['x-jws-signature', 'location'] as const;

/** The payments of the example as they are read. */
export const storedPayments = examplePayments.map((payment, index) => ({
  ...payment,
  PaymentId: examplePaymentIds[index],
}));

export const wrongStatus: ExampleError = {
  code: 'UK.OBIE.Resource.InvalidConsentStatus',
  message: 'The consent is not in the state that this needs.',
  path: 'Data.Status',
};
