import { applyDecorators } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { exampleAddresses, jsonAnswer, bodiless } from '#libs/api-description';
import {
  exampleConsentId,
  exampleFile,
  exampleFilePaymentId,
  exampleInitiation,
  examplePaymentIds,
  examplePayments,
  exampleTime,
} from '../obie-models/example-file.js';
import {
  FileParam,
  OBReportFile,
  OBWritePaymentDetailsResponse1,
  ReadFileResponse,
} from '../obie-models/ob-payment-file.dto.js';
import { OBWriteFileConsent3, OBWriteFileConsentResponse3 } from '../obie-models/ob-write-file-consent.dto.js';
import { OBWriteFile2, OBWriteFileResponse2 } from '../obie-models/ob-write-file.dto.js';
import { ApiPispOperation, ApiPispPost } from './api-operation.js';
import { type ExampleError, readRefused, writeRefused } from './ob-answers.js';

const consents = 'File payment consents';
const payments = 'File payments';
const pisp = `${exampleAddresses.baseUrl}/open-banking/v3.1/pisp`;
const consentAddress = `${pisp}/file-payment-consents/${exampleConsentId}`;
const paymentAddress = `${pisp}/file-payments/${exampleFilePaymentId}`;
const signed = ['x-jws-signature'] as const;
const created = ['x-jws-signature', 'location'] as const;
const storedPayments = examplePayments.map((payment, index) => ({ ...payment, PaymentId: examplePaymentIds[index] }));

function consentExample(Status: string) {
  const times = { CreationDateTime: exampleTime, StatusUpdateDateTime: exampleTime };
  const Data = { ConsentId: exampleConsentId, ...times, Status, Charges: [], Initiation: exampleInitiation };
  return { Data, Links: { Self: consentAddress }, Meta: {} };
}

function paymentExample(Status: string) {
  const ids = { FilePaymentId: exampleFilePaymentId, ConsentId: exampleConsentId };
  const times = { CreationDateTime: exampleTime, StatusUpdateDateTime: exampleTime };
  return {
    Data: { ...ids, ...times, Status, Charges: [], Initiation: exampleInitiation },
    Links: { Self: paymentAddress },
    Meta: {},
  };
}

const settled = { Status: 'AcceptedSettlementCompleted', StatusUpdateDateTime: exampleTime };
const missingHash: ExampleError = {
  code: 'UK.OBIE.Field.Missing',
  message: 'Data.Initiation.FileHash is required.',
  path: 'Data.Initiation.FileHash',
};
const wrongStatus: ExampleError = {
  code: 'UK.OBIE.Resource.InvalidConsentStatus',
  message: 'The consent is not in the state that this needs.',
  path: 'Data.Status',
};

/** POST /file-payment-consents. */
export function ApiCreateConsent(): MethodDecorator {
  return applyDecorators(
    ApiTags(consents),
    ApiPispOperation(
      {
        operationId: 'CreateFilePaymentConsents',
        summary: 'Stage a consent',
        description:
          'The first step: says what the file will be. It names no customer, and may leave out the account to debit.',
      },
      {
        201: jsonAnswer(OBWriteFileConsentResponse3, {
          description: 'The consent, waiting for its file.',
          headers: created,
          examples: { consent: { summary: 'Staged', value: consentExample('AwaitingUpload') } },
        }),
        400: writeRefused([
          missingHash,
          {
            code: 'UK.OBIE.Unsupported.LocalInstrument',
            message:
              'Data.Initiation.LocalInstrument must be UK.OBIE.FPS, UK.OBIE.BACS, UK.OBIE.CHAPS or UK.OBIE.BalanceTransfer.',
            path: 'Data.Initiation.LocalInstrument',
          },
        ]),
      },
    ),
    ApiPispPost(OBWriteFileConsent3, {
      consent: { summary: 'For the example of the upload', value: { Data: { Initiation: exampleInitiation } } },
    }),
  );
}

/** GET /file-payment-consents/{ConsentId}. */
export function ApiReadConsent(): MethodDecorator {
  return applyDecorators(
    ApiTags(consents),
    ApiPispOperation(
      {
        operationId: 'GetFilePaymentConsentsConsentId',
        summary: 'Read a consent',
        description: 'Its state above all: whether the customer has approved.',
        params: ['ConsentId'],
      },
      {
        200: jsonAnswer(OBWriteFileConsentResponse3, {
          description: 'The consent.',
          headers: signed,
          examples: { approved: { summary: 'Approved by the customer', value: consentExample('Authorised') } },
        }),
        400: readRefused('ConsentId'),
      },
    ),
  );
}

/** POST /file-payment-consents/{ConsentId}/file. */
export function ApiUploadFile(): MethodDecorator {
  return applyDecorators(
    ApiTags(consents),
    ApiPispOperation(
      {
        operationId: 'CreateFilePaymentConsentsConsentIdFile',
        summary: 'Upload the file',
        description:
          'Up to 150 payments of one type, in the octets whose hash the consent has. The example is hashed as JSON in one line ' +
          'without spaces. Everything that is wrong with the file is listed, the first 100 faults of it.',
        params: ['ConsentId'],
      },
      {
        200: bodiless('The file fits the consent and is stored. Now the customer can approve.'),
        400: writeRefused([
          {
            code: 'UK.OBIE.Field.Invalid',
            message: 'Data.Initiation.FileHash of the consent is not the SHA-256 of the uploaded file.',
            path: 'Data.Initiation.FileHash',
          },
          {
            code: 'UK.OBIE.Unsupported.Currency',
            message: 'File.Data.DomesticPayments[3].InstructedAmount.Currency must be GBP.',
            path: 'File.Data.DomesticPayments[3].InstructedAmount.Currency',
          },
          wrongStatus,
        ]),
      },
    ),
    ApiPispPost(FileParam, { file: { summary: 'Two payments', value: exampleFile } }),
  );
}

/** GET /file-payment-consents/{ConsentId}/file. */
export function ApiReadFile(): MethodDecorator {
  return applyDecorators(
    ApiTags(consents),
    ApiPispOperation(
      {
        operationId: 'GetFilePaymentConsentsConsentIdFile',
        summary: 'Read the file',
        description: 'As it was uploaded, with a PaymentId in each payment: these octets have another hash.',
        params: ['ConsentId'],
      },
      {
        200: jsonAnswer(ReadFileResponse, {
          description: 'The file.',
          headers: signed,
          examples: {
            file: { summary: 'Two payments', value: { File: { Data: { DomesticPayments: storedPayments } } } },
          },
        }),
        400: readRefused('ConsentId'),
      },
    ),
  );
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
