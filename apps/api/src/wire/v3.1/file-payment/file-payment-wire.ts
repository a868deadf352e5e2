import { filePaymentKind } from '#libs/consent';
import { createFilePaymentWire } from '../../file-payment/create-file-payment-wire.js';
import { paymentVersion31, stateName, text31 } from '../payment-version.js';
import { fileBodies31 } from './bodies.js';
import { example31 } from './example.js';
import { toStatusDetail } from './status-detail.js';
import { toReportedPayment } from './to-reported-payment.js';

/** File payments in the Read/Write API 3.1. */
export const filePaymentWire31 = createFilePaymentWire({
  ...paymentVersion31,
  kind: filePaymentKind,
  document: { name: 'file-payments', title: 'File payments', edition: '3.1.2' },
  forms: { ...fileBodies31, isClosed: false },
  words: {
    stateName,
    statusDetail: toStatusDetail,
    initiation: (initiation) => initiation,
    reportedPayment: toReportedPayment,
  },
  text: {
    ...text31,
    classes: { ...fileBodies31, ...text31.classes },
    example: example31,
    bodyFaults: [],
  },
});
