import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { exampleConsentId, exampleFilePaymentId, exampleTime } from '../../../file-payment/example-file.js';
import { OBCharge2 } from '../../../file-payment/ob-charge.dto.js';
import { Links, Meta } from '../../../file-payment/ob-links-meta.dto.js';
import { ObObject, ObText, Required } from '../../../form/rules.js';
import { OBDebtor, OBStatusReason } from './ob-answer-parts.dto.js';
import { OBFile2 } from './ob-file.dto.js';

/** Data of a file payment request. */
class OBWriteDataFile2 {
  @Required({ description: 'The consent, AUTH.', example: exampleConsentId })
  @ObText(128)
  ConsentId!: string;

  @Required({ description: 'The same as in the consent, member for member.' })
  @ObObject(() => OBFile2)
  Initiation!: OBFile2;
}

/** Body of POST /file-payments. */
export class OBWriteFile2 {
  @Required()
  @ObObject(() => OBWriteDataFile2)
  Data!: OBWriteDataFile2;
}

/** Where several people have to approve. */
class OBMultiAuthorisation1 {
  @ApiProperty({ type: 'string', enum: ['AWAF', 'AUTH', 'RJCT'] })
  Status!: string;

  @ApiProperty({ type: 'integer', minimum: 2 })
  NumberRequired!: number;

  @ApiProperty({ type: 'integer', minimum: 0 })
  NumberReceived!: number;

  @ApiProperty({ type: 'string', format: 'date-time' })
  LastUpdateDateTime!: string;

  @ApiProperty({ type: 'string', format: 'date-time', description: 'Who has not approved by then can no longer.' })
  ExpirationDateTime!: string;
}

/** Data of a file payment. */
class OBWriteDataFileResponse3 {
  @ApiProperty({ type: 'string', minLength: 1, maxLength: 40, example: exampleFilePaymentId })
  FilePaymentId!: string;

  @ApiProperty({ type: 'string', minLength: 1, maxLength: 128, example: exampleConsentId })
  ConsentId!: string;

  @ApiProperty({ type: 'string', format: 'date-time', example: exampleTime })
  CreationDateTime!: string;

  @ApiProperty({
    type: 'string',
    enum: ['PDNG', 'INCO', 'INFA'],
    description: 'INCO: every payment was handed over to its scheme; single ones may still be RJCT, see report-file.',
  })
  Status!: string;

  @ApiPropertyOptional({ type: [OBStatusReason], description: 'Why it is there.' })
  StatusReason?: readonly OBStatusReason[];

  @ApiProperty({ type: 'string', format: 'date-time', example: exampleTime })
  StatusUpdateDateTime!: string;

  @ApiProperty({ type: [OBCharge2] })
  Charges!: readonly OBCharge2[];

  @ApiProperty({ type: OBFile2, description: 'Of a payment of v3.1: in the members of v4.0, but for its FileType.' })
  Initiation!: OBFile2;

  @ApiPropertyOptional({ type: OBMultiAuthorisation1, description: 'Only where the account needs several approvers.' })
  MultiAuthorisation?: OBMultiAuthorisation1;

  @ApiPropertyOptional({ type: OBDebtor, description: 'The account that pays, where the bank shows it.' })
  Debtor?: OBDebtor;
}

/** Answer of POST and GET /file-payments. */
export class OBWriteFileResponse3 {
  @ApiProperty({ type: OBWriteDataFileResponse3 })
  Data!: OBWriteDataFileResponse3;

  @ApiProperty({ type: Links })
  Links!: Links;

  @ApiProperty({ type: Meta })
  Meta!: Meta;
}
