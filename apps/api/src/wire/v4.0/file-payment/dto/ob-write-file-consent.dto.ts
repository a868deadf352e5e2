import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { exampleConsentId, exampleTime } from '../../../file-payment/example-file.js';
import { OBCharge2 } from '../../../file-payment/ob-charge.dto.js';
import { Links, Meta } from '../../../file-payment/ob-links-meta.dto.js';
import { ObDateTime, ObEnum, ObObject, ObText, Optional, Required } from '../../../form/rules.js';
import { OBDebtor, OBStatusReason } from './ob-answer-parts.dto.js';
import { OBFile2 } from './ob-file.dto.js';

const exemptions = [
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

/** What the TPP knows about strong customer authentication. */
class OBSCASupportData1 {
  @Optional({ description: 'Exemption that is asked for. The bank decides.', example: 'EcommerceServices' })
  @ObEnum(exemptions)
  RequestedSCAExemptionType?: string;

  @Optional({ description: 'How the customer signed in with the TPP.', example: 'SCA' })
  @ObEnum(['CA', 'SCA'])
  AppliedAuthenticationApproach?: string;

  @Optional({ description: 'Earlier payment order that this one refers to.', example: 'ORDER-1' })
  @ObText(40)
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
class OBWriteDataFileConsentResponse4 {
  @ApiProperty({ type: 'string', minLength: 1, maxLength: 128, description: 'Id of it.', example: exampleConsentId })
  ConsentId!: string;

  @ApiProperty({ type: 'string', format: 'date-time', example: exampleTime })
  CreationDateTime!: string;

  @ApiProperty({
    type: 'string',
    enum: ['AWUP', 'AWAU', 'AUTH', 'COND', 'RJCT'],
    description:
      'AWUP: upload the file. AWAU: send the customer to the bank. AUTH: make the payment. COND and RJCT are final.',
  })
  Status!: string;

  @ApiPropertyOptional({ type: [OBStatusReason], description: 'Why it is there.' })
  StatusReason?: readonly OBStatusReason[];

  @ApiProperty({ type: 'string', format: 'date-time', example: exampleTime })
  StatusUpdateDateTime!: string;

  @ApiPropertyOptional({
    type: 'string',
    format: 'date-time',
    description: 'Next cut-off of the payment type, if any.',
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

  @ApiPropertyOptional({ type: OBDebtor, description: 'The account that pays, where the bank shows it.' })
  Debtor?: OBDebtor;
}

/** Answer of POST and GET /file-payment-consents. */
export class OBWriteFileConsentResponse4 {
  @ApiProperty({ type: OBWriteDataFileConsentResponse4 })
  Data!: OBWriteDataFileConsentResponse4;

  @ApiProperty({ type: Links })
  Links!: Links;

  @ApiProperty({ type: Meta })
  Meta!: Meta;
}
