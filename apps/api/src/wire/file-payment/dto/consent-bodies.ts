import type { Members } from '#libs/api-description';
import type { Conditions } from '#libs/obie-rules';
import { classWith } from '../../form/members.js';
import { ObDateTime, ObEnum, ObObject, ObText, Optional, Required } from '../../form/rules.js';
import { moment, OBCharge2, OBDebtor, ownConsentId, past } from './answer-parts.js';

const exemptionTypes =
  'BillPayment ContactlessTravel EcommerceGoods EcommerceServices Kiosk Parking PartyToParty'.split(' ');

/** How many people must approve. */
const OBAuthorisation1 = classWith(
  'OBAuthorisation1',
  {
    AuthorisationType: Required(
      {
        description: 'Any: as many approvers as the account needs. Single: one approver must be enough.',
        example: 'Any',
      },
      ObEnum(['Any', 'Single']),
    ),
    CompletionDateTime: Optional(
      { description: 'Deadline for all authorisations, in the future.', example: '2035-01-31T00:00:00+00:00' },
      ObDateTime(),
    ),
  },
  { isClosed: true },
);

/** A status of a resource in the API document. */
export interface StateDescription {
  readonly enum: string[];
  readonly description: string;
}

/**
 * @param type of Data.Initiation
 * @param longestOrderId characters of SCASupportData.ReferencePaymentOrderId
 * @param initiation description of Data.Initiation, and the check of its members; by default that of its class
 * @returns the body of POST /file-payment-consents, and the members of Data in requests and answers that all versions
 * and kinds share
 */
// oxlint-disable-next-line max-lines-per-function -- classes, made anew for each version
export function consentBodiesOf<Initiation extends object>(
  type: new () => Initiation,
  {
    longestOrderId,
    status,
    initiation: { description, checks } = {
      description: 'The file that will be uploaded.',
      checks: ObObject(type),
    },
  }: {
    longestOrderId: number;
    status: StateDescription;
    initiation?: { description: string; checks: PropertyDecorator };
  },
) {
  /** What the TPP knows about strong customer authentication. */
  const OBSCASupportData1 = classWith('OBSCASupportData1', {
    RequestedSCAExemptionType: Optional(
      { description: 'The exemption that you request. The bank decides.', example: 'EcommerceServices' },
      ObEnum(exemptionTypes),
    ),
    AppliedAuthenticationApproach: Optional(
      { description: 'How the customer authenticated at the TPP.', example: 'SCA' },
      ObEnum(['CA', 'SCA']),
    ),
    ReferencePaymentOrderId: Optional(
      { description: 'An earlier payment order to which this one refers.', example: 'ORDER-1' },
      ObText(longestOrderId),
    ),
  });
  /** Data of a request. */
  const asked = {
    Initiation: Required({ description }, checks),
    Authorisation: Optional({}, ObObject(OBAuthorisation1)),
    SCASupportData: Optional({}, ObObject(OBSCASupportData1)),
  };
  const Data = classWith('OBWriteDataFileConsent3', asked, { isClosed: true });
  /** Body of POST /file-payment-consents. */
  const request = classWith<{ Data: Conditions & { Initiation: Initiation } }>(
    'OBWriteFileConsent3',
    {
      Data: Required({}, ObObject(Data)),
    },
    { isClosed: true },
  );
  const answered: Members = {
    ConsentId: ownConsentId,
    CreationDateTime: past,
    Status: { type: 'string', ...status },
    StatusUpdateDateTime: past,
    CutOffDateTime: {
      required: false,
      ...moment,
      description: 'Next cut-off time of the payment type, if it has one.',
    },
    Charges: { type: [OBCharge2], description: 'Charges of the bank; empty if there are none.' },
    Initiation: { type, description: 'As you sent it, with full names of account schemes and with time zones.' },
    Authorisation: { required: false, type: OBAuthorisation1 },
    SCASupportData: { required: false, type: OBSCASupportData1 },
    Debtor: { required: false, type: OBDebtor, description: 'The account to pay from, if the bank shows it.' },
  };
  return { request, asked, answered };
}
