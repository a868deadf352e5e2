import { filePaymentKind } from '#libs/consent';
import { createObErrorBody } from '#libs/error-envelope';
import { createFilePaymentWire } from '../../file-payment/create-file-payment-wire.js';
import type { FilePaymentForms } from '../../file-payment/version.js';
import { OBErrorResponse1 } from '../ob-error.dto.js';
import { fileBodies31 } from './dto/ob-payment-file.dto.js';
import { OBWriteFileConsent3, OBWriteFileConsentResponse3 } from './dto/ob-write-file-consent.dto.js';
import { OBWriteFile2, OBWriteFileResponse2 } from './dto/ob-write-file.dto.js';
import { example31 } from './example.js';
import { stateName } from './states.js';
import { toStatusDetail } from './status-detail.js';
import { toReportedPayment } from './to-reported-payment.js';

const prefix = 'open-banking/v3.1/pisp';

export const forms31: FilePaymentForms = { consent: OBWriteFileConsent3, payment: OBWriteFile2, isClosed: false };

/** File payments in the Read/Write API 3.1. */
export const filePaymentWire31 = createFilePaymentWire({
  version: '3.1',
  document: { name: 'file-payments', title: 'File payments', edition: '3.1.2' },
  fileType: example31.initiation.FileType,
  prefix,
  shown: ['3.1'],
  // Unchanged since the first version of this service.
  keySpace: '',
  refusals: {},
  errorBody: createObErrorBody,
  areLimitsTold: false,
  forms: forms31,
  words: {
    stateName,
    statusDetail: toStatusDetail,
    initiation: (initiation) => initiation,
    reportedPayment: toReportedPayment,
  },
  text: {
    prefix,
    scope: filePaymentKind.scope,
    stateName,
    errorBody: createObErrorBody,
    classes: {
      consent: OBWriteFileConsent3,
      consentAnswer: OBWriteFileConsentResponse3,
      file: [fileBodies31.FileParam, fileBodies31.OBFileContent],
      fileAnswer: [fileBodies31.ReadFileResponse, fileBodies31.OBFileContentResponse],
      payment: OBWriteFile2,
      paymentAnswer: OBWriteFileResponse2,
      detailsAnswer: fileBodies31.OBWritePaymentDetailsResponse1,
      reportAnswer: fileBodies31.OBReportFile,
      error: OBErrorResponse1,
    },
    example: example31,
    signature:
      'Detached JWS over the bytes of the body (RFC 7515 appendix F, RFC 7797): header..signature. The header has alg, kid, ' +
      'http://openbanking.org.uk/iat, http://openbanking.org.uk/iss, http://openbanking.org.uk/tan and crit.',
    headers: [],
    writeAnswers: () => ({}),
    bodyFaults: [],
    isReusedKeyMalformed: true,
  },
});
