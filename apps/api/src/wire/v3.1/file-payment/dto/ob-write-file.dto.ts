import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { exampleConsentId, exampleFilePaymentId, exampleTime } from '../../../file-payment/example-file.js';
import { OBCharge2 } from '../../../file-payment/ob-charge.dto.js';
import { OBFile2 } from './ob-file.dto.js';
import { Links, Meta } from '../../../file-payment/ob-links-meta.dto.js';
import { ObObject, ObText, Required } from '../../../form/rules.js';

/** Data of a file payment request. */
class OBWriteDataFile2 {
  @Required({ description: 'The consent, Authorised.', example: exampleConsentId })
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
  @ApiProperty({ type: 'string', enum: ['AwaitingFurtherAuthorisation', 'Authorised', 'Rejected'] })
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
class OBWriteDataFileResponse2 {
  @ApiProperty({ type: 'string', minLength: 1, maxLength: 40, example: exampleFilePaymentId })
  FilePaymentId!: string;

  @ApiProperty({ type: 'string', minLength: 1, maxLength: 128, example: exampleConsentId })
  ConsentId!: string;

  @ApiProperty({ type: 'string', format: 'date-time', example: exampleTime })
  CreationDateTime!: string;

  @ApiProperty({
    type: 'string',
    enum: ['InitiationPending', 'InitiationCompleted', 'InitiationFailed'],
    description:
      'InitiationCompleted: every payment was handed over to its scheme; single ones may still be Rejected, see report-file.',
  })
  Status!: string;

  @ApiProperty({ type: 'string', format: 'date-time', example: exampleTime })
  StatusUpdateDateTime!: string;

  @ApiProperty({ type: [OBCharge2] })
  Charges!: readonly OBCharge2[];

  @ApiProperty({ type: OBFile2 })
  Initiation!: OBFile2;

  @ApiPropertyOptional({ type: OBMultiAuthorisation1, description: 'Only where the account needs several approvers.' })
  MultiAuthorisation?: OBMultiAuthorisation1;
}

/** Answer of POST and GET /file-payments. */
export class OBWriteFileResponse2 {
  @ApiProperty({ type: OBWriteDataFileResponse2 })
  Data!: OBWriteDataFileResponse2;

  @ApiProperty({ type: Links })
  Links!: Links;

  @ApiProperty({ type: Meta })
  Meta!: Meta;
}
