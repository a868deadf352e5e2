import { categoryPurposeCodes, postalAddress7, purposeCodes } from '#libs/obie-rules';
import { domesticBodiesOf, riskMembers } from '../../domestic-payment/bodies.js';
import { detailsBodyOf } from '../../file-payment/dto/file-bodies.js';
import { classWith } from '../../form/members.js';
import { postalAddressOf } from '../../form/postal-address.js';
import { ObBoolean, ObEnum, ObObject, Optional } from '../../form/rules.js';
import { OBDomestic2, OBStatusDetail, StatusReason } from '../file-payment/bodies.js';

const contexts =
  'BillingGoodsAndServicesInAdvance BillingGoodsAndServicesInArrears EcommerceMerchantInitiatedPayment ' +
  'FaceToFacePointOfSale TransferToSelf TransferToThirdParty';

const OBRisk1 = classWith(
  'OBRisk1',
  {
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
    DeliveryAddress: Optional({}, ObObject(postalAddressOf(postalAddress7))),
  },
  { isClosed: true },
);

/** States of a payment (ExternalPaymentTransactionStatus1Code) that occur. */
const paymentStates = ['RCVD', 'PATC', 'PDNG', 'ACSP', 'ACSC', 'ACWP', 'ACCC', 'RJCT'];

/** The bodies of single domestic payments in 4.0. */
export const domesticBodies40 = domesticBodiesOf({
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
  furtherAnswered: { StatusReason },
  detailsAnswer: detailsBodyOf({ statusDetail: OBStatusDetail, states: paymentStates }),
});
