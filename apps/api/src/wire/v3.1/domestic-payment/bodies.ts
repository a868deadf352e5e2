import { country, domesticPayment31, paymentStatuses } from '#libs/obie-rules';
import { domesticBodiesOf, riskMembers } from '../../domestic-payment/bodies.js';
import { classOf } from '../../form/class-of.js';
import { classWith } from '../../form/members.js';
import { ObBoolean, ObEnum, ObMatch, ObObject, ObText, ObTexts, Optional, Required } from '../../form/rules.js';
import { fileBodies31 } from '../file-payment/bodies.js';

/** Where goods go. */
const OBDeliveryAddress = classWith('OBDeliveryAddress', {
  AddressLine: Optional({ example: ['Flat 7'] }, ObTexts(70, { atMost: 2 })),
  StreetName: Optional({}, ObText(70)),
  BuildingNumber: Optional({}, ObText(16)),
  PostCode: Optional({}, ObText(16)),
  TownName: Required({ example: 'London' }, ObText(35)),
  CountrySubDivision: Optional({}, ObText(35)),
  Country: Required({ example: 'GB' }, ObMatch(country.form, country.rule)),
});

const contexts =
  'BillingGoodsAndServicesInAdvance BillingGoodsAndServicesInArrears PispPayee EcommerceMerchantInitiatedPayment ' +
  'FaceToFacePointOfSale TransferToSelf TransferToThirdParty BillPayment EcommerceGoods EcommerceServices Other ' +
  'PartyToParty';

/** The official description and the pages of 3.1 spell two members differently: all spellings are taken. */
const OBRisk1 = classWith(
  'OBRisk1',
  {
    ...riskMembers,
    PaymentContextCode: Optional({ example: 'TransferToThirdParty' }, ObEnum(contexts.split(' '))),
    ContractPresentInidicator: Optional({ description: 'Whether you have a contract with the payee.' }, ObBoolean()),
    ContractPresentIndicator: Optional({ description: 'The same.' }, ObBoolean()),
    BeneficiaryPaymentDetailsPrepopulatedIndicator: Optional(
      { description: 'As BeneficiaryPrepopulatedIndicator.' },
      ObBoolean(),
    ),
    PaymentPurposeCode: Optional({ description: 'Purpose (ISO 20022).', example: 'GDDS' }, ObText(4, 3)),
    DeliveryAddress: Optional({}, ObObject(OBDeliveryAddress)),
  },
  { isClosed: true },
);

/** The bodies of single domestic payments in 3.1. */
export const domesticBodies31 = domesticBodiesOf({
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
  detailsAnswer: fileBodies31.detailsAnswer,
});
