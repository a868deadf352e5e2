import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ObDateTime, ObEnum, ObObject, ObText, Optional, Required } from '../../form/rules.js';
import { exampleConsentId, exampleTime } from '../example-file.js';
import { OBCharge2 } from '../ob-charge.dto.js';

const exemptionTypes = [
  'BillPayment',
  'ContactlessTravel',
  'EcommerceGoods',
  'EcommerceServices',
  'Kiosk',
  'Parking',
  'PartyToParty',
] as const;

/** How many people have to approve. */
class OBAuthorisation1 {
  @Required({ description: 'Any: as many as the account needs. Single: one must be enough.', example: 'Any' })
  @ObEnum(['Any', 'Single'])
  AuthorisationType!: 'Any' | 'Single';

  @Optional({ description: 'Deadline for all authorisations, in the future.', example: '2035-01-31T00:00:00+00:00' })
  @ObDateTime()
  CompletionDateTime?: string;
}

/** A state of a resource, as the API document tells it. */
export interface StateDescription {
  readonly enum: string[];
  readonly description: string;
}

/**
 * @param Initiation OBFile2 of the version
 * @param longestOrderId characters of SCASupportData.ReferencePaymentOrderId
 * @returns the body of POST /file-payment-consents, and the members of Data in its answer that every version has
 */
export function consentBodiesOf<Initiation extends object>(
  type: new () => Initiation,
  { longestOrderId, status }: { longestOrderId: number; status: StateDescription },
) {
  /** What the TPP knows about strong customer authentication. */
  class OBSCASupportData1 {
    @Optional({ description: 'Exemption that is asked for. The bank decides.', example: 'EcommerceServices' })
    @ObEnum(exemptionTypes)
    RequestedSCAExemptionType?: string;

    @Optional({ description: 'How the customer signed in with the TPP.', example: 'SCA' })
    @ObEnum(['CA', 'SCA'])
    AppliedAuthenticationApproach?: string;

    @Optional({ description: 'Earlier payment order that this one refers to.', example: 'ORDER-1' })
    @ObText(longestOrderId)
    ReferencePaymentOrderId?: string;
  }

  /** Data of a consent request. */
  class OBWriteDataFileConsent3 {
    @Required({ description: 'The file that will be uploaded.' })
    @ObObject(() => type)
    Initiation!: Initiation;

    @Optional()
    @ObObject(() => OBAuthorisation1)
    Authorisation?: OBAuthorisation1;

    @Optional()
    @ObObject(() => OBSCASupportData1)
    SCASupportData?: OBSCASupportData1;
  }

  /** Body of POST /file-payment-consents. */
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
      description: 'Next cut-off of the payment type, where it has one.',
    })
    CutOffDateTime?: string;

    @ApiProperty({ type: [OBCharge2], description: 'What the bank charges; empty for nothing.' })
    Charges!: readonly OBCharge2[];

    @ApiProperty({ type, description: 'As it was sent; account schemes with their prefix, dates with a zone.' })
    Initiation!: Initiation;

    @ApiPropertyOptional({ type: OBAuthorisation1 })
    Authorisation?: OBAuthorisation1;

    @ApiPropertyOptional({ type: OBSCASupportData1 })
    SCASupportData?: OBSCASupportData1;
  }

  return { request: OBWriteFileConsent3, ConsentMembers };
}
