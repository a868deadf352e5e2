import { filePaymentKind } from '#libs/consent';
import { fieldUnexpected } from '#libs/error-catalogue';
import { createFilePaymentWire } from '../../file-payment/create-file-payment-wire.js';
import type { FilePaymentForms } from '../../file-payment/version.js';
import { paymentVersion40, text40 } from '../payment-version.js';
import { fileBodies40 } from './dto/ob-payment-file.dto.js';
import { OBWriteFileConsent3, OBWriteFileConsentResponse4 } from './dto/ob-write-file-consent.dto.js';
import { OBWriteFile2, OBWriteFileResponse3 } from './dto/ob-write-file.dto.js';
import { example40 } from './example.js';
import { initiationIn40, reportedPaymentIn40 } from './in-members-of-40.js';
import { stateName } from './states.js';
import { reasonsOfConsent, reasonsOfPayment, toStatusDetail } from './status-reasons.js';

export const forms40: FilePaymentForms = { consent: OBWriteFileConsent3, payment: OBWriteFile2, isClosed: true };

/** File payments in the Read/Write API 4.0.1. */
export const filePaymentWire40 = createFilePaymentWire({
  ...paymentVersion40,
  kind: filePaymentKind,
  document: { name: 'file-payments-4.0', title: 'File payments v4.0', edition: '4.0.1' },
  fileType: example40.initiation.FileType,
  forms: forms40,
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
    classes: {
      consent: OBWriteFileConsent3,
      consentAnswer: OBWriteFileConsentResponse4,
      file: [fileBodies40.FileParam, fileBodies40.OBFileContent],
      fileAnswer: [fileBodies40.ReadFileResponse, fileBodies40.OBFileContentResponse],
      payment: OBWriteFile2,
      paymentAnswer: OBWriteFileResponse3,
      detailsAnswer: fileBodies40.OBWritePaymentDetailsResponse1,
      reportAnswer: fileBodies40.OBReportFile,
      ...text40.classes,
    },
    example: example40,
    bodyFaults: [fieldUnexpected('Data.Initiation.Purpose')],
  },
});
