import { type ApiPropertyOptions } from '@nestjs/swagger';
import { describeMembers } from '#libs/api-description';
import { categoryPurposeCodes, postalAddress7, purposeCodes } from '#libs/obie-rules';
import { domesticBodiesOf, riskMembers } from '../../domestic-payment/bodies.js';
import { answerOf } from '../../file-payment/dto/answer-of.js';
import { detailsBodyOf } from '../../file-payment/dto/file-bodies.js';
import { classWith, Closed } from '../../form/members.js';
import { postalAddressOf } from '../../form/postal-address.js';
import { ObBoolean, ObEnum, ObObject, Optional } from '../../form/rules.js';
import { OBStatusReason } from '../file-payment/dto/ob-answer-parts.dto.js';
import { OBDomestic2 } from '../file-payment/dto/ob-domestic2.dto.js';
import { OBStatusDetail } from '../file-payment/dto/ob-payment-file.dto.js';

const contexts =
  'BillingGoodsAndServicesInAdvance BillingGoodsAndServicesInArrears EcommerceMerchantInitiatedPayment ' +
  'FaceToFacePointOfSale TransferToSelf TransferToThirdParty';

const OBRisk1 = classWith('OBRisk1', {
  ...riskMembers,
  PaymentContextCode: Optional({ example: 'TransferToThirdParty' }, ObEnum(contexts.split(' '))),
  ContractPresentIndicator: Optional({ description: 'Whether you have a contract with the payee.' }, ObBoolean()),
  PaymentPurposeCode: Optional(
    { description: 'Purpose.', example: 'GDDS' },
    ObEnum(purposeCodes, 'must be one of the codes of ExternalPurpose1Code'),
  ),
  CategoryPurposeCode: Optional(
    { description: 'Category of the purpose.', example: 'SUPP' },
    ObEnum(categoryPurposeCodes, 'must be one of the codes of ExternalCategoryPurpose1Code'),
  ),
  DeliveryAddress: Optional(
    {},
    ObObject(() => postalAddressOf(postalAddress7)),
  ),
});
Closed()(OBRisk1);

/** States of a payment (ExternalPaymentTransactionStatus1Code) that occur. */
const paymentStates = ['RCVD', 'PATC', 'PDNG', 'ACSP', 'ACSC', 'ACWP', 'ACCC', 'RJCT'];

const bodies = domesticBodiesOf({
  initiation: OBDomestic2,
  risk: OBRisk1,
  consentStates: {
    enum: ['AWAU', 'AUTH', 'COND', 'RJCT'],
    description: 'AWAU: send the customer to the bank. AUTH: make the payment. COND and RJCT are final.',
  },
  paymentStates: {
    enum: paymentStates,
    description:
      'RCVD: taken. PATC: further approvals are awaited. PDNG: the bank has it. ACSP: with its scheme. RJCT: never ' +
      'made.',
  },
  authorised: 'AUTH',
  approvals: ['AWAF', 'AUTH', 'RJCT'],
});

export const { OBWriteDomesticConsent4, OBWriteDomestic2 } = bodies;

const reason: ApiPropertyOptions = { type: [OBStatusReason], description: 'The reason for the status.' };

class OBWriteDataDomesticConsentResponse5 extends bodies.DomesticConsentMembers {}
describeMembers(OBWriteDataDomesticConsentResponse5, { StatusReason: { required: false, ...reason } });

/** Answer of POST and GET /domestic-payment-consents. */
export class OBWriteDomesticConsentResponse5 extends answerOf(OBWriteDataDomesticConsentResponse5) {}
describeMembers(OBWriteDomesticConsentResponse5, { Risk: { type: OBRisk1, description: 'As you sent it.' } });

class OBWriteDataDomesticResponse5 extends bodies.DomesticPaymentMembers {}
describeMembers(OBWriteDataDomesticResponse5, { StatusReason: { required: false, ...reason } });

/** Answer of GET /domestic-payments/{DomesticPaymentId}/payment-details. */
export const OBWritePaymentDetailsResponse1 = detailsBodyOf({ statusDetail: OBStatusDetail, states: paymentStates });

/** Answer of POST and GET /domestic-payments. */
export class OBWriteDomesticResponse5 extends answerOf(OBWriteDataDomesticResponse5) {}
