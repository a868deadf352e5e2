import { filePaymentKind } from '#libs/consent';
import { createFilePaymentWire } from '../../file-payment/create-file-payment-wire.js';
import { obErrorAnswer, reusedKey } from '../../file-payment/documents/ob-answers.js';
import type { DocumentText } from '../../file-payment/documents/document-text.js';
import type { FilePaymentForms } from '../../file-payment/version.js';
import { errorBody40 } from '../error-body.js';
import { OBErrorResponse1 } from '../ob-error.dto.js';
import { fileBodies40 } from './dto/ob-payment-file.dto.js';
import { OBWriteFileConsent3, OBWriteFileConsentResponse4 } from './dto/ob-write-file-consent.dto.js';
import { OBWriteFile2, OBWriteFileResponse3 } from './dto/ob-write-file.dto.js';
import { example40 } from './example.js';
import { initiationIn40, reportedPaymentIn40 } from './in-members-of-40.js';
import { stateName } from './states.js';
import { reasonsOfConsent, reasonsOfPayment, toStatusDetail } from './status-reasons.js';

const prefix = 'open-banking/v4.0/pisp';
const inUse = { ...reusedKey, detail: 'The key is in use by another request.' };

const text: DocumentText = {
  prefix,
  scope: filePaymentKind.scope,
  stateName,
  errorBody: errorBody40,
  classes: {
    consent: OBWriteFileConsent3,
    consentAnswer: OBWriteFileConsentResponse4,
    file: [fileBodies40.FileParam, fileBodies40.OBFileContent],
    fileAnswer: [fileBodies40.ReadFileResponse, fileBodies40.OBFileContentResponse],
    payment: OBWriteFile2,
    paymentAnswer: OBWriteFileResponse3,
    detailsAnswer: fileBodies40.OBWritePaymentDetailsResponse1,
    reportAnswer: fileBodies40.OBReportFile,
    error: OBErrorResponse1,
  },
  example: example40,
  signature:
    'Detached JWS over the bytes of the body (RFC 7515 appendix F): header..signature, the body encoded in Base64url. The header has ' +
    'alg, kid, http://openbanking.org.uk/iat, http://openbanking.org.uk/iss, http://openbanking.org.uk/tan and crit, and no b64.',
  headers: ['ratelimit-policy', 'ratelimit', 'x-client-id'],
  writeAnswers: () => ({}),
  bodyFaults: [
    {
      code: 'Field.Unexpected',
      detail: 'Data.Initiation.Purpose is not a member of this object.',
      path: 'Data.Initiation.Purpose',
    },
  ],
  isReusedKeyMalformed: false,
};

const refused = 'The request was refused.';
const alreadyExists = 'Rules.ResourceAlreadyExists';

export const forms40: FilePaymentForms = { consent: OBWriteFileConsent3, payment: OBWriteFile2, isClosed: true };

/** File payments in the Read/Write API 4.0.1. */
export const filePaymentWire40 = createFilePaymentWire({
  version: '4.0',
  document: { name: 'file-payments-4.0', title: 'File payments v4.0', edition: '4.0.1' },
  fileType: example40.initiation.FileType,
  prefix,
  // A payment of an older version must be readable (Payment Initiation API Profile, release management).
  shown: ['3.1', '4.0'],
  keySpace: '4.0 ',
  refusals: {
    IdempotencyKeyReused: { status: 422, code: alreadyExists },
    IdempotencyKeyInUse: { status: 409, code: alreadyExists },
    AlreadyThere: { status: 409, code: alreadyExists },
  },
  errorBody: errorBody40,
  signatureForm: 'b64-absent',
  areLimitsTold: true,
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
    ...text,
    writeAnswers: (there) => ({
      409: obErrorAnswer(
        text,
        409,
        'A request with this key is still in progress, or the resource already exists.',
        refused,
        [inUse, ...(there === undefined ? [] : [{ ...reusedKey, detail: there, path: 'Data.Status' }])],
      ),
      422: obErrorAnswer(text, 422, 'The key was used with a different body.', refused, [reusedKey]),
    }),
  },
});
