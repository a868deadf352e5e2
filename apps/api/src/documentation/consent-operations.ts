import { applyDecorators } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { bodiless, jsonAnswer } from '#libs/api-description';
import { exampleConsentId, exampleFile, exampleInitiation, exampleTime } from '../obie-models/example-file.js';
import { FileParam, ReadFileResponse } from '../obie-models/ob-payment-file.dto.js';
import { OBWriteFileConsent3, OBWriteFileConsentResponse3 } from '../obie-models/ob-write-file-consent.dto.js';
import { ApiPispOperation, ApiPispPost } from './api-operation.js';
import { type ExampleError, readRefused, writeRefused } from './ob-answers.js';
import { created, pisp, signed, storedPayments, wrongStatus } from './operation-examples.js';

const consents = 'File payment consents';
const consentAddress = `${pisp}/file-payment-consents/${exampleConsentId}`;

function consentExample(Status: string) {
  const times = { CreationDateTime: exampleTime, StatusUpdateDateTime: exampleTime };
  const Data = { ConsentId: exampleConsentId, ...times, Status, Charges: [], Initiation: exampleInitiation };
  return { Data, Links: { Self: consentAddress }, Meta: {} };
}

const missingHash: ExampleError = {
  code: 'UK.OBIE.Field.Missing',
  message: 'Data.Initiation.FileHash is required.',
  path: 'Data.Initiation.FileHash',
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
          'without spaces. Everything that is wrong with the file is listed, the first 100 faults of it. It has at most 700 kB, ' +
          '6,500 values and 1,000 numbers.',
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
