import { filePaymentKind } from '#libs/consent';
import { fieldUnexpected } from '#libs/error-catalogue';
import { createFilePaymentWire } from '../../file-payment/create-file-payment-wire.js';
import { paymentVersion40, stateName, text40 } from '../payment-version.js';
import { fileBodies40 } from './bodies.js';
import { example40 } from './example.js';
import { initiationIn40, reportedPaymentIn40 } from './in-members-of-40.js';
import { reasonsOfConsent, reasonsOfPayment, toStatusDetail } from './status-reasons.js';

/** File payments in the Read/Write API 4.0.1. */
export const filePaymentWire40 = createFilePaymentWire({
  ...paymentVersion40,
  kind: filePaymentKind,
  document: { name: 'file-payments-4.0', title: 'File payments v4.0', edition: '4.0.1' },
  forms: { ...fileBodies40, isClosed: true },
  words: {
    stateName,
    reasonsOfConsent,
    reasonsOfPayment,
    statusDetail: toStatusDetail,
    initiation: initiationIn40,
    reportedPayment: reportedPaymentIn40,
  },
  text: {
    ...text40,
    classes: { ...fileBodies40, ...text40.classes },
    example: example40,
    bodyFaults: [fieldUnexpected('Data.Initiation.Purpose')],
  },
});
