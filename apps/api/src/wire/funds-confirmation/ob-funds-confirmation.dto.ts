import { describeMembers } from '#libs/api-description';
import { LinksAndMeta } from '../access/ob-consent-answer.dto.js';
import { exampleConsentId, exampleFilePaymentId, exampleTime } from '../file-payment/example-file.js';
import { Closed } from '../form/members.js';
import { ObMatch, ObObject, ObText, Required } from '../form/rules.js';

/** What the question is about. */
class OBFundsConfirmationAmount {
  @Required({ description: 'Above zero, in whole pence.', example: '20.00' })
  @ObMatch(/^\d{1,13}$|^\d{1,13}\.\d{1,5}$/, 'must be a string of digits with at most five decimals, such as 20.00')
  Amount!: string;

  @Required({ description: 'GBP.', example: 'GBP' })
  @ObMatch(/^[A-Z]{3}$/, 'must be three capital letters (ISO 4217)')
  Currency!: string;
}

class OBFundsConfirmationData {
  @Required({ description: 'The consent for which the token was issued.', example: exampleConsentId })
  @ObText(128)
  ConsentId!: string;

  @Required({ description: 'Your reference for the payment in question.', example: 'Purchase02' })
  @ObText(35)
  Reference!: string;

  @Required()
  @ObObject(() => OBFundsConfirmationAmount)
  InstructedAmount!: OBFundsConfirmationAmount;
}

/** Body of POST /funds-confirmations. */
@Closed()
export class OBFundsConfirmation1 {
  @Required()
  @ObObject(() => OBFundsConfirmationData)
  Data!: OBFundsConfirmationData;
}

class OBFundsConfirmationResponse1Data extends OBFundsConfirmationData {}
describeMembers(OBFundsConfirmationResponse1Data, {
  FundsConfirmationId: { type: 'string', minLength: 1, maxLength: 40, example: exampleFilePaymentId },
  CreationDateTime: { type: 'string', format: 'date-time', example: exampleTime },
  FundsAvailable: { type: 'boolean', description: 'Whether the amount is available in the account at this moment.' },
});

/** Answer of POST /funds-confirmations. */
export class OBFundsConfirmationResponse1 extends LinksAndMeta {}
describeMembers(OBFundsConfirmationResponse1, { Data: { type: OBFundsConfirmationResponse1Data } });
