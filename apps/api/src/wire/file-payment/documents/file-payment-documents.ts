import { createFault, currencyUnsupported, fieldInvalid, fieldMissing } from '#libs/error-catalogue';
import { mostBytesOf, mostValuesOf } from '#libs/file-payment';
import { mostPayments } from '#libs/obie-rules';
import type { AreaDocument, ResourceStatus, Wire } from '../../wire.js';
import { exampleConsentId, exampleFilePaymentId, examplePaymentIds, exampleTime } from '../example-file.js';
import type { DocumentText } from './document-text.js';
import { wrongStatus } from './ob-answers.js';
import { documentsOf, exampleAnswer, exampleTimes, type WriteOperation } from './payment-operation.js';

const consentTag = 'File payment consents';
const paymentTag = 'File payments';

/** @returns the introduction to file payments in the API document of a version */
export function describeArea(
  version: string,
  stateName: Wire['stateName'],
): Pick<AreaDocument, 'description' | 'tags'> {
  return {
    description:
      `Up to ${mostPayments} payments of one type (FPS, BACS, CHAPS or balance transfer) in one JSON file. ` +
      `Read/Write API v${version}.\n\n` +
      `1. \`POST /file-payment-consents\`: describe the file. The status is ${stateName('AwaitingUpload')}.\n` +
      `2. \`POST …/{ConsentId}/file\`: upload the file. The status becomes ${stateName('AwaitingAuthorisation')}.\n` +
      `3. Send the customer to approve (see Authorisation). The status becomes ${stateName('Authorised')}.\n` +
      `4. \`POST /file-payments\`: make the payments. The status becomes ${stateName('Consumed')}.\n` +
      '5. Read the status and the report file.\n\n' +
      'Sign every POST (`x-jws-signature`) and give it an idempotency key (`x-idempotency-key`): it takes effect ' +
      'once. The bank signs answers that have a body.',
    tags: {
      [consentTag]: 'What the customer is asked to approve: a file of payments.',
      [paymentTag]: 'The payments of an approved file and their outcome.',
    },
  };
}

/** @returns the payments of the example in their response form */
function storedPayments({ example }: DocumentText): object[] {
  return example.payments.map((payment, index) => ({ ...payment, PaymentId: examplePaymentIds[index] }));
}

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

/** @returns the documentation of the operations in one version */
export function filePaymentDocuments(text: DocumentText): Wire['documents'] {
  return documentsOf(text, { ...consentOperations(text), ...paymentOperations(text) });
}

function consentOperations(text: DocumentText) {
  const { classes, example } = text;
  return {
    createConsent: {
      tag: consentTag,
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
      tag: consentTag,
      operationId: 'GetFilePaymentConsentsConsentId',
      summary: 'Read a consent',
      description: 'The status shows whether the customer has approved.',
      answer: {
        description: 'The consent.',
        document: classes.consentAnswer,
        examples: { approved: { summary: 'Approved by the customer', value: consentExample(text, 'Authorised') } },
      },
      reads: 'ConsentId' as const,
    },
    uploadFile: uploadFile(text),
    readFile: {
      tag: consentTag,
      operationId: 'GetFilePaymentConsentsConsentIdFile',
      summary: 'Read the file',
      description: 'The file as uploaded, with a PaymentId added to each payment, so its hash differs.',
      answer: {
        description: 'The file.',
        document: classes.fileAnswer,
        examples: { file: exampleFile(storedPayments(text)) },
      },
      reads: 'ConsentId' as const,
    },
  };
}

function exampleFile(payments: readonly object[]) {
  return { summary: 'Two payments', value: { File: { Data: { DomesticPayments: payments } } } };
}

