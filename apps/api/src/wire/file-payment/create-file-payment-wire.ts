import type { Wire } from '../wire.js';
import { describeArea, filePaymentDocuments } from './documents/file-payment-documents.js';
import { createConsentReader, createPaymentReader } from './read/read-requests.js';
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
    fileType: text.example.initiation.FileType,
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
    documents: filePaymentDocuments(text),
  };
}
