import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Closed } from '../../form/members.js';
import { ObDateTime, ObEnum, ObObject, ObText, Optional, Required } from '../../form/rules.js';
import { exampleConsentId, exampleTime } from '../example-file.js';
import { OBCharge2 } from '../ob-charge.dto.js';
import { OBDebtor } from './ob-debtor.dto.js';

const exemptionTypes = [
  'BillPayment',
  'ContactlessTravel',
  'EcommerceGoods',
  'EcommerceServices',
  'Kiosk',
  'Parking',
  'PartyToParty',
] as const;

/** How many people must approve. */
@Closed()
class OBAuthorisation1 {
  @Required({
    description: 'Any: as many approvers as the account needs. Single: one approver must be enough.',
    example: 'Any',
  })
  @ObEnum(['Any', 'Single'])
  AuthorisationType!: 'Any' | 'Single';

  @Optional({ description: 'Deadline for all authorisations, in the future.', example: '2035-01-31T00:00:00+00:00' })
  @ObDateTime()
  CompletionDateTime?: string;
}

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
      checks: ObObject(() => type),
    },
  }: {
    longestOrderId: number;
    status: StateDescription;
    initiation?: { description: string; checks: PropertyDecorator };
  },
) {
  /** What the TPP knows about strong customer authentication. */
  class OBSCASupportData1 {
    @Optional({ description: 'The exemption that you request. The bank decides.', example: 'EcommerceServices' })
    @ObEnum(exemptionTypes)
    RequestedSCAExemptionType?: string;

    @Optional({ description: 'How the customer authenticated at the TPP.', example: 'SCA' })
    @ObEnum(['CA', 'SCA'])
    AppliedAuthenticationApproach?: string;

    @Optional({ description: 'An earlier payment order to which this one refers.', example: 'ORDER-1' })
    @ObText(longestOrderId)
    ReferencePaymentOrderId?: string;
  }

  /** Data of a consent request. */
  @Closed()
  class OBWriteDataFileConsent3 {
    @Required({ description })
    @checks
    Initiation!: Initiation;

    @Optional()
    @ObObject(() => OBAuthorisation1)
    Authorisation?: OBAuthorisation1;

    @Optional()
    @ObObject(() => OBSCASupportData1)
    SCASupportData?: OBSCASupportData1;
  }

  /** Body of POST /file-payment-consents. */
  @Closed()
  class OBWriteFileConsent3 {
    @Required()
    @ObObject(() => OBWriteDataFileConsent3)
    Data!: OBWriteDataFileConsent3;
  }

  class ConsentMembers {
    @ApiProperty({
      type: 'string',
      minLength: 1,
      maxLength: 128,
      description: 'Id of the consent.',
      example: exampleConsentId,
    })
    ConsentId!: string;

    @ApiProperty({ type: 'string', format: 'date-time', example: exampleTime })
    CreationDateTime!: string;

    @ApiProperty({ type: 'string', ...status })
    Status!: string;

    @ApiProperty({ type: 'string', format: 'date-time', example: exampleTime })
    StatusUpdateDateTime!: string;

    @ApiPropertyOptional({
      type: 'string',
      format: 'date-time',
      description: 'Next cut-off time of the payment type, if it has one.',
    })
    CutOffDateTime?: string;

    @ApiProperty({ type: [OBCharge2], description: 'Charges of the bank; empty if there are none.' })
    Charges!: readonly OBCharge2[];

    @ApiProperty({ type, description: 'As you sent it, with full names of account schemes and with time zones.' })
    Initiation!: Initiation;

    @ApiPropertyOptional({ type: OBAuthorisation1 })
    Authorisation?: OBAuthorisation1;

    @ApiPropertyOptional({ type: OBSCASupportData1 })
    SCASupportData?: OBSCASupportData1;

    @ApiPropertyOptional({ type: OBDebtor, description: 'The account to pay from, if the bank shows it.' })
    Debtor?: OBDebtor;
  }

  return { request: OBWriteFileConsent3, ConsentRequest: OBWriteDataFileConsent3, ConsentMembers };
}
