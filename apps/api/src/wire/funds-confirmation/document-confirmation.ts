import { applyDecorators } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { fundsConfirmationKind } from '#libs/access-consent';
import { bodiless, exampleAddresses, jsonAnswer } from '#libs/api-description';
import type { Fault } from '#libs/error-catalogue';
import { parseDateTime } from '#libs/obie-rules';
import type { AccessVersion } from '../access/access-version.js';
import { ApiJsonBody, ApiPispOperation } from '../file-payment/documents/api-operation.js';
import type { AreaText } from '../file-payment/documents/document-text.js';
import { headerFault, obErrorAnswer } from '../file-payment/documents/ob-answers.js';
import { exampleConsentId, exampleFilePaymentId, exampleTime } from '../file-payment/example-file.js';
import { writeConfirmation } from './confirmations.js';
import { OBFundsConfirmation1, OBFundsConfirmationResponse1 } from './ob-funds-confirmation.dto.js';

const faults: readonly Fault[] = [
  { code: 'Field.Missing', detail: 'Data.Reference is required.', path: 'Data.Reference' },
  {
    code: 'Field.Invalid',
    detail: 'Data.InstructedAmount.Amount must be more than zero and a whole number of pence.',
    path: 'Data.InstructedAmount.Amount',
  },
  {
    code: 'Unsupported.Currency',
    detail: 'Data.InstructedAmount.Currency must be GBP.',
    path: 'Data.InstructedAmount.Currency',
  },
  { code: 'Resource.NotFound', detail: 'There is no such consent.', path: 'Data.ConsentId' },
  {
    code: 'Resource.ConsentMismatch',
    detail: 'The consent was made in version 4.0 of the API, and goes on there.',
    path: 'Data.ConsentId',
  },
  headerFault,
];

/** @returns what the document of a version tells of POST /funds-confirmations */
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
        summary: 'Ask whether an amount is available',
        description:
          'With the token that came from the authorisation of this very consent. The answer is yes or no, for this moment: nothing is ' +
          'reserved. It cannot be read again.',
      },
      {
        201: jsonAnswer(OBFundsConfirmationResponse1, {
          description: 'The answer.',
          examples: { available: { summary: 'There is enough', value: confirmation } },
        }),
        400: obErrorAnswer(text, 400, 'All faults of a body are listed at once.', 'The request was refused.', faults),
        503: bodiless(
          "The bank's account system has not answered, or not with yes or no; or the service has no room for the request. Ask again.",
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
