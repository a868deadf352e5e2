import { createFault } from '#libs/error-catalogue';
import type { ResourceStatus, Wire } from '../../wire.js';
import { exampleConsentId, exampleFilePaymentId, examplePaymentIds, exampleTime } from '../example-file.js';
import type { DocumentText } from './document-text.js';
import { wrongStatus } from './ob-answers.js';
import { exampleAnswer, exampleTimes, storedPayments } from './operation-examples.js';
import { documentsOf, type WriteOperation } from './payment-operation.js';

const tag = 'File payments';
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

/** @returns the documentation of the operations on file payments in one version */
export function paymentDocuments(
  text: DocumentText,
): Pick<Wire['documents'], 'createPayment' | 'readPayment' | 'readPaymentDetails' | 'readReportFile'> {
  const { classes } = text;
  return documentsOf(text, {
    createPayment: createPayment(text),
    readPayment: {
      tag,
      operationId: 'GetFilePaymentsFilePaymentId',
      summary: 'Read the status of a file payment',
      description: 'The individual payments are in payment-details and in the report file.',
      answer: {
        description: 'The file payment.',
        document: classes.paymentAnswer,
        examples: { completed: { summary: 'Handed over', value: paymentExample(text, 'InitiationCompleted') } },
      },
      reads: 'FilePaymentId',
    },
    readPaymentDetails: {
      tag,
      operationId: 'GetFilePaymentsFilePaymentIdPaymentDetails',
      summary: 'Read the status of every payment',
      description: 'Only ids and statuses, in file order. Added to the standard in 3.1.4.',
      answer: {
        description: 'The states.',
        document: classes.detailsAnswer,
        examples: { settled: { summary: 'Two payments, settled', value: detailsExample(text) } },
      },
      reads: 'FilePaymentId',
    },
    readReportFile: {
      tag,
      operationId: 'GetFilePaymentsFilePaymentIdReportFile',
      summary: 'Read the report file',
      description: 'The payments of the file, each with its status and the details from the scheme.',
      answer: {
        description: 'The report.',
        document: classes.reportAnswer,
        examples: { settled: { summary: 'Two payments, settled', value: reportExample(text) } },
      },
      reads: 'FilePaymentId',
    },
  });
}

function createPayment(text: DocumentText): WriteOperation {
  const needed = `A payment needs an ${text.stateName('Authorised')} consent; the consent is`;
  const Data = { ConsentId: exampleConsentId, Initiation: text.example.initiation };
  return {
    tag,
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
