import { ApiProperty } from '@nestjs/swagger';
import { domesticBodiesOf, RiskMembers } from '../../domestic-payment/bodies.js';
import { answerOf } from '../../file-payment/dto/answer-of.js';
import { classOf } from '../../form/class-of.js';
import { Closed } from '../../form/members.js';
import { ObBoolean, ObEnum, ObMatch, ObObject, ObText, ObTexts, Optional, Required } from '../../form/rules.js';
import { country, domesticPayment31, paymentStatuses } from '#libs/obie-rules';

/** Where goods go. */
class OBDeliveryAddress {
  @Optional({ example: ['Flat 7'] })
  @ObTexts(70, { atMost: 2 })
  AddressLine?: string[];

  @Optional()
  @ObText(70)
  StreetName?: string;

  @Optional()
  @ObText(16)
  BuildingNumber?: string;

  @Optional()
  @ObText(16)
  PostCode?: string;

  @Required({ example: 'London' })
  @ObText(35)
  TownName!: string;

  @Optional()
  @ObText(35)
  CountrySubDivision?: string;

  @Required({ example: 'GB' })
  @ObMatch(country.form, country.rule)
  Country!: string;
}

const contexts =
  'BillingGoodsAndServicesInAdvance BillingGoodsAndServicesInArrears PispPayee EcommerceMerchantInitiatedPayment ' +
  'FaceToFacePointOfSale TransferToSelf TransferToThirdParty BillPayment EcommerceGoods EcommerceServices Other ' +
  'PartyToParty';

/** The official description and the pages of 3.1 spell two members differently: all spellings are taken. */
@Closed()
class OBRisk1 extends RiskMembers {
  @Optional({ example: 'TransferToThirdParty' })
  @ObEnum(contexts.split(' '))
  PaymentContextCode?: string;

  @Optional({ description: 'Whether you have a contract with the payee.' })
  @ObBoolean()
  ContractPresentInidicator?: boolean;

  @Optional({ description: 'The same.' })
  @ObBoolean()
  ContractPresentIndicator?: boolean;

  @Optional({ description: 'As BeneficiaryPrepopulatedIndicator.' })
  @ObBoolean()
  BeneficiaryPaymentDetailsPrepopulatedIndicator?: boolean;

  @Optional({ description: 'Purpose (ISO 20022).', example: 'GDDS' })
  @ObText(4, 3)
  PaymentPurposeCode?: string;

  @Optional()
  @ObObject(() => OBDeliveryAddress)
  DeliveryAddress?: OBDeliveryAddress;
}

const bodies = domesticBodiesOf({
  // libs/file-payment reads it.
  initiation: classOf(domesticPayment31),
  risk: OBRisk1,
  consentStates: {
    enum: ['AwaitingAuthorisation', 'Authorised', 'Consumed', 'Rejected'],
    description:
      'AwaitingAuthorisation: send the customer to the bank. Authorised: make the payment. Consumed and Rejected ' +
      'are final.',
  },
  paymentStates: {
    enum: [...paymentStatuses],
    description:
      'Pending: taken, held, or waiting for further approvals. AcceptedSettlementInProcess: with its scheme.',
  },
  authorised: 'Authorised',
  approvals: ['AwaitingFurtherAuthorisation', 'Authorised', 'Rejected'],
});

export const { OBWriteDomesticConsent4, OBWriteDomestic2 } = bodies;

class OBWriteDataDomesticConsentResponse5 extends bodies.DomesticConsentMembers {}

/** Answer of POST and GET /domestic-payment-consents. */
export class OBWriteDomesticConsentResponse5 extends answerOf(OBWriteDataDomesticConsentResponse5) {
  @ApiProperty({ type: OBRisk1, description: 'As you sent it.' })
  Risk!: OBRisk1;
}

class OBWriteDataDomesticResponse5 extends bodies.DomesticPaymentMembers {}

/** Answer of POST and GET /domestic-payments. */
export class OBWriteDomesticResponse5 extends answerOf(OBWriteDataDomesticResponse5) {}
