import { filePaymentKind } from '#libs/consent';
import { createFilePaymentWire } from '../../file-payment/create-file-payment-wire.js';
import type { FilePaymentForms } from '../../file-payment/version.js';
import { paymentVersion31, text31 } from '../payment-version.js';
import { fileBodies31 } from './dto/ob-payment-file.dto.js';
import { OBWriteFileConsent3, OBWriteFileConsentResponse3 } from './dto/ob-write-file-consent.dto.js';
import { OBWriteFile2, OBWriteFileResponse2 } from './dto/ob-write-file.dto.js';
import { example31 } from './example.js';
import { stateName } from './states.js';
import { toStatusDetail } from './status-detail.js';
import { toReportedPayment } from './to-reported-payment.js';

export const forms31: FilePaymentForms = { consent: OBWriteFileConsent3, payment: OBWriteFile2, isClosed: false };

/** File payments in the Read/Write API 3.1. */
export const filePaymentWire31 = createFilePaymentWire({
  ...paymentVersion31,
  kind: filePaymentKind,
  document: { name: 'file-payments', title: 'File payments', edition: '3.1.2' },
  fileType: example31.initiation.FileType,
  forms: forms31,
  words: {
    stateName,
    statusDetail: toStatusDetail,
    initiation: (initiation) => initiation,
    reportedPayment: toReportedPayment,
  },
  text: {
    ...text31,
    classes: {
      consent: OBWriteFileConsent3,
      consentAnswer: OBWriteFileConsentResponse3,
      file: [fileBodies31.FileParam, fileBodies31.OBFileContent],
      fileAnswer: [fileBodies31.ReadFileResponse, fileBodies31.OBFileContentResponse],
      payment: OBWriteFile2,
      paymentAnswer: OBWriteFileResponse2,
      detailsAnswer: fileBodies31.OBWritePaymentDetailsResponse1,
      reportAnswer: fileBodies31.OBReportFile,
      ...text31.classes,
    },
    example: example31,
    bodyFaults: [],
  },
});
