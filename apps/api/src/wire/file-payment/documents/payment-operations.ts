import { applyDecorators } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { jsonAnswer } from '#libs/api-description';
import type { ResourceStatus, Wire } from '../../wire.js';
import { exampleConsentId, exampleFilePaymentId, examplePaymentIds, exampleTime } from '../example-file.js';

import { ApiPispOperation, ApiPispPost } from './api-operation.js';
import { readRefused, writeRefused } from './ob-answers.js';
import type { DocumentText } from './document-text.js';
import { addressOf, created, signed, storedPayments, wrongStatus } from './operation-examples.js';

const payments = 'File payments';
const settled = ({ stateName }: DocumentText) => ({
  Status: stateName('AcceptedSettlementCompleted'),
  StatusUpdateDateTime: exampleTime,
});

function paymentExample(text: DocumentText, status: ResourceStatus) {
  const Status = text.stateName(status);
  const ids = { FilePaymentId: exampleFilePaymentId, ConsentId: exampleConsentId };
  const times = { CreationDateTime: exampleTime, StatusUpdateDateTime: exampleTime };
  return {
    Data: { ...ids, ...times, Status, Charges: [], Initiation: text.example.initiation },
    Links: { Self: addressOf(text, `file-payments/${exampleFilePaymentId}`) },
    Meta: {},
  };
}

/** POST /file-payments. */
function ApiCreatePayment(text: DocumentText): MethodDecorator {
  const needed = `A payment needs an ${text.stateName('Authorised')} consent; the consent is`;
  return applyDecorators(
    ApiTags(payments),
    ApiPispOperation(
      text,
      {
        operationId: 'CreateFilePayments',
        summary: 'Make the payments',
        description:
          'Makes the payments of an approved consent, once. Use a client_credentials token or the token from the ' +
          'authorisation of this consent.',
      },
      {
        201: jsonAnswer(text.classes.paymentAnswer, {
          description: 'The file payment. The bank is making its payments.',
          headers: created,
          examples: { payment: { summary: 'Accepted', value: paymentExample(text, 'InitiationPending') } },
        }),
        400: writeRefused(text, [
          {
            code: 'Resource.ConsentMismatch',
            detail: 'Data.Initiation.ControlSum is not that of the consent.',
            path: 'Data.Initiation.ControlSum',
          },
          wrongStatus(`${needed} ${text.stateName('Rejected')}.`),
        ]),
      },
    ),
    ApiPispPost(
      text,
      [text.classes.payment],
      {
        payment: {
          summary: 'For the example of the consent',
          value: { Data: { ConsentId: exampleConsentId, Initiation: text.example.initiation } },
        },
      },
      `${needed} ${text.stateName('Consumed')}.`,
    ),
  );
}

/** GET /file-payments/{FilePaymentId}. */
function ApiReadPayment(text: DocumentText): MethodDecorator {
  return applyDecorators(
    ApiTags(payments),
    ApiPispOperation(
      text,
      {
        operationId: 'GetFilePaymentsFilePaymentId',
        summary: 'Read the status of a file payment',
        description: 'The individual payments are in payment-details and in the report file.',
        params: ['FilePaymentId'],
      },
      {
        200: jsonAnswer(text.classes.paymentAnswer, {
          description: 'The file payment.',
          headers: signed,
          examples: { completed: { summary: 'Handed over', value: paymentExample(text, 'InitiationCompleted') } },
        }),
        400: readRefused(text, 'FilePaymentId'),
      },
    ),
  );
}

/** GET /file-payments/{FilePaymentId}/payment-details. */
function ApiReadPaymentDetails(text: DocumentText): MethodDecorator {
  return applyDecorators(
    ApiTags(payments),
    ApiPispOperation(
      text,
      {
        operationId: 'GetFilePaymentsFilePaymentIdPaymentDetails',
        summary: 'Read the status of every payment',
        description: 'Only ids and statuses, in file order. Added to the standard in 3.1.4.',
        params: ['FilePaymentId'],
      },
      {
        200: jsonAnswer(text.classes.detailsAnswer, {
          description: 'The states.',
          headers: signed,
          examples: {
            settled: {
              summary: 'Two payments, settled',
              value: {
                Data: {
                  PaymentStatus: examplePaymentIds.map((PaymentTransactionId) => ({
                    PaymentTransactionId,
                    ...settled(text),
                  })),
                },
                Links: { Self: addressOf(text, `file-payments/${exampleFilePaymentId}/payment-details`) },
                Meta: {},
              },
            },
          },
        }),
        400: readRefused(text, 'FilePaymentId'),
      },
    ),
  );
}

/** GET /file-payments/{FilePaymentId}/report-file. */
function ApiReadReportFile(text: DocumentText): MethodDecorator {
  return applyDecorators(
    ApiTags(payments),
    ApiPispOperation(
      text,
      {
        operationId: 'GetFilePaymentsFilePaymentIdReportFile',
        summary: 'Read the report file',
        description: 'The payments of the file, each with its status and the details from the scheme.',
        params: ['FilePaymentId'],
      },
      {
        200: jsonAnswer(text.classes.reportAnswer, {
          description: 'The report.',
          headers: signed,
          examples: {
            settled: {
              summary: 'Two payments, settled',
              value: {
                Data: {
                  FilePaymentId: exampleFilePaymentId,
                  ConsentId: exampleConsentId,
                  Status: text.stateName('InitiationCompleted'),
                  StatusUpdateDateTime: exampleTime,
                  CreationDateTime: exampleTime,
                  FileReference: 'PAYROLL-2030-01',
                  NumberOfTransactions: '2',
                  ControlSum: 2230.5,
                  DomesticPayments: storedPayments(text).map((payment) => ({ ...payment, ...settled(text) })),
                },
                Links: { Self: addressOf(text, `file-payments/${exampleFilePaymentId}/report-file`) },
                Meta: {},
              },
            },
          },
        }),
        400: readRefused(text, 'FilePaymentId'),
      },
    ),
  );
}

/** @returns the documentation of the operations on file payments in one version */
export function paymentDocuments(
  text: DocumentText,
): Pick<Wire['documents'], 'createPayment' | 'readPayment' | 'readPaymentDetails' | 'readReportFile'> {
  return {
    createPayment: () => ApiCreatePayment(text),
    readPayment: () => ApiReadPayment(text),
    readPaymentDetails: () => ApiReadPaymentDetails(text),
    readReportFile: () => ApiReadReportFile(text),
  };
}
