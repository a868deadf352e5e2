import { format31Single } from '#libs/file-payment';
import { createDomesticPaymentWire } from '../../domestic-payment/create-domestic-payment-wire.js';
import { toShown } from '../../file-payment/read/to-initiation.js';
import { toStatusDetail } from '../file-payment/status-detail.js';
import { paymentVersion31, stateName, text31 } from '../payment-version.js';
import { domesticBodies31 } from './bodies.js';

const initiation = {
  InstructionIdentification: 'ORDER-17',
  EndToEndIdentification: 'INV-17',
  InstructedAmount: { Amount: '120.50', Currency: 'GBP' },
  CreditorAccount: {
    SchemeName: 'UK.OBIE.SortCodeAccountNumber',
    Identification: '20000110000002',
    Name: 'A Supplier Ltd',
  },
  RemittanceInformation: { Reference: 'INV-17' },
};

/** Single domestic payments in the Read/Write API 3.1. */
export const domesticPaymentWire31 = createDomesticPaymentWire({
  ...paymentVersion31,
  document: { name: 'domestic-payments', title: 'Domestic payments', edition: '3.1.11' },
  forms: { ...domesticBodies31, format: format31Single, known: toShown },
  words: {
    stateName,
    statusDetail: toStatusDetail,
    initiation: (sent) => sent,
    stateOfPayment: ({ only, payment }) => ({
      status: stateName(only?.status ?? 'Pending'),
      at: only?.statusUpdatedAt ?? payment.statusUpdatedAt,
    }),
  },
  text: {
    ...text31,
    classes: { ...domesticBodies31, ...text31.classes },
    example: { initiation },
    firstState: 'Pending',
    bodyFaults: [],
  },
});
