import type { Type } from '@nestjs/common';
import { describedClass, type Members, textUpTo } from '#libs/api-description';
import type { Conditions } from '#libs/obie-rules';
import { answerOf, past, rollNumber } from '../file-payment/dto/answer-parts.js';
import { consentBodiesOf, type StateDescription } from '../file-payment/dto/consent-bodies.js';
import { paymentBodiesOf } from '../file-payment/dto/payment-bodies.js';
import { classWith, type WireClass } from '../form/members.js';
import { ObBoolean, ObEnum, ObObject, ObRead, ObText, Optional, Required } from '../form/rules.js';

const accountTypes =
  'Business BusinessSavingsAccount Charity Collection Corporate Ewallet Government Investment ISA JointPersonal ' +
  'Pension Personal PersonalSavingsAccount Premier Wealth';

/** Members of Risk (OBRisk1) that all versions share. */
export const riskMembers = {
  MerchantCategoryCode: Optional(
    { description: 'Category of the merchant (ISO 18245).', example: '5967' },
    ObText(4, 3),
  ),
  MerchantCustomerIdentification: Optional(
    { description: 'Id of the customer at the merchant.', example: '053598653254' },
    ObText(70),
  ),
  BeneficiaryPrepopulatedIndicator: Optional(
    { description: 'Whether you filled in the payee.', example: true },
    ObBoolean(),
  ),
  BeneficiaryAccountType: Optional(
    { description: "Type of the payee's account.", example: 'Business' },
    ObEnum(accountTypes.split(' ')),
  ),
};

/** What differs between the versions. */
export interface DomesticBodyParts<Initiation extends object> {
  readonly initiation: new () => Initiation;
  readonly risk: WireClass;
  readonly consentStates: StateDescription;
  readonly paymentStates: StateDescription;
  readonly authorised: string;
  readonly approvals: string[];
  /** further members of answers */
  readonly furtherAnswered?: Members;
  /** the body of payment-details */
  readonly detailsAnswer: Type;
}

/** The account to refund to: the one that was debited. */
const OBRefundAccount = describedClass('OBRefundAccount', {
  SchemeName: { type: 'string', example: 'UK.OBIE.SortCodeAccountNumber' },
  Identification: textUpTo(256, { example: '20000110000001' }),
  Name: textUpTo(350, { example: 'Octon Ltd' }),
  SecondaryIdentification: { required: false, ...rollNumber },
});
const Refund = {
  required: false,
  type: describedClass('OBRefund', { Account: { type: OBRefundAccount } }),
  description: 'If the consent asked for it, and the account has a name.',
};

/** Whether the account has the money. */
const OBFundsAvailableResult1 = describedClass('OBFundsAvailableResult1', {
  FundsAvailableDateTime: past,
  FundsAvailable: { type: 'boolean', example: true },
});

/** Answer of GET /domestic-payment-consents/{ConsentId}/funds-confirmation. */
const OBWriteFundsConfirmationResponse1 = answerOf('OBWriteFundsConfirmationResponse1', [
  'OBWriteDataFundsConfirmationResponse1',
  { FundsAvailableResult: { type: OBFundsAvailableResult1 } },
]);

const closed = { isClosed: true };

/** @returns the bodies of consents and payments in one version */
// oxlint-disable-next-line max-lines-per-function -- classes, made anew for each version
export function domesticBodiesOf<Initiation extends object>({
  initiation: type,
  risk,
  consentStates: status,
  paymentStates,
  authorised,
  approvals,
  furtherAnswered = {},
  detailsAnswer,
}: DomesticBodyParts<Initiation>) {
  const checks = ObRead(type);
  const initiation = { description: 'The payment.', checks };
  const consent = consentBodiesOf(type, { longestOrderId: 40, status, initiation });
  const payment = paymentBodiesOf(type, {
    authorised,
    status: paymentStates,
    approvals,
    checks,
    paymentId: 'DomesticPaymentId',
  });
  const ReadRefundAccount = Optional(
    { description: 'Whether the payment tells you the account to refund to.', example: 'No' },
    ObEnum(['No', 'Yes']),
  );
  const ConsentData = classWith('OBWriteDataDomesticConsent4', { ...consent.asked, ReadRefundAccount }, closed);
  const PaymentData = classWith('OBWriteDataDomestic2', payment.asked, closed);
  const consentMembers = {
    ...consent.answered,
    ReadRefundAccount: { required: false, type: 'string', enum: ['No', 'Yes'] },
    ...furtherAnswered,
  } as const;
  const paymentMembers = { ...payment.answered, Refund, ...furtherAnswered };
  return {
    /** Body of POST /domestic-payment-consents. */
    consent: classWith<{ Data: Conditions & { Initiation: Initiation }; Risk: object }>(
      'OBWriteDomesticConsent4',
      {
        Data: Required({}, ObObject(ConsentData)),
        Risk: Required({ description: 'What you know about the risk; may be empty.' }, ObObject(risk)),
      },
      closed,
    ),
    /** Body of POST /domestic-payments. */
    payment: classWith<{ Data: { ConsentId: string; Initiation: Initiation }; Risk: object }>(
      'OBWriteDomestic2',
      {
        Data: Required({}, ObObject(PaymentData)),
        Risk: Required({ description: 'The same as in the consent.' }, ObObject(risk)),
      },
      closed,
    ),
    /** Answer of POST and GET /domestic-payment-consents. */
    consentAnswer: answerOf(
      'OBWriteDomesticConsentResponse5',
      ['OBWriteDataDomesticConsentResponse5', consentMembers],
      { Risk: { type: risk, description: 'As you sent it.' } },
    ),
    /** Answer of POST and GET /domestic-payments. */
    paymentAnswer: answerOf('OBWriteDomesticResponse5', ['OBWriteDataDomesticResponse5', paymentMembers]),
    fundsAnswer: OBWriteFundsConfirmationResponse1,
    detailsAnswer,
  };
}
