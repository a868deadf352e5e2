import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { OBCharge2, OBFile2 } from './ob-file.dto.js';
import { Links, Meta } from './ob-links-meta.dto.js';
import { ObObject, ObText, Required } from './rules.js';

export class OBWriteDataFile2 {
  @ApiProperty({ minLength: 1, maxLength: 128 })
  @Required()
  @ObText(128)
  ConsentId!: string;

  /** The same as in the consent. */
  @ApiProperty()
  @Required()
  @ObObject(() => OBFile2)
  Initiation!: OBFile2;
}

/** Body of POST /file-payments. */
export class OBWriteFile2 {
  @ApiProperty()
  @Required()
  @ObObject(() => OBWriteDataFile2)
  Data!: OBWriteDataFile2;
}

export class OBMultiAuthorisation1 {
  @ApiProperty({ enum: ['AwaitingFurtherAuthorisation', 'Authorised', 'Rejected'] })
  Status!: string;

  @ApiProperty()
  NumberRequired!: number;

  @ApiProperty()
  NumberReceived!: number;

  @ApiProperty({ format: 'date-time' })
  LastUpdateDateTime!: string;
}

export class OBWriteDataFileResponse2 {
  @ApiProperty({ minLength: 1, maxLength: 40 })
  FilePaymentId!: string;

  @ApiProperty({ minLength: 1, maxLength: 128 })
  ConsentId!: string;

  @ApiProperty({ format: 'date-time' })
  CreationDateTime!: string;

  @ApiProperty({ enum: ['InitiationPending', 'InitiationCompleted', 'InitiationFailed'] })
  Status!: string;

  @ApiProperty({ format: 'date-time' })
  StatusUpdateDateTime!: string;

  @ApiProperty({ type: [OBCharge2] })
  Charges!: readonly OBCharge2[];

  @ApiProperty()
  Initiation!: OBFile2;

  @ApiPropertyOptional()
  MultiAuthorisation?: OBMultiAuthorisation1;
}

/** Answer of POST and GET /file-payments. */
export class OBWriteFileResponse2 {
  @ApiProperty()
  Data!: OBWriteDataFileResponse2;

  @ApiProperty()
  Links!: Links;

  @ApiProperty()
  Meta!: Meta;
}
