// The kinds that pay: what a TPP sends for each and where.
import { domesticPaymentKind, readDomesticPayment } from '../../dist/libs/domestic-payment/src/index.js';
import { format31Single, format40 } from '../../dist/libs/file-payment/src/index.js';
import { anyBank } from '../../dist/libs/obie-rules/src/index.js';
import { createInitiation } from './api-requests.mjs';

export const filePayments = {
  name: 'file-payment',
  consents: 'file-payment-consents',
  payments: 'file-payments',
  count: 150,
  createInitiation,
  risk: '',
};

/** The first payment of the file alone. Each is made with the token of its own approval. */
export const domesticPayments = {
  name: domesticPaymentKind.name,
  consents: domesticPaymentKind.consents,
  payments: `${domesticPaymentKind.name}s`,
  count: 1,
  createInitiation: ({ body }) => JSON.stringify(JSON.parse(body).File.Data.DomesticPayments[0]),
  risk: ',"Risk":{}',
  isPaidByCustomer: true,
};

/** @returns the list that staging a single payment makes */
export function makeSingleList(initiation, version) {
  const format = version === '4.0' ? format40 : format31Single;
  return readDomesticPayment(JSON.parse(initiation), { format, bank: anyBank, now: new Date() }).list;
}