function uploadFile({ classes, example, stateName }: DocumentText): WriteOperation {
  const fileType = example.initiation.FileType;
  const needed = `A file may be uploaded while the consent is ${stateName('AwaitingUpload')}; it is`;
  return {
    tag: consentTag,
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

const ids = { FilePaymentId: exampleFilePaymentId, ConsentId: exampleConsentId };
const sum = 'Data.Initiation.ControlSum';
const differentSum = createFault('Resource.ConsentMismatch', `${sum} is not that of the consent.`, sum);

function example(text: DocumentText, Data: object, below = '') {
  return exampleAnswer(text, `file-payments/${exampleFilePaymentId}${below}`, Data);
}

function paymentExample(text: DocumentText, status: ResourceStatus) {
  const { initiation: Initiation } = text.example;
  return example(text, { ...ids, ...exampleTimes, Status: text.stateName(status), Charges: [], Initiation });
}

const settled = ({ stateName }: DocumentText) => ({
  Status: stateName('AcceptedSettlementCompleted'),
  StatusUpdateDateTime: exampleTime,
});

function detailsExample(text: DocumentText) {
  const PaymentStatus = examplePaymentIds.map((PaymentTransactionId) => ({ PaymentTransactionId, ...settled(text) }));
  return example(text, { PaymentStatus }, '/payment-details');
}

function reportExample(text: DocumentText) {
  const Data = {
    ...ids,
    Status: text.stateName('InitiationCompleted'),
    StatusUpdateDateTime: exampleTime,
    CreationDateTime: exampleTime,
    FileReference: 'PAYROLL-2030-01',
    NumberOfTransactions: '2',
    ControlSum: 2230.5,
    DomesticPayments: storedPayments(text).map((payment) => ({ ...payment, ...settled(text) })),
  };
  return example(text, Data, '/report-file');
}

function paymentOperations(text: DocumentText) {
  const { classes } = text;
  return {
    createPayment: createPayment(text),
    readPayment: {
      tag: paymentTag,
      operationId: 'GetFilePaymentsFilePaymentId',
      summary: 'Read the status of a file payment',
      description: 'The individual payments are in payment-details and in the report file.',
      answer: {
        description: 'The file payment.',
        document: classes.paymentAnswer,
        examples: { completed: { summary: 'Handed over', value: paymentExample(text, 'InitiationCompleted') } },
      },
      reads: 'FilePaymentId' as const,
    },
    readPaymentDetails: {
      tag: paymentTag,
      operationId: 'GetFilePaymentsFilePaymentIdPaymentDetails',
      summary: 'Read the status of every payment',
      description: 'Only ids and statuses, in file order. Added to the standard in 3.1.4.',
      answer: {
        description: 'The states.',
        document: classes.detailsAnswer,
        examples: { settled: { summary: 'Two payments, settled', value: detailsExample(text) } },
      },
      reads: 'FilePaymentId' as const,
    },
    readReportFile: {
      tag: paymentTag,
      operationId: 'GetFilePaymentsFilePaymentIdReportFile',
      summary: 'Read the report file',
      description: 'The payments of the file, each with its status and the details from the scheme.',
      answer: {
        description: 'The report.',
        document: classes.reportAnswer,
        examples: { settled: { summary: 'Two payments, settled', value: reportExample(text) } },
      },
      reads: 'FilePaymentId' as const,
    },
  };
}

function createPayment(text: DocumentText): WriteOperation {
  const needed = `A payment needs an ${text.stateName('Authorised')} consent; the consent is`;
  const Data = { ConsentId: exampleConsentId, Initiation: text.example.initiation };
  return {
    tag: paymentTag,
    operationId: 'CreateFilePayments',
    summary: 'Make the payments',
    description:
      'Makes the payments of an approved consent, once. Use a client_credentials token or the token from the ' +
      'authorisation of this consent.',
    answer: {
      description: 'The file payment. The bank is making its payments.',
      document: text.classes.paymentAnswer,
      examples: { payment: { summary: 'Accepted', value: paymentExample(text, 'InitiationPending') } },
    },
    writes: {
      bodies: [text.classes.payment],
      examples: { payment: { summary: 'For the example of the consent', value: { Data } } },
      faults: [differentSum, wrongStatus(`${needed} ${text.stateName('Rejected')}.`)],
      there: `${needed} ${text.stateName('Consumed')}.`,
    },
  };
}
