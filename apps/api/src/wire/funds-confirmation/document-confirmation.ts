import { applyDecorators } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { fundsConfirmationKind } from '#libs/access-consent';
import { bodiless, exampleAddresses, jsonAnswer } from '#libs/api-description';
import { createFault, currencyUnsupported, fieldInvalid, fieldMissing } from '#libs/error-catalogue';
import { parseDateTime } from '#libs/obie-rules';
import type { AccessVersion } from '../access/access-version.js';
import { ApiJsonBody, ApiPispOperation } from '../file-payment/documents/api-operation.js';
import type { AreaText } from '../file-payment/documents/document-text.js';
import { bodyRefused, headerFault } from '../file-payment/documents/ob-answers.js';
import { exampleConsentId, exampleFilePaymentId, exampleTime } from '../file-payment/example-file.js';
import { writeConfirmation } from './confirmations.js';
import { OBFundsConfirmation1, OBFundsConfirmationResponse1 } from './bodies.js';

const otherVersion = 'The consent belongs to version 4.0 of the API. Use that version.';
const faults = [
  fieldMissing('Data.Reference'),
  fieldInvalid('Data.InstructedAmount.Amount', 'must be more than zero and a whole number of pence'),
  currencyUnsupported('Data.InstructedAmount.Currency'),
  createFault('Resource.NotFound', 'There is no such consent.', 'Data.ConsentId'),
  createFault('Resource.ConsentMismatch', otherVersion, 'Data.ConsentId'),
  headerFault,
];

/** @returns the documentation of POST /funds-confirmations in one version */
export function documentConfirmation(version: AccessVersion, prefix: string): MethodDecorator {
  const text: AreaText = { ...version, scope: fundsConfirmationKind.scope, grantType: 'authorization_code' };
  const confirmation = writeConfirmation(
    {
      fundsConfirmationId: exampleFilePaymentId,
      consentId: exampleConsentId,
      reference: 'Purchase02',
      amount: '20.00',
      currency: 'GBP',
      createdAt: parseDateTime(exampleTime) ?? new Date(0),
      isAvailable: true,
    },
    `${exampleAddresses.baseUrl}/${prefix}/funds-confirmations/${exampleFilePaymentId}`,
  );
  return applyDecorators(
    ApiTags('Funds confirmations'),
    ApiPispOperation(
      text,
      {
        operationId: 'CreateFundsConfirmations',
        summary: 'Confirm funds',
        description:
          'Needs the token from the authorisation of this consent. The answer, yes or no, is valid only at this ' +
          'moment: nothing is reserved, and you cannot read the answer again.',
      },
      {
        201: jsonAnswer(OBFundsConfirmationResponse1, {
          description: 'The answer.',
          examples: { available: { summary: 'Available', value: confirmation } },
        }),
        400: bodyRefused(text, faults),
        503: bodiless(
          "The bank's account system did not answer yes or no, or the service is overloaded. Repeat the request later.",
          ['retry-after'],
        ),
      },
    ),
    ApiJsonBody(text, [OBFundsConfirmation1], {
      question: {
        summary: 'Twenty pounds',
        value: {
          Data: {
            ConsentId: exampleConsentId,
            Reference: 'Purchase02',
            InstructedAmount: { Amount: '20.00', Currency: 'GBP' },
          },
        },
      },
    }),
  );
}
