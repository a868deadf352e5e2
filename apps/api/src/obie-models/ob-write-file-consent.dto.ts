import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { OBCharge2, OBFile2 } from './ob-file.dto.js';
import { Links, Meta } from './ob-links-meta.dto.js';
import { ObDateTime, ObEnum, ObObject, Optional, ObText, Required } from './rules.js';

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

export class OBAuthorisation1 {
  @ApiProperty({ enum: authorisationTypes })
  @Required()
  @ObEnum(authorisationTypes)
  AuthorisationType!: 'Any' | 'Single';

  /** Deadline for all authorisations. */
  @ApiPropertyOptional({ format: 'date-time' })
  @Optional()
  @ObDateTime()
  CompletionDateTime?: string;
}

export class OBSCASupportData1 {
  @ApiPropertyOptional({ enum: exemptionTypes })
  @Optional()
  @ObEnum(exemptionTypes)
  RequestedSCAExemptionType?: string;

  @ApiPropertyOptional({ enum: ['CA', 'SCA'] })
  @Optional()
  @ObEnum(['CA', 'SCA'])
  AppliedAuthenticationApproach?: string;

  @ApiPropertyOptional({ minLength: 1, maxLength: 128 })
  @Optional()
  @ObText(128)
  ReferencePaymentOrderId?: string;
}

export class OBWriteDataFileConsent3 {
  @ApiProperty()
  @Required()
  @ObObject(() => OBFile2)
  Initiation!: OBFile2;

  @ApiPropertyOptional()
  @Optional()
  @ObObject(() => OBAuthorisation1)
  Authorisation?: OBAuthorisation1;

  @ApiPropertyOptional()
  @Optional()
  @ObObject(() => OBSCASupportData1)
  SCASupportData?: OBSCASupportData1;
}

/** Body of POST /file-payment-consents. */
export class OBWriteFileConsent3 {
  @ApiProperty()
  @Required()
  @ObObject(() => OBWriteDataFileConsent3)
  Data!: OBWriteDataFileConsent3;
}

export class OBWriteDataFileConsentResponse3 {
  @ApiProperty({ minLength: 1, maxLength: 128 })
  ConsentId!: string;

  @ApiProperty({ format: 'date-time' })
  CreationDateTime!: string;

  @ApiProperty({ enum: ['AwaitingUpload', 'AwaitingAuthorisation', 'Authorised', 'Consumed', 'Rejected'] })
  Status!: string;

  @ApiProperty({ format: 'date-time' })
  StatusUpdateDateTime!: string;

  @ApiProperty({ type: [OBCharge2] })
  Charges!: readonly OBCharge2[];

  @ApiProperty()
  Initiation!: OBFile2;

  @ApiPropertyOptional()
  Authorisation?: OBAuthorisation1;

  @ApiPropertyOptional()
  SCASupportData?: OBSCASupportData1;
}

/** Answer of POST and GET /file-payment-consents. */
export class OBWriteFileConsentResponse3 {
  @ApiProperty()
  Data!: OBWriteDataFileConsentResponse3;

  @ApiProperty()
  Links!: Links;

  @ApiProperty()
  Meta!: Meta;
}
