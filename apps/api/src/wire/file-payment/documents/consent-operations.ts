import { applyDecorators } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { bodiless, jsonAnswer } from '#libs/api-description';
import type { Fault } from '#libs/error-catalogue';
import { mostBytesOf, mostValuesOf } from '#libs/file-payment';
import type { ResourceStatus, Wire } from '../../wire.js';
import { exampleConsentId, exampleTime } from '../example-file.js';

import { ApiPispOperation, ApiPispPost } from './api-operation.js';
import { readRefused, writeRefused } from './ob-answers.js';
import type { DocumentText } from './document-text.js';
import { addressOf, created, signed, storedPayments, wrongStatus } from './operation-examples.js';

const consents = 'File payment consents';

function consentExample(text: DocumentText, status: ResourceStatus) {
  const Status = text.stateName(status);
  const times = { CreationDateTime: exampleTime, StatusUpdateDateTime: exampleTime };
  const Data = { ConsentId: exampleConsentId, ...times, Status, Charges: [], Initiation: text.example.initiation };
  return { Data, Links: { Self: addressOf(text, `file-payment-consents/${exampleConsentId}`) }, Meta: {} };
}

const missingHash: Fault = {
  code: 'Field.Missing',
  detail: 'Data.Initiation.FileHash is required.',
  path: 'Data.Initiation.FileHash',
};

/** POST /file-payment-consents. */
function ApiCreateConsent(text: DocumentText): MethodDecorator {
  return applyDecorators(
    ApiTags(consents),
    ApiPispOperation(
      text,
      {
        operationId: 'CreateFilePaymentConsents',
        summary: 'Stage a consent',
        description: 'The first step: describes the file. It names no customer; the account to debit is optional.',
      },
      {
        201: jsonAnswer(text.classes.consentAnswer, {
          description: 'The consent, waiting for its file.',
          headers: created,
          examples: { consent: { summary: 'Staged', value: consentExample(text, 'AwaitingUpload') } },
        }),
        400: writeRefused(text, [
          ...text.bodyFaults,
          missingHash,
          {
            code: 'Unsupported.LocalInstrument',
            detail:
              'Data.Initiation.LocalInstrument must be UK.OBIE.FPS, UK.OBIE.BACS, UK.OBIE.CHAPS or ' +
              'UK.OBIE.BalanceTransfer.',
            path: 'Data.Initiation.LocalInstrument',
          },
        ]),
      },
    ),
    ApiPispPost(text, [text.classes.consent], {
      consent: { summary: 'For the example of the upload', value: { Data: { Initiation: text.example.initiation } } },
    }),
  );
}

/** GET /file-payment-consents/{ConsentId}. */
function ApiReadConsent(text: DocumentText): MethodDecorator {
  return applyDecorators(
    ApiTags(consents),
    ApiPispOperation(
      text,
      {
        operationId: 'GetFilePaymentConsentsConsentId',
        summary: 'Read a consent',
        description: 'The status shows whether the customer has approved.',
        params: ['ConsentId'],
      },
      {
        200: jsonAnswer(text.classes.consentAnswer, {
          description: 'The consent.',
          headers: signed,
          examples: { approved: { summary: 'Approved by the customer', value: consentExample(text, 'Authorised') } },
        }),
        400: readRefused(text, 'ConsentId'),
      },
    ),
  );
}

/** POST /file-payment-consents/{ConsentId}/file. */
function ApiUploadFile(text: DocumentText): MethodDecorator {
  const fileType = text.example.initiation.FileType;
  const needed = `A file may be uploaded while the consent is ${text.stateName('AwaitingUpload')}; it is`;
  return applyDecorators(
    ApiTags(consents),
    ApiPispOperation(
      text,
      {
        operationId: 'CreateFilePaymentConsentsConsentIdFile',
        summary: 'Upload the file',
        description:
          'Up to 150 payments of one type: exactly the bytes whose hash is in the consent. The hash of the example ' +
          'is that of JSON in one line without spaces. The answer lists the faults of the file, at most 100. It has ' +
          `at most ${mostBytesOf(fileType) / 1_000} kB, ${mostValuesOf(fileType).toLocaleString('en')} values and ` +
          '1,000 numbers.',
        params: ['ConsentId'],
      },
      {
        200: bodiless('The file matches the consent and is stored. The customer can now approve.'),
        400: writeRefused(text, [
          {
            code: 'Field.Invalid',
            detail: 'Data.Initiation.FileHash of the consent is not the SHA-256 of the uploaded file.',
            path: 'Data.Initiation.FileHash',
          },
          {
            code: 'Unsupported.Currency',
            detail: 'File.Data.DomesticPayments[3].InstructedAmount.Currency must be GBP.',
            path: 'File.Data.DomesticPayments[3].InstructedAmount.Currency',
          },
          wrongStatus(`${needed} ${text.stateName('Rejected')}.`),
        ]),
      },
    ),
    ApiPispPost(
      text,
      text.classes.file,
      { file: { summary: 'Two payments', value: { File: { Data: { DomesticPayments: text.example.payments } } } } },
      `${needed} ${text.stateName('AwaitingAuthorisation')}.`,
    ),
  );
}

/** GET /file-payment-consents/{ConsentId}/file. */
function ApiReadFile(text: DocumentText): MethodDecorator {
  return applyDecorators(
    ApiTags(consents),
    ApiPispOperation(
      text,
      {
        operationId: 'GetFilePaymentConsentsConsentIdFile',
        summary: 'Read the file',
        description: 'The file as uploaded, with a PaymentId added to each payment, so its hash differs.',
        params: ['ConsentId'],
      },
      {
        200: jsonAnswer(text.classes.fileAnswer, {
          description: 'The file.',
          headers: signed,
          examples: {
            file: { summary: 'Two payments', value: { File: { Data: { DomesticPayments: storedPayments(text) } } } },
          },
        }),
        400: readRefused(text, 'ConsentId'),
      },
    ),
  );
}

/** @returns the documentation of the operations on consents in one version */
export function consentDocuments(
  text: DocumentText,
): Pick<Wire['documents'], 'createConsent' | 'readConsent' | 'uploadFile' | 'readFile'> {
  return {
    createConsent: () => ApiCreateConsent(text),
    readConsent: () => ApiReadConsent(text),
    uploadFile: () => ApiUploadFile(text),
    readFile: () => ApiReadFile(text),
  };
}
