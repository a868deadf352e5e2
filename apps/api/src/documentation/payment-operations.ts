import { applyDecorators } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { jsonAnswer } from '#libs/api-description';
import {
  exampleConsentId,
  exampleFilePaymentId,
  exampleInitiation,
  examplePaymentIds,
  exampleTime,
} from '../obie-models/example-file.js';
import { OBReportFile, OBWritePaymentDetailsResponse1 } from '../obie-models/ob-payment-file.dto.js';
import { OBWriteFile2, OBWriteFileResponse2 } from '../obie-models/ob-write-file.dto.js';
import { ApiPispOperation, ApiPispPost } from './api-operation.js';
import { readRefused, writeRefused } from './ob-answers.js';
import { created, pisp, signed, storedPayments, wrongStatus } from './operation-examples.js';

const payments = 'File payments';
const paymentAddress = `${pisp}/file-payments/${exampleFilePaymentId}`;
const settled = { Status: 'AcceptedSettlementCompleted', StatusUpdateDateTime: exampleTime };

function paymentExample(Status: string) {
  const ids = { FilePaymentId: exampleFilePaymentId, ConsentId: exampleConsentId };
  const times = { CreationDateTime: exampleTime, StatusUpdateDateTime: exampleTime };
  return {
    Data: { ...ids, ...times, Status, Charges: [], Initiation: exampleInitiation },
    Links: { Self: paymentAddress },
    Meta: {},
  };
}

/** POST /file-payments. */
export function ApiCreatePayment(): MethodDecorator {
  return applyDecorators(
    ApiTags(payments),
    ApiPispOperation(
      {
        operationId: 'CreateFilePayments',
        summary: 'Make the payments',
        description:
          'Once, from a consent that the customer has approved. With a token of the grant client_credentials, or the one from the ' +
          'authorisation of this very consent.',
      },
      {
        201: jsonAnswer(OBWriteFileResponse2, {
          description: 'The file payment. Its payments are on their way.',
          headers: created,
          examples: { payment: { summary: 'Accepted', value: paymentExample('InitiationPending') } },
        }),
        400: writeRefused([
          {
            code: 'UK.OBIE.Resource.ConsentMismatch',
            message: 'Data.Initiation.ControlSum is not that of the consent.',
            path: 'Data.Initiation.ControlSum',
          },
          wrongStatus,
        ]),
      },
    ),
    ApiPispPost(OBWriteFile2, {
      payment: {
        summary: 'For the example of the consent',
        value: { Data: { ConsentId: exampleConsentId, Initiation: exampleInitiation } },
      },
    }),
  );
}

/** GET /file-payments/{FilePaymentId}. */
export function ApiReadPayment(): MethodDecorator {
  return applyDecorators(
    ApiTags(payments),
    ApiPispOperation(
      {
        operationId: 'GetFilePaymentsFilePaymentId',
        summary: 'Read the state of the whole file',
        description: 'Single payments are in payment-details and in the report file.',
        params: ['FilePaymentId'],
      },
      {
        200: jsonAnswer(OBWriteFileResponse2, {
          description: 'The file payment.',
          headers: signed,
          examples: { completed: { summary: 'Handed over', value: paymentExample('InitiationCompleted') } },
        }),
        400: readRefused('FilePaymentId'),
      },
    ),
  );
}

/** GET /file-payments/{FilePaymentId}/payment-details. */
export function ApiReadPaymentDetails(): MethodDecorator {
  return applyDecorators(
    ApiTags(payments),
    ApiPispOperation(
      {
        operationId: 'GetFilePaymentsFilePaymentIdPaymentDetails',
        summary: 'Read the state of every payment',
        description: 'Ids and states only, in file order. A later addition to the standard (3.1.4).',
        params: ['FilePaymentId'],
      },
      {
        200: jsonAnswer(OBWritePaymentDetailsResponse1, {
          description: 'The states.',
          headers: signed,
          examples: {
            settled: {
              summary: 'Two payments, settled',
              value: {
                Data: {
                  PaymentStatus: examplePaymentIds.map((PaymentTransactionId) => ({
                    PaymentTransactionId,
                    ...settled,
                  })),
                },
                Links: { Self: `${paymentAddress}/payment-details` },
                Meta: {},
              },
            },
          },
        }),
        400: readRefused('FilePaymentId'),
      },
    ),
  );
}

/** GET /file-payments/{FilePaymentId}/report-file. */
export function ApiReadReportFile(): MethodDecorator {
  return applyDecorators(
    ApiTags(payments),
    ApiPispOperation(
      {
        operationId: 'GetFilePaymentsFilePaymentIdReportFile',
        summary: 'Read the report file',
        description: "The file's payments, each with its state and what the scheme says about it.",
        params: ['FilePaymentId'],
      },
      {
        200: jsonAnswer(OBReportFile, {
          description: 'The report.',
          headers: signed,
          examples: {
            settled: {
              summary: 'Two payments, settled',
              value: {
                Data: {
                  FilePaymentId: exampleFilePaymentId,
                  ConsentId: exampleConsentId,
                  Status: 'InitiationCompleted',
                  StatusUpdateDateTime: exampleTime,
                  CreationDateTime: exampleTime,
                  FileReference: 'PAYROLL-2030-01',
                  NumberOfTransactions: '2',
                  ControlSum: 2230.5,
                  DomesticPayments: storedPayments.map((payment) => ({ ...payment, ...settled })),
                },
                Links: { Self: `${paymentAddress}/report-file` },
                Meta: {},
              },
            },
          },
        }),
        400: readRefused('FilePaymentId'),
      },
    ),
  );
}
