import type { NamedAccount } from '#libs/access-consent';
import { describedClass, type Members } from '#libs/api-description';
import { accessAnswerOf, consentMembers } from '../access/bodies.js';
import type { AccessVersion } from '../access/access-version.js';
import { linksAndMeta, moment, past, paymentOrderId } from '../file-payment/dto/answer-parts.js';
import { exampleConsentId } from '../file-payment/example-file.js';
import { classWith, type WireClass } from '../form/members.js';
import { ObDateTime, ObMatch, ObObject, ObText, Optional, Required } from '../form/rules.js';

/** Body of POST /funds-confirmation-consents. */
export interface FundsConfirmationConsentRequest {
  readonly Data: { readonly DebtorAccount: NamedAccount; readonly ExpirationDateTime?: string };
}

/**
 * @param account the version's class of an account
 * @returns the class of the body
 */
export function createConsentRequest(account: WireClass): new () => FundsConfirmationConsentRequest {
  const Data = classWith('OBFundsConfirmationConsent1Data', {
    DebtorAccount: Required(
      { description: 'The account to ask about. It must belong to the customer who approves.' },
      ObObject(account),
    ),
    ExpirationDateTime: Optional(
      {
        description:
          'When the consent ends; must be in the future. Without it, the consent lasts until it is withdrawn.',
        example: '2035-01-31T00:00:00+00:00',
      },
      ObDateTime(),
    ),
  });
  return classWith(
    'OBFundsConfirmationConsent1',
    {
      Data: Required({}, ObObject(Data)),
    },
    { isClosed: true },
  );
}

/**
 * @param version its status members, and class of an account
 * @returns the answer of POST and GET /funds-confirmation-consents
 */
export const consentAnswerOf = ({ state, classes }: Pick<AccessVersion, 'state' | 'classes'>) =>
  accessAnswerOf('OBFundsConfirmationConsentResponse1', {
    ...consentMembers,
    ...state,
    DebtorAccount: { type: classes.debtorAccount, description: 'The account as you named it.' },
    ExpirationDateTime: { required: false, ...moment, description: 'When the consent ends.' },
  });

/** What the question is about. */
const OBFundsConfirmationAmount = classWith('OBFundsConfirmationAmount', {
  Amount: Required(
    { description: 'Above zero, in whole pence.', example: '20.00' },
    ObMatch(/^\d{1,13}$|^\d{1,13}\.\d{1,5}$/, 'must be a string of digits with at most five decimals, such as 20.00'),
  ),
  Currency: Required(
    { description: 'GBP.', example: 'GBP' },
    ObMatch(/^[A-Z]{3}$/, 'must be three capital letters (ISO 4217)'),
  ),
});

const OBFundsConfirmationData = classWith('OBFundsConfirmationData', {
  ConsentId: Required(
    { description: 'The consent for which the token was issued.', example: exampleConsentId },
    ObText(128),
  ),
  Reference: Required(
    { description: 'Your reference for the payment in question.', example: 'Purchase02' },
    ObText(35),
  ),
  InstructedAmount: Required({}, ObObject(OBFundsConfirmationAmount)),
});

/** Body of POST /funds-confirmations. */
export const OBFundsConfirmation1 = classWith<{
  readonly Data: {
    readonly ConsentId: string;
    readonly Reference: string;
    readonly InstructedAmount: { readonly Amount: string; readonly Currency: string };
  };
}>(
  'OBFundsConfirmation1',
  {
    Data: Required({}, ObObject(OBFundsConfirmationData)),
  },
  { isClosed: true },
);

const answered: Members = {
  FundsConfirmationId: paymentOrderId,
  CreationDateTime: past,
  FundsAvailable: { type: 'boolean', description: 'Whether the amount is available in the account at this moment.' },
};

/** Answer of POST /funds-confirmations. */
export const OBFundsConfirmationResponse1 = describedClass('OBFundsConfirmationResponse1', {
  ...linksAndMeta,
  Data: { type: describedClass('OBFundsConfirmationResponse1Data', answered, OBFundsConfirmationData) },
});
