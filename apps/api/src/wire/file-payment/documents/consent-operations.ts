import { createFault, currencyUnsupported, fieldInvalid, fieldMissing } from '#libs/error-catalogue';
import { mostBytesOf, mostValuesOf } from '#libs/file-payment';
import { mostPayments } from '#libs/obie-rules';
import type { ResourceStatus, Wire } from '../../wire.js';
import { exampleConsentId } from '../example-file.js';
import type { DocumentText } from './document-text.js';
import { wrongStatus } from './ob-answers.js';
import { exampleAnswer, exampleTimes, storedPayments } from './operation-examples.js';
import { documentsOf, type WriteOperation } from './payment-operation.js';

const tag = 'File payment consents';

function consentExample(text: DocumentText, status: ResourceStatus) {
  const Status = text.stateName(status);
  const { initiation: Initiation } = text.example;
  const Data = { ConsentId: exampleConsentId, ...exampleTimes, Status, Charges: [], Initiation };
  return exampleAnswer(text, `file-payment-consents/${exampleConsentId}`, Data);
}

const hash = 'Data.Initiation.FileHash';
const instrument = 'Data.Initiation.LocalInstrument';
const instruments = 'UK.OBIE.FPS, UK.OBIE.BACS, UK.OBIE.CHAPS or UK.OBIE.BalanceTransfer';
const unknownInstrument = createFault(
  'Unsupported.LocalInstrument',
  `${instrument} must be ${instruments}.`,
  instrument,
);
const wrongHash = fieldInvalid(hash, 'of the consent is not the SHA-256 of the uploaded file');
const wrongCurrency = currencyUnsupported('File.Data.DomesticPayments[3].InstructedAmount.Currency');

/** @returns the documentation of the operations on consents in one version */
export function consentDocuments(
  text: DocumentText,
): Pick<Wire['documents'], 'createConsent' | 'readConsent' | 'uploadFile' | 'readFile'> {
  const { classes, example } = text;
  return documentsOf(text, {
    createConsent: {
      tag,
      operationId: 'CreateFilePaymentConsents',
      summary: 'Stage a consent',
      description: 'The first step: describes the file. It names no customer; the account to debit is optional.',
      answer: {
        description: 'The consent, waiting for its file.',
        document: classes.consentAnswer,
        examples: { consent: { summary: 'Staged', value: consentExample(text, 'AwaitingUpload') } },
      },
      writes: {
        bodies: [classes.consent],
        examples: {
          consent: { summary: 'For the example of the upload', value: { Data: { Initiation: example.initiation } } },
        },
        faults: [...text.bodyFaults, fieldMissing(hash), unknownInstrument],
      },
    },
    readConsent: {
      tag,
      operationId: 'GetFilePaymentConsentsConsentId',
      summary: 'Read a consent',
      description: 'The status shows whether the customer has approved.',
      answer: {
        description: 'The consent.',
        document: classes.consentAnswer,
        examples: { approved: { summary: 'Approved by the customer', value: consentExample(text, 'Authorised') } },
      },
      reads: 'ConsentId',
    },
    uploadFile: uploadFile(text),
    readFile: {
      tag,
      operationId: 'GetFilePaymentConsentsConsentIdFile',
      summary: 'Read the file',
      description: 'The file as uploaded, with a PaymentId added to each payment, so its hash differs.',
      answer: {
        description: 'The file.',
        document: classes.fileAnswer,
        examples: { file: exampleFile(storedPayments(text)) },
      },
      reads: 'ConsentId',
    },
  });
}

function exampleFile(payments: readonly object[]) {
  return { summary: 'Two payments', value: { File: { Data: { DomesticPayments: payments } } } };
}

function uploadFile({ classes, example, stateName }: DocumentText): WriteOperation {
  const fileType = example.initiation.FileType;
  const needed = `A file may be uploaded while the consent is ${stateName('AwaitingUpload')}; it is`;
  return {
    tag,
    operationId: 'CreateFilePaymentConsentsConsentIdFile',
    summary: 'Upload the file',
    description:
      `Up to ${mostPayments} payments of one type: exactly the bytes whose hash is in the consent. The hash of the ` +
      'example is that of JSON in one line without spaces. The answer lists the faults of the file, at most 100. It ' +
      `has at most ${mostBytesOf(fileType) / 1_000} kB, ${mostValuesOf(fileType).toLocaleString('en')} values and ` +
      '1,000 numbers.',
    answer: { description: 'The file matches the consent and is stored. The customer can now approve.' },
    writes: {
      to: 'ConsentId',
      bodies: classes.file,
      examples: { file: exampleFile(example.payments) },
      faults: [wrongHash, wrongCurrency, wrongStatus(`${needed} ${stateName('Rejected')}.`)],
      there: `${needed} ${stateName('AwaitingAuthorisation')}.`,
    },
  };
}
