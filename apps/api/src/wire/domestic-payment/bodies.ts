import { describeMembers } from '#libs/api-description';
import { answerOf } from '../file-payment/dto/answer-of.js';
import { consentBodiesOf, type StateDescription } from '../file-payment/dto/consent-bodies.js';
import { paymentBodiesOf } from '../file-payment/dto/payment-bodies.js';
import { exampleTime } from '../file-payment/example-file.js';
import { Closed, type WireClass } from '../form/members.js';
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
}

/** The account to refund to: the one that was debited. */
class OBRefundAccount {}
describeMembers(OBRefundAccount, {
  SchemeName: { type: 'string', example: 'UK.OBIE.SortCodeAccountNumber' },
  Identification: { type: 'string', minLength: 1, maxLength: 256, example: '20000110000001' },
  Name: { type: 'string', minLength: 1, maxLength: 350, example: 'Octon Ltd' },
  SecondaryIdentification: {
    required: false,
    type: 'string',
    minLength: 1,
    maxLength: 34,
    description: 'Roll number at a building society.',
  },
});

class OBRefund {}
describeMembers(OBRefund, { Account: { type: OBRefundAccount } });
const refund = {
  required: false,
  type: OBRefund,
  description: 'If the consent asked for it, and the account has a name.',
};
const readRefundAccount = { required: false, type: 'string', enum: ['No', 'Yes'] } as const;

/** Whether the account has the money. */
class OBFundsAvailableResult1 {}
describeMembers(OBFundsAvailableResult1, {
  FundsAvailableDateTime: { type: 'string', format: 'date-time', example: exampleTime },
  FundsAvailable: { type: 'boolean', example: true },
});

class OBWriteDataFundsConfirmationResponse1 {}
describeMembers(OBWriteDataFundsConfirmationResponse1, { FundsAvailableResult: { type: OBFundsAvailableResult1 } });

/** Answer of GET /domestic-payment-consents/{ConsentId}/funds-confirmation. */
export class OBWriteFundsConfirmationResponse1 extends answerOf(OBWriteDataFundsConfirmationResponse1) {}

/** @returns the bodies of consents and payments in one version, and the members that its answers have */
export function domesticBodiesOf<Initiation extends object>({
  initiation: type,
  risk,
  consentStates: status,
  paymentStates,
  authorised,
  approvals,
}: DomesticBodyParts<Initiation>) {
  const checks = ObRead(() => type);
  const initiation = { description: 'The payment.', checks };
  const { ConsentRequest, ConsentMembers } = consentBodiesOf(type, { longestOrderId: 40, status, initiation });
  const { PaymentRequest, PaymentMembers } = paymentBodiesOf(type, {
    authorised,
    status: paymentStates,
    approvals,
    checks,
    paymentId: 'DomesticPaymentId',
  });

  /** Data of a consent request. */
  @Closed()
  class OBWriteDataDomesticConsent4 extends ConsentRequest {
    @Optional({ description: 'Whether the payment tells you the account to refund to.', example: 'No' })
    @ObEnum(['No', 'Yes'])
    ReadRefundAccount?: 'No' | 'Yes';
  }

  /** Body of POST /domestic-payment-consents. */
  @Closed()
  class OBWriteDomesticConsent4 {
    @Required()
    @ObObject(() => OBWriteDataDomesticConsent4)
    Data!: OBWriteDataDomesticConsent4;

    @Required({ description: 'What you know about the risk; may be empty.' })
    @ObObject(() => risk)
    Risk!: object;
  }

  /** Data of a payment request. */
  @Closed()
  class OBWriteDataDomestic2 extends PaymentRequest {}

  /** Body of POST /domestic-payments. */
  @Closed()
  class OBWriteDomestic2 {
    @Required()
    @ObObject(() => OBWriteDataDomestic2)
    Data!: OBWriteDataDomestic2;

    @Required({ description: 'The same as in the consent.' })
    @ObObject(() => risk)
    Risk!: object;
  }

  class DomesticConsentMembers extends ConsentMembers {}
  describeMembers(DomesticConsentMembers, { ReadRefundAccount: readRefundAccount });

  class DomesticPaymentMembers extends PaymentMembers {}
  describeMembers(DomesticPaymentMembers, { Refund: refund });

  return { OBWriteDomesticConsent4, OBWriteDomestic2, DomesticConsentMembers, DomesticPaymentMembers };
}
