import type { Wire } from '../wire.js';
import { consentDocuments } from './documents/consent-operations.js';
import { describeArea } from './documents/describe-area.js';
import { paymentDocuments } from './documents/payment-operations.js';
import { createConsentReader } from './read/read-consent-request.js';
import { createPaymentReader } from './read/read-payment-request.js';
import type { FilePaymentVersion } from './version.js';
import { withPaymentIds } from './write/with-payment-ids.js';
import { createConsentWriter } from './write/write-consent.js';
import { createPaymentWriters, toReportFile } from './write/write-payment.js';

/**
 * @returns file payments in one version: its bodies, states and texts, with the readers and writers that versions share
 */
export function createFilePaymentWire({ forms, words, text, ...version }: FilePaymentVersion): Wire {
  return {
    ...version,
    paymentId: 'FilePaymentId',
    isPaidByCustomer: false,
    document: { ...version.document, ...describeArea(version.version, words.stateName) },
    isClosed: forms.isClosed,
    isSigned: true,
    area: 'payment initiation',
    read: { consent: createConsentReader(forms), payment: createPaymentReader(forms) },
    write: {
      consent: createConsentWriter(words),
      file: (file) => withPaymentIds(file).document,
      ...createPaymentWriters(words, 'FilePaymentId'),
      reportFile: (report, self) => toReportFile(words, report, self),
    },
    stateName: words.stateName,
    documents: { ...consentDocuments(text), ...paymentDocuments(text) },
  };
}
