import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { OBCharge2 } from '../../../file-payment/ob-charge.dto.js';
import { OBFile2 } from './ob-file.dto.js';
import { exampleConsentId, exampleTime } from '../../../file-payment/example-file.js';
import { Links, Meta } from '../../../file-payment/ob-links-meta.dto.js';
import { ObDateTime, ObEnum, ObObject, Optional, ObText, Required } from '../../../form/rules.js';

const authorisationTypes = ['Any', 'Single'] as const;
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
  @ObEnum(authorisationTypes)
  AuthorisationType!: 'Any' | 'Single';

  @Optional({ description: 'Deadline for all authorisations, in the future.', example: '2035-01-31T00:00:00+00:00' })
  @ObDateTime()
  CompletionDateTime?: string;
}

/** What the TPP knows about strong customer authentication. */
class OBSCASupportData1 {
  @Optional({ description: 'Exemption that is asked for. The bank decides.', example: 'EcommerceServices' })
  @ObEnum(exemptionTypes)
  RequestedSCAExemptionType?: string;

  @Optional({ description: 'How the customer signed in with the TPP.', example: 'SCA' })
  @ObEnum(['CA', 'SCA'])
  AppliedAuthenticationApproach?: string;

  @Optional({ description: 'Earlier payment order that this one refers to.', example: 'ORDER-1' })
  @ObText(128)
  ReferencePaymentOrderId?: string;
}

/** Data of a consent request. */
class OBWriteDataFileConsent3 {
  @Required({ description: 'The file that will be uploaded.' })
  @ObObject(() => OBFile2)
  Initiation!: OBFile2;

  @Optional()
  @ObObject(() => OBAuthorisation1)
  Authorisation?: OBAuthorisation1;

  @Optional()
  @ObObject(() => OBSCASupportData1)
  SCASupportData?: OBSCASupportData1;
}

/** Body of POST /file-payment-consents. */
export class OBWriteFileConsent3 {
  @Required()
  @ObObject(() => OBWriteDataFileConsent3)
  Data!: OBWriteDataFileConsent3;
}

/** Data of a consent. */
class OBWriteDataFileConsentResponse3 {
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

  @ApiProperty({
    type: 'string',
    enum: ['AwaitingUpload', 'AwaitingAuthorisation', 'Authorised', 'Consumed', 'Rejected'],
    description:
      'AwaitingUpload: upload the file. AwaitingAuthorisation: send the customer to the bank. Authorised: make the payment. ' +
      'Consumed and Rejected are final.',
  })
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

  @ApiProperty({ type: OBFile2, description: 'As it was sent; account schemes with their prefix, dates with a zone.' })
  Initiation!: OBFile2;

  @ApiPropertyOptional({ type: OBAuthorisation1 })
  Authorisation?: OBAuthorisation1;

  @ApiPropertyOptional({ type: OBSCASupportData1 })
  SCASupportData?: OBSCASupportData1;
}

/** Answer of POST and GET /file-payment-consents. */
export class OBWriteFileConsentResponse3 {
  @ApiProperty({ type: OBWriteDataFileConsentResponse3 })
  Data!: OBWriteDataFileConsentResponse3;

  @ApiProperty({ type: Links })
  Links!: Links;

  @ApiProperty({ type: Meta })
  Meta!: Meta;
}
